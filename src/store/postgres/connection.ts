/**
 * One connection to a database, made when it is first needed, and made anew after it was lost. Queries run one after the
 * other.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DatabaseError, databaseError, NAMES_LOST } from './database-error.ts';
import type { Database } from './database-url.ts';
import { openSession, type Session } from './open-session.ts';

type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export type Connection = ReturnType<typeof createConnection>;

/** No query takes so long: one that does has lost its connection without noticing. */
const QUERY_MS = 30_000;

interface Watcher {
  /** Called with each new connection, before anything else is asked. */
  readonly begun: (query: Query) => Promise<void>;
  /** Called when a connection has ended by itself. */
  readonly lost: () => void;
}

interface Manner {
  readonly queryMs?: number;
  /** Settings of the session besides, such as `work_mem = '8MB'`. */
  readonly settings?: readonly string[];
  /** Whether the same is asked again and again: then the server plans it once, and not each time. */
  readonly isRepeating?: boolean;
}

export function createConnection(
  database: Database,
  { queryMs = QUERY_MS, settings = [], isRepeating = false }: Manner = {},
) {
  const names = createNames(isRepeating);
  const held = holdSession(database, { queryMs, settings });
  const { inTurn, idle } = createTurns();

  async function ask(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { client, password, ofEach } = await held.session();
    try {
      // A pooler may not know in the next session what this one has planned.
      const query = ofEach === '' ? names.named(text, values) : { text, values: [...values] };
      return rowsOf(await client.query<Row>(query));
    } catch (error) {
      const known = databaseError(error, password);
      names.heard(known);
      if (known.isLost) held.drop();
      throw known;
    }
  }

  /** What is asked in a transaction has the settings; what is asked alone gets them here. */
  async function askAlone(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { ofEach } = await held.session();
    if (ofEach === '') return ask(text, values);
    if (values.length === 0) return ask(ofEach + text);
    return within({ work: (query) => query(text, values), first: ofEach }, asking);
  }

  const asking: Asking = { ask, current: held.current, drop: held.drop };
  const query: Query = (text, values) => inTurn(() => askAlone(text, values));

  return {
    query,
    /**
     * All of it or nothing; nothing else is asked meanwhile. What `first` asks, without parameters, goes with the begin in
     * one message: its rows are given to `work`.
     */
    transaction: <T>(work: (query: Query, rows: readonly Row[]) => Promise<T>, first = ''): Promise<T> =>
      inTurn(async () => {
        const { ofEach } = await held.session();
        return within({ work, first: ofEach + first }, asking);
      }),
    watch: held.watch,
    async close(): Promise<void> {
      await idle();
      await held.end();
    },
  };
}

/** The session of a connection, made anew when it is needed and the one before is gone. */
function holdSession(database: Database, manner: Parameters<typeof openSession>[1]) {
  let session: Session | undefined;
  let watcher: Watcher | undefined;

  async function begin(): Promise<Session> {
    const fresh = await openSession(database, manner);
    const { client, password } = fresh;
    try {
      await watcher?.begun(async (text, values = []) => (await client.query<Row>(text, [...values])).rows);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw databaseError(error, password);
    }
    client.once('end', () => {
      if (session !== fresh) return;
      session = undefined;
      watcher?.lost();
    });
    return fresh;
  }

  async function end(): Promise<void> {
    const gone = session?.client;
    session = undefined;
    await gone?.end().catch(() => undefined);
  }

  return {
    session: async (): Promise<Session> => (session ??= await begin()),
    current: () => session,
    /** Its end needs the server; without one, it ends with the socket. */
    drop: () => void end(),
    end,
    watch(this: void, by: Watcher): void {
      watcher = by;
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
  readonly current: () => Session | undefined;
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
