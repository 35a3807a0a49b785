/**
 * One connection to a database, made when it is first needed, and made anew after it was lost. Queries run one after the
 * other. What must not be given up at once (`patiently`) is asked again while the database is away.
 */
import type pg from 'pg';
import type { Clock } from '../../util/clock.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import type { Database, Login } from './database-url.ts';

type Row = Readonly<Record<string, unknown>>;
type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export type Connection = ReturnType<typeof createConnection>;

const CONNECT_MS = 10_000;
/** No query takes so long: one that does has lost its connection without noticing. */
const QUERY_MS = 30_000;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * What was acknowledged must be on disk. A machine that stops in the middle of a transaction must not keep its locks.
 */
const SESSION = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local');
  set idle_in_transaction_session_timeout = '5s';
  set lock_timeout = '10s'`;

/** `begun` is called with each new connection, before anything else is asked. */
export function createConnection({ login }: Database) {
  let client: pg.Client | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let begun: (query: Query) => Promise<void> = () => Promise.resolve();

  async function ask(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      if (!client) {
        client = await connect(login);
        await client.query(SESSION);
        const fresh = client;
        await begun(async (...query) => (await fresh.query<Row>(...(query as [string]))).rows);
      }
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      const known = error instanceof DatabaseError ? error : databaseError(error, login.password);
      if (known.isPassing || !client) drop();
      throw known;
    }
  }

  function drop(): void {
    const gone = client;
    client = undefined;
    // Its end needs the server; without one, it ends with the socket.
    void gone?.end().catch(() => undefined);
  }

  const query: Query = (text, values) => {
    const asked = last.then(() => ask(text, values));
    last = asked.catch(() => undefined);
    return asked;
  };

  return {
    query,
    /** From now on called with each connection that is made. */
    onBegin(called: (query: Query) => Promise<void>): void {
      begun = called;
    },
    /** Asks again while the database is away, for so long. */
    async patiently<T>(work: () => Promise<T>, clock: Clock, patienceMs: number): Promise<T> {
      const since = clock.monotonic();
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        try {
          return await work();
        } catch (error) {
          const left = since + patienceMs - clock.monotonic();
          if (!(error instanceof DatabaseError && error.isPassing) || left <= 0) throw error;
          await new Promise<void>((resolve) => clock.after(Math.min(wait, left), resolve));
        }
      }
    },
    async close(): Promise<void> {
      await last;
      const gone = client;
      client = undefined;
      await gone?.end().catch(() => undefined);
    },
  };
}

/** The library is loaded only here. */
async function connect({ host, port, user, database, password, tls }: Login): Promise<pg.Client> {
  const { default: library } = await import('pg');
  const client = new library.Client({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    user,
    database,
    // Without a function, the library would look for one in other places.
    password: () => password ?? '',
    ssl: tls,
    application_name: 'campaign',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The next query says it.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return client;
}
