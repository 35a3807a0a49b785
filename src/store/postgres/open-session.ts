/**
 * A session at the server that takes records: the hosts are tried in turn, with the password that is known at that moment,
 * and the session gets the settings that the statements of campaign rely on.
 */
import type pg from 'pg';
import { DatabaseError, databaseError } from './database-error.ts';
import type { Database, Host, Login } from './database-url.ts';
import type { Tls } from './database-tls.ts';

export interface Session {
  readonly client: pg.Client;
  /** What it has logged in with: it is left out of what is said. */
  readonly password: string | undefined;
  /**
   * Empty where it is the server's own. Behind a pooler each transaction may meet another session of the server: then it
   * sets this for itself.
   */
  readonly ofEach: string;
}

interface Manner {
  readonly queryMs: number;
  /** Settings besides. */
  readonly settings: readonly string[];
}

/**
 * A server that compiles plans (Debian's does, by default) takes five times as long for what campaign asks, and has no use
 * of it. A role or a database may have a limit for a statement, which some of these exceed. Statements of the queue quote
 * strings as the standard says. A machine that stops in the middle of a transaction must not keep its locks.
 */
const SETTINGS = [
  'jit = off',
  'statement_timeout = 0',
  'standard_conforming_strings = on',
  `idle_in_transaction_session_timeout = '5s'`,
  `lock_timeout = '10s'`,
];
/** What is acknowledged must be on disk; a server that waits for its standbys besides goes on doing so. */
const DURABLE = 'synchronous_commit = on';
/**
 * A transaction has to see what was committed while it waited for a lock. A session has it for all of its transactions; behind a
 * pooler each sets it for itself, before it asks anything.
 */
const COMMITTED_IS_SEEN = `transaction_isolation = 'read committed'`;
/** Nor must one keep its locks that is cut off, or reads nothing any more, while the server sends it an answer. */
const OF_THE_SOCKET = [
  `tcp_user_timeout = '15s'`,
  `tcp_keepalives_idle = '10s'`,
  `tcp_keepalives_interval = '5s'`,
];

const FACTS = `set local jit = off; select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only') = 'on' as is_read_only,
  current_setting('synchronous_commit') in ('off', 'local') as loses,
  array(
    select name::text from pg_settings where name in ('idle_session_timeout', 'transaction_timeout') and setting <> '0'
  ) as limits`;

/** Tries each host once; fails with what all of them say. */
export async function openSession({ login, reached }: Database, manner: Manner): Promise<Session> {
  const refused: DatabaseError[] = [];
  const said = new Set<string>();
  const isKnown = reached.host !== undefined;
  for (const host of inTurn(login.hosts, reached.host)) {
    for (const tls of host.ways) {
      try {
        const session = await openAt({ login, host, tls, isKnown }, manner);
        Object.assign(reached, { host, isEncrypted: tls !== false });
        return session;
      } catch (error) {
        const known = error instanceof DatabaseError ? error : databaseError(error, undefined);
        refused.push(known);
        said.add(login.hosts.length > 1 ? `${host.name} says: ${known.message}` : known.message);
      }
    }
  }
  // As long as one of them may come back, that is waited for; before the first log-in, what has to be corrected is said.
  const [first] = refused;
  const worst = refused.find(({ isPassing }) => isPassing === isKnown) ?? first;
  throw new DatabaseError(worst?.code ?? 'LOST', [...said].join('; '), { isKnown });
}

/** The one that took the last session is the first: after a failover, nobody waits for the old one each time. */
function inTurn(hosts: readonly Host[], last: Host | undefined): readonly Host[] {
  return last ? [last, ...hosts.filter((host) => host !== last)] : hosts;
}

interface Way {
  readonly login: Login;
  readonly host: Host;
  readonly tls: Tls | false;
  /** Whether this command has logged in before. */
  readonly isKnown: boolean;
}

async function openAt({ login, host, tls, isKnown }: Way, manner: Manner): Promise<Session> {
  const { password, from } = login.passwordFor(host);
  let client: pg.Client | undefined;
  try {
    client = await connect({ login, host, tls, isKnown }, password, manner);
    return { client, password, ofEach: await prepare(client, login, manner) };
  } catch (error) {
    void client?.end().catch(() => undefined);
    const { code, message } = error instanceof DatabaseError ? error : databaseError(error, password);
    const source = code.startsWith('28') ? ` (${from})` : '';
    throw new DatabaseError(code, `${message}${source}`, { isKnown });
  }
}

/** The library is loaded only here. */
async function connect(
  { login, host, tls }: Way,
  password: string | undefined,
  { queryMs }: Manner,
): Promise<pg.Client> {
  const { user, database, applicationName, options, connectMs } = login;
  const { default: library } = await import('pg');
  const client = new library.Client({
    host: host.address.replace(/^\[(.*)\]$/, '$1'),
    port: host.port,
    user,
    database,
    // Without a function, the library would look for one in other places.
    password: () => password ?? '',
    ssl: tls && tls.read(),
    application_name: applicationName,
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: connectMs,
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

/** Gives what each transaction has to set for itself. */
async function prepare(client: pg.Client, login: Login, { settings }: Manner): Promise<string> {
  // The types of the library leave it out: a text of several statements has several answers.
  const answers = (await client.query(FACTS)) as unknown as readonly pg.QueryResult<
    Record<string, unknown>
  >[];
  const {
    pid,
    is_standby: isStandby,
    is_read_only: isReadOnly,
    loses,
    limits,
  } = answers.at(-1)?.rows[0] ?? {};
  if (login.attributes !== 'any' && isStandby === true)
    throw new DatabaseError('25006', 'it is a standby, which takes no records');
  if (login.attributes === 'read-write' && isReadOnly === true)
    throw new DatabaseError('25006', 'its sessions are read-only');
  // Not every version of Postgres knows these: a session that waits idle holds the lock of its run.
  const unlimited = (limits as readonly string[]).map((limit) => `${limit} = 0`);
  const all = [...SETTINGS, ...unlimited, ...settings, ...(loses === true ? [DURABLE] : [])];
  // The types of the library leave it out: the process that the other end has named.
  const named = (client as unknown as { readonly processID: number }).processID;
  if (named !== pid) return [COMMITTED_IS_SEEN, ...all].map((setting) => `set local ${setting}; `).join('');
  const ofSession = [`default_${COMMITTED_IS_SEEN}`, ...all, ...OF_THE_SOCKET];
  await client.query(ofSession.map((setting) => `set ${setting}`).join('; '));
  return '';
}
