/** Asks a database what it is, and how safe what it acknowledges is; changes nothing. */
import type { DatabaseFacts } from '../database-facts.ts';
import type { Clock } from '../../util/clock.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { ok, type Result } from '../../util/result.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';
import { QUEUE_SCHEMA } from './locks.ts';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';

export async function examineDatabase(
  database: Database,
  { now }: Pick<Clock, 'now'>,
): Promise<Result<DatabaseFacts, FatalProblem>> {
  const [first, second] = [createConnection(database), createConnection(database)];
  try {
    return await unlessDatabaseRefused(database, async () => {
      const [before] = await first.query(SESSION);
      const [other] = await second.query(SESSION);
      const aheadMs = await clockDifference(first, now);
      const [server = {}] = await first.query(SERVER);
      const version = await schemaVersion(first);
      const [role = {}] = version === 0 ? [] : await first.query(RIGHTS);
      const [after] = await first.query(SESSION);
      const sessions = [before, other, after].map((row) => Number(row?.['pid']));
      return ok({
        server: String(server['server']),
        version,
        needed: SCHEMA_VERSION,
        connection: database.reached.isEncrypted
          ? 'encrypted'
          : server['is_local'] === true
            ? 'local'
            : 'plain',
        role: {
          name: String(server['role']),
          canMigrate: server['can_migrate'] === true,
          canRead: role['can_read'] === true,
          canWrite: role['can_write'] === true,
          canChangeEvents: role['can_change'] === true,
          lacks: (role['lacks'] as string[] | undefined) ?? [],
        },
        isStandby: server['is_standby'] === true,
        unsafe: server['unsafe'] as string[],
        lateCopies: server['late_copies'] === null ? undefined : Number(server['late_copies']),
        isPooled: sessions[0] === sessions[1] || sessions[0] !== sessions[2],
        freeConnections: Number(server['free']),
        aheadMs,
      });
    });
  } finally {
    await first.close();
    await second.close();
  }
}

/** Who is asked. */
const SESSION = 'select pg_backend_pid() as pid';

const SERVER = `
  select current_setting('server_version') as server, current_user as role, pg_is_in_recovery() as is_standby,
    inet_server_addr() is null or inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1' as is_local,
    (select bool_and(case when s.oid is null then has_database_privilege(current_database(), 'create')
        else pg_has_role(s.nspowner, 'usage') and not exists (
          select from pg_class c where c.relnamespace = s.oid and not pg_has_role(c.relowner, 'usage')
        ) end)
      from unnest(array['campaign', '${QUEUE_SCHEMA}']) w (name) left join pg_namespace s on s.nspname = w.name) as can_migrate,
    array(
      select name || ' = ' || setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name
    ) as unsafe,
    case when pg_has_role(current_user, 'pg_monitor', 'usage')
      then (select count(*)::int from pg_stat_replication where sync_state = 'async') end as late_copies,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - (select count(*)::int from pg_stat_activity where backend_type = 'client backend'),
      (select case when datconnlimit < 0 then 1000000 else datconnlimit end
          - (select count(*)::int from pg_stat_activity a where a.datname = d.datname)
        from pg_database d where d.datname = current_database()),
      (select case when rolconnlimit < 0 then 1000000 else rolconnlimit end
          - (select count(*)::int from pg_stat_activity a where a.usename = r.rolname)
        from pg_roles r where r.rolname = current_user)
    ) as free`;

const RIGHTS = `
  select has_table_privilege('campaign.event', 'select') as can_read,
    has_table_privilege('campaign.event', 'insert') and has_table_privilege('campaign.run', 'insert')
      and has_table_privilege('campaign.run', 'update') as can_write,
    has_table_privilege('campaign.event', 'update') or has_table_privilege('campaign.event', 'delete')
      or has_table_privilege('campaign.event', 'truncate') as can_change,
    array(
      select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and (
        n.nspname = '${QUEUE_SCHEMA}' and not (
          has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
          and has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')
        )
        or n.nspname = 'campaign' and c.relname <> 'schema_version' and not (
          has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and (c.relname in ('event', 'told') or has_table_privilege(c.oid, 'update'))
          and (c.relname in ('campaign', 'event', 'run', 'account') or has_table_privilege(c.oid, 'delete'))
        )
      ) order by 1
    ) as lacks`;

/** As if its answer had been given in the middle of the time that it took. */
async function clockDifference({ query }: Connection, now: () => number): Promise<number> {
  const before = now();
  const [row] = await query('select extract(epoch from clock_timestamp())::float8 * 1000 as at');
  return (before + now()) / 2 - Number(row?.['at']);
}
