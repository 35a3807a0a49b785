/** Whether the last run has written another server or another database: after that, the newest records may be missing. */
import type { Connection } from './connection.ts';

export const SERVER = `
-- A copy of a server has its identifier, and a new timeline once it was promoted or brought back to an earlier moment.
create function campaign.server(out server text, out database oid, out timeline bigint) language plpgsql as $$
begin
  select d.oid into database from pg_catalog.pg_database d where d.datname = pg_catalog.current_database();
  begin
    select system_identifier::text into server from pg_catalog.pg_control_system();
  exception when others then null;
  end;
  begin
    timeline := ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::bigint;
  exception when others then null;
  end;
end $$;
`;

/** Holds of the state, and what a worker adds to it, tell nobody. */
const RUNS = `
  select r.server, p.server as last_server, r.database, p.database as last_database,
    r.timeline, p.timeline as last_timeline
  from campaign.run r join lateral (
    select * from campaign.run o
    where o.campaign = r.campaign and o.id < r.id and o.run <> '' and o.command <> 'campaign worker' order by o.id desc limit 1
  ) p on true
  where r.id = $1`;

export async function serverWarnings(
  { query }: Connection,
  { run, name }: { readonly run: number; readonly name: string },
): Promise<readonly string[]> {
  const [row] = await query(RUNS, [run]);
  if (!row) return [];
  const { server, last_server: lastServer, database, last_database: lastDatabase } = row;
  const { timeline, last_timeline: lastTimeline } = row;
  if (differs(server, lastServer)) return [warning(name, 'is on another server')];
  if (differs(database, lastDatabase)) return [warning(name, 'was made anew on its server')];
  if (!differs(timeline, lastTimeline)) return [];
  const how = `is on timeline ${String(timeline)} of its server, and was on ${String(lastTimeline)}: a standby was promoted, or the server was brought back to an earlier moment`;
  return [warning(name, how)];
}

/** What a role may not ask is null. */
function differs(one: unknown, last: unknown): boolean {
  return one !== null && last !== null && one !== last;
}

function warning(name: string, how: string): string {
  return (
    `Since the last run, ${name} ${how}. Its log has all that is known here. If records may be missing that only another ` +
    'machine has seen, apply there first: it would notice.'
  );
}
