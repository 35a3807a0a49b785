/** A state in a Postgres database: a log in rows, and a file beside the manifest that says so (pointer.ts). */
import type { FatalProblem } from '../../model/problem.ts';
import { ok, type Result } from '../../util/result.ts';
import { unlessRefused } from '../file/state-problem.ts';
import type { Witnesses } from '../file/witnesses.ts';
import { statePaths } from '../file/work-folder.ts';
import type { StateIdentity, Store } from '../store.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';
import { findLog, rowToBegin } from './find-log.ts';
import { LOCKS } from './migrations.ts';
import { beginRun, holderOf, LEASE_MS } from './run-lock.ts';
import { prepareSchema, schemaVersion } from './schema.ts';

interface PostgresStore {
  readonly database: Database;
  /** Beside the manifest. */
  readonly file: string;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
  /** How long a run may be silent before another one takes over. */
  readonly leaseMs?: number;
}

export function createPostgresStore({
  database,
  file,
  identity,
  witnesses,
  leaseMs = LEASE_MS,
}: PostgresStore): Store {
  const { name } = database;
  const place = { name, paths: statePaths(file), identity, target: witnesses.target };

  /** `keep`: whether the connection stays open for what came of the work. */
  async function connected<T>(
    refusedAs: 'unwritable' | 'unreadable',
    work: (connection: Connection) => Promise<Result<T, FatalProblem>>,
    keep: 'keep' | 'close' = 'close',
  ): Promise<Result<T, FatalProblem>> {
    const connection = createConnection(database);
    let end: Result<T, FatalProblem> | undefined;
    try {
      end = await unlessDatabaseRefused(database, () =>
        unlessRefused(refusedAs, file, () => work(connection)),
      );
      return end;
    } finally {
      if (keep === 'close' || !end?.ok) await connection.close();
    }
  }

  /** The row whose runs are those of this state. */
  async function rowOf(connection: Connection): Promise<number> {
    const found = await findLog(connection, place, 'any');
    return (found.ok ? found.value?.id : undefined) ?? rowToBegin(connection, identity);
  }

  return {
    name,
    read: (visit) =>
      connected('unreadable', async (connection) => {
        const { openToRead } = await import('./open-to-read.ts');
        return openToRead(connection, place, { witnesses, visit });
      }),
    write: (run) =>
      connected(
        'unwritable',
        async (connection) => {
          const { openToWrite } = await import('./open-to-write.ts');
          return openToWrite(connection, place, { ...run, witnesses, leaseMs });
        },
        'keep',
      ),
    hold: (locking) =>
      connected(
        'unwritable',
        async (connection) => {
          const prepared = await prepareSchema(connection, place);
          if (!prepared.ok) return prepared;
          const campaign = await rowOf(connection);
          return beginRun(connection, { ...locking, name, campaign, runId: '', leaseMs });
        },
        'keep',
      ),
    async holder() {
      const found = await connected('unreadable', async (connection) => {
        if ((await schemaVersion(connection)) === 0) return ok(undefined);
        const [row] = await connection.query(HOLDERS, [
          identity.campaign,
          identity.environment,
          identity.baseUrl,
        ]);
        const own = await findLog(connection, place, 'own');
        const campaign = own.ok && own.value ? own.value.id : row?.['id'];
        return ok(
          campaign === undefined ? undefined : await holderOf(connection, Number(campaign), leaseMs),
        );
      });
      return found.ok ? found.value : undefined;
    },
    excludesOthers: () => excludesOthers(database),
  };
}

/** The row that a campaign without a log has while its first run begins. */
const HOLDERS = `select id::float8 as id from campaign.campaign
  where name = $1 and environment = $2 and base_url = $3 and lineage is null`;

/** Whether the database keeps a second connection out; rejects where it cannot be asked. */
async function excludesOthers(database: Database): Promise<boolean> {
  const [first, second] = [createConnection(database), createConnection(database)];
  try {
    const values = [LOCKS, -process.pid];
    const [taken] = await first.query('select pg_try_advisory_lock($1::int, $2::int) as taken', values);
    const [again] = await second.query('select pg_try_advisory_lock($1::int, $2::int) as taken', values);
    return taken?.['taken'] === true && again?.['taken'] === false;
  } finally {
    await first.close();
    await second.close();
  }
}
