/**
 * One connection to a database, made when it is first needed, and made anew after it was lost. Queries run one after the
 * other.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DatabaseError, databaseError, NAMES_LOST } from './database-error.ts';
import type { Database, Login } from './database-url.ts';

type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export type Connection = ReturnType<typeof createConnection>;

const CONNECT_MS = 10_000;
/** No query takes so long: one that does has lost its connection without noticing. */
const QUERY_MS = 30_000;

/**
 * What was acknowledged must be on disk. A machine that stops in the middle of a transaction must not keep its locks, nor
 * one that is cut off, or reads nothing any more, while the server sends it an answer.
 */
const SESSION = `
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local');
  set idle_in_transaction_session_timeout = '5s';
  set lock_timeout = '10s';
  set tcp_user_timeout = '15s';
  set tcp_keepalives_idle = '10s';
  set tcp_keepalives_interval = '5s'`;

interface Watcher {
  /** Called with each new connection, before anything else is asked. */
  readonly begun: (query: Query) => Promise<void>;
  /** Called when a connection has ended by itself. */
  readonly lost: () => void;
}

interface Manner {
  readonly queryMs?: number;
  /** Settings of the session besides. */
  readonly settings?: string;
  /** Whether the same is asked again and again: then the server plans it once, and not each time. */
  readonly isRepeating?: boolean;
}

export function createConnection(
  { login }: Database,
  { queryMs = QUERY_MS, settings = '', isRepeating = false }: Manner = {},
) {
  const names = createNames(isRepeating);
  let client: pg.Client | undefined;
  const { inTurn, idle } = createTurns();
  let watcher: Watcher | undefined;

  async function ask(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      client ??= await begin();
      return rowsOf(await client.query<Row>(names.named(text, values)));
    } catch (error) {
      const known = error instanceof DatabaseError ? error : databaseError(error, login.password);
      names.heard(known);
      if (known.isLost) drop();
      throw known;
    }
  }

  async function begin(): Promise<pg.Client> {
    const fresh = await connect(login, queryMs);
    await prepare(fresh, settings, watcher);
    fresh.once('end', () => {
      if (client !== fresh) return;
      client = undefined;
      watcher?.lost();
    });
    return fresh;
  }

  function drop(): void {
    const gone = client;
    client = undefined;
    // Its end needs the server; without one, it ends with the socket.
    void gone?.end().catch(() => undefined);
  }

  const query: Query = (text, values) => inTurn(() => ask(text, values));

  return {
    query,
    /**
     * All of it or nothing; nothing else is asked meanwhile. What `first` asks, without parameters, goes with the begin in
     * one message: its rows are given to `work`.
     */
    transaction: <T>(work: (query: Query, rows: readonly Row[]) => Promise<T>, first = ''): Promise<T> =>
      inTurn(() => within({ work, first }, { ask, current: () => client, drop })),
    watch(by: Watcher): void {
      watcher = by;
    },
    async close(): Promise<void> {
      await idle();
      const gone = client;
      client = undefined;
      await gone?.end().catch(() => undefined);
    },
  };
}

/** Each text has a name of its own, so that a server that is shared with others never takes one for another. */
function createNames(isRepeating: boolean) {
  const known = new Map<string, string>();
  let isUsed = isRepeating;
  return {
    named(text: string, values: readonly unknown[]): pg.QueryConfig {
      const query = { text, values: [...values] };
      if (!isUsed || values.length === 0) return query;
      const name = known.get(text) ?? createHash('sha1').update(text).digest('hex');
      known.set(text, name);
      return { ...query, name };
    },
    /** Between here and the server is something that mixes up connections: it goes on without names. */
    heard({ code }: DatabaseError): void {
      if (NAMES_LOST.test(code)) isUsed = false;
    },
  };
}

async function prepare(fresh: pg.Client, settings: string, watcher: Watcher | undefined): Promise<void> {
  try {
    await fresh.query(SESSION + settings);
    await watcher?.begun(async (text, values = []) => (await fresh.query<Row>(text, [...values])).rows);
  } catch (error) {
    void fresh.end().catch(() => undefined);
    throw error;
  }
}

/** Each begins once the one before has ended. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn<T>(this: void, work: () => Promise<T>): Promise<T> {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
    idle: async (): Promise<void> => void (await last),
  };
}

interface Asking {
  readonly ask: Query;
  readonly current: () => pg.Client | undefined;
  readonly drop: () => void;
}

interface Work<T> {
  readonly work: (query: Query, rows: readonly Row[]) => Promise<T>;
  readonly first: string;
}

/** Never goes on in another connection: what it has asked before would be missing there. */
async function within<T>({ work, first }: Work<T>, { ask, current, drop }: Asking): Promise<T> {
  const rows = await ask(`begin; ${first}`).catch(async (error: unknown) => {
    if (current()) await ask('rollback').catch(drop);
    throw error;
  });
  const own = current();
  const same: Query = (text, values) =>
    current() === own
      ? ask(text, values)
      : Promise.reject(new DatabaseError('LOST', 'the connection has ended'));
  try {
    const value = await work(same, rows);
    await same('commit');
    return value;
  } catch (error) {
    if (current() === own) await ask('rollback').catch(drop);
    throw error;
  }
}

/** A text of several statements has several answers, which the types of the library do not say. */
function rowsOf(answer: pg.QueryResult<Row> | readonly pg.QueryResult<Row>[]): readonly Row[] {
  return 'rows' in answer ? answer.rows : answer.flatMap(({ rows }) => rows);
}

/** The library is loaded only here. */
async function connect(
  { host, port, user, database, password, tls }: Login,
  queryMs: number,
): Promise<pg.Client> {
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
    query_timeout: queryMs,
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
