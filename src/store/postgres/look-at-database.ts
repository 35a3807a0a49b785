/** What is asked of a database besides the log: who writes it, whether it has changed, whether its locks hold. */
import type { FatalProblem } from '../../model/problem.ts';
import { ok, type Result } from '../../util/result.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';
import { findLog } from './find-log.ts';
import { LOCKS } from './locks.ts';
import type { Place } from './place.ts';
import { holderOf } from './run-lock.ts';
import { migrate, schemaVersion } from './schema.ts';

/** The row that a campaign without a log has while its first run begins. */
const TO_BEGIN = `select id::float8 as id from campaign.campaign
  where name = $1 and environment = $2 and base_url = $3 and lineage is null`;

/** Who is writing it now, in words; undefined where nobody is. */
export async function findHolder(
  connection: Connection,
  place: Place,
  leaseMs: number,
): Promise<string | undefined> {
  if ((await schemaVersion(connection)) === 0) return undefined;
  const { campaign, environment, baseUrl } = place.identity;
  const own = await findLog(connection, place, 'own');
  if (own.ok && own.value) return holderOf(connection, own.value.id, leaseMs);
  const [row] = await connection.query(TO_BEGIN, [campaign, environment, baseUrl]);
  return row && holderOf(connection, Number(row['id']), leaseMs);
}

/** The number of the campaign's open run, if several processes carry it out. */
export async function findSharedRun(
  connection: Connection,
  place: Place,
): Promise<Result<number | undefined, FatalProblem>> {
  if ((await schemaVersion(connection)) === 0) return ok(undefined);
  const own = await findLog(connection, place, 'own');
  if (!own.ok) return own;
  const [row] = await connection.query(
    'select id::int from campaign.run where campaign = $1 and shared is not null and ended_at is null',
    [own.value?.id ?? null],
  );
  return ok(row && Number(row['id']));
}

export async function versionOf(connection: Connection, place: Place): Promise<string | undefined> {
  if ((await schemaVersion(connection)) === 0) return undefined;
  const own = await findLog(connection, place, 'own');
  return own.ok && own.value ? `${own.value.lineage}:${own.value.head}` : undefined;
}

/** Whether the database keeps a second connection out; rejects where it cannot be asked. */
export async function excludesOthers(database: Database): Promise<boolean> {
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

/** Makes the tables where there are none. */
export async function migrateDatabase(
  database: Database,
): Promise<Result<{ readonly before: number; readonly now: number }, FatalProblem>> {
  const connection = createConnection(database);
  try {
    return await unlessDatabaseRefused(database, () => migrate(connection, database));
  } finally {
    await connection.close();
  }
}
