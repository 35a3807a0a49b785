import { LOCKS } from './locks.ts';

/** Who has a run, and whether that process is there. */
export const RUNS = `
-- Whether the process of an open run is there. Its connection holds a lock, so that its end shows at once; one that was
-- silent for the length of a lease is frozen or cut off. After a restart of the server it has that long to come back.
create function campaign.lives(one campaign.run, lease interval) returns boolean language sql as $$
  select case
    when one.shared is not null then true
    when exists (
      select from pg_catalog.pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 2
        and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
        and l.classid::bigint = ${LOCKS} and l.objid::bigint = one.id)
      then one.beat > clock_timestamp() - lease
    when pg_catalog.pg_postmaster_start_time() > one.beat
      then clock_timestamp() < pg_catalog.pg_postmaster_start_time() + lease
    else false
  end
$$;

-- Begins a run, unless another one is open and lives: then it says which. What is left of a dead one is ended.
create function campaign.begin_run(
  of_campaign bigint, of_run text, of_command text, of_host text, of_pid int, lease interval,
  out id bigint, out held_by text
) language plpgsql as $$
declare
  one campaign.run;
begin
  perform from campaign.campaign c where c.id = of_campaign for update;
  select * into one from campaign.run r where r.campaign = of_campaign and r.ended_at is null;
  if found then
    if campaign.lives(one, lease) then
      held_by := campaign.holder(of_campaign, lease);
      return;
    end if;
    update campaign.run r set ended_at = clock_timestamp(), ended_how = 'lost' where r.id = one.id;
  end if;
  insert into campaign.run (campaign, run, command, host, pid, server, database, timeline)
    select of_campaign, of_run, of_command, of_host, of_pid, s.server, s.database, s.timeline from campaign.server() s
    returning run.id into id;
  perform pg_advisory_lock(${LOCKS}, id::int);
end $$;

-- Who carries out a shared run changes all the time: only who has begun it is known.
create function campaign.holder(of_campaign bigint, lease interval) returns text language sql as $$
  select format(
    case when r.shared is null then '\`%s\`, process %s on %s since %s'
      else 'a run of several processes, which \`%s\` (process %s on %s) began at %s' end,
    r.command, r.pid, r.host, to_char(r.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from campaign.run r where r.campaign = of_campaign and r.ended_at is null and campaign.lives(r, lease)
$$;
`;
