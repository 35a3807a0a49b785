/**
 * The tables of a database with states, in a schema of their own. Each step is carried out once, in a transaction, in this
 * order; a step that was released is never changed. docs/scale.md says what the tables are for.
 */
import { ACCOUNTS } from './account-tables.ts';
import { APPEND } from './append-lines.ts';
import { TAKEN_KINDS } from './kinds-taken.ts';
import { LARGE_RUNS } from './large-runs.ts';
import { POSTS_IN_FLIGHT } from './posts-in-flight.ts';
import { SHARED_HOLDER } from './shared-holder.ts';
import { SERVER } from './server-changed.ts';
import { SPENT_ALONE } from './spent-alone.ts';
import { LOCKS, QUEUE_SCHEMA, SLOT_LOCKS } from './locks.ts';

const STATES = `
create table campaign.campaign (
  id bigint generated always as identity primary key,
  name text not null,
  environment text not null,
  base_url text not null,
  -- Absent until its first record; the header is the first line of the log, as it would be in a file.
  lineage text unique,
  header text,
  head_seq bigint not null default 0,
  -- Where the log is now: nothing more is written here.
  moved_to text,
  check ((lineage is null) = (header is null))
);
create unique index campaign_to_begin on campaign.campaign (name, environment, base_url) where lineage is null;

-- One line of a log, with number and checksum, as it would be in a file. Nothing is ever changed or removed.
create table campaign.event (
  campaign bigint not null references campaign.campaign,
  seq bigint not null,
  line text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (campaign, seq)
);

-- One process that writes a log, from its start to its end.
create table campaign.run (
  id bigint generated always as identity primary key,
  campaign bigint not null references campaign.campaign,
  run text not null,
  command text not null,
  host text not null,
  pid int not null,
  since timestamptz not null default clock_timestamp(),
  -- When it was last heard of.
  beat timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_how text,
  -- Which server and which database it has written, as far as its role may ask.
  server text,
  database oid,
  timeline bigint
);
create unique index one_open_run on campaign.run (campaign) where ended_at is null;

-- Whether the process of an open run is there. Its connection holds a lock, so that its end shows at once; one that was
-- silent for the length of a lease is frozen or cut off. After a restart of the server it has that long to come back.
create function campaign.lives(one campaign.run, lease interval) returns boolean language sql as $$
  select case
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

${SERVER}
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

create function campaign.holder(of_campaign bigint, lease interval) returns text language sql as $$
  select format('\`%s\`, process %s on %s since %s', r.command, r.pid, r.host,
    to_char(r.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from campaign.run r where r.campaign = of_campaign and r.ended_at is null and campaign.lives(r, lease)
$$;

${APPEND}`;

const SHARED_RUNS = `
-- A run that several processes carry out together has what they need to know of it here, and no process of its own.
alter table campaign.run add column shared json, add column account text, add column stop text[] not null default '{}',
  -- Posts that were requested and are not finished, and how many of them there may be.
  add column generating int not null default 0, add column media_in_flight int, add column at_once int;
create index shared_run on campaign.run (id) where shared is not null and ended_at is null;

-- The nodes of a shared run, as they were planned, and how each has ended. Their jobs are in the queue.
create table campaign.node (
  run bigint not null references campaign.run,
  address text not null,
  place int not null,
  kind text not null,
  depends_on text[] not null,
  planned json not null,
  -- A create that was begun and has no end yet: nobody begins another one.
  has_intent boolean not null default false,
  ended text,
  primary key (run, address)
);
create index open_node on campaign.node (run) where ended is null;

-- What the processes of a shared run have told about it, for those who watch it. It is removed with the run's queue.
create table campaign.told (
  run bigint not null references campaign.run,
  n bigint not null,
  event json not null,
  -- Who told it, and how many before: so nothing is told twice.
  by uuid not null,
  part int not null,
  primary key (run, n),
  unique (run, by, part)
);

-- A process that takes part in runs, and in which.
create table campaign.worker (
  id uuid primary key,
  host text not null,
  pid int not null,
  runs int[] not null,
  since timestamptz not null default clock_timestamp(),
  beat timestamptz not null default clock_timestamp()
);

-- How many nodes each process of a shared run may have under way.
create table campaign.part (
  run bigint not null references campaign.run,
  by uuid not null,
  account text not null,
  slots int not null,
  beat timestamptz not null,
  primary key (run, by)
);

-- The slots of one process. All that the account allows are divided evenly; what others still hold is not given out, and
-- what is in use is not taken away. Those of a process that is silent go to others after its jobs do.
create function campaign.take_slots(
  of_run bigint, whose uuid, wanted int, busy int, out slots int, out total int
) language plpgsql as $$
declare
  of_account text;
  others int;
  processes int;
begin
  select r.account into of_account from campaign.run r where r.id = of_run;
  perform pg_advisory_xact_lock(${SLOT_LOCKS}, hashtext(of_account));
  select min(r.at_once) into total from campaign.run r
    where r.account = of_account and r.shared is not null and r.ended_at is null;
  delete from campaign.part p where p.beat < clock_timestamp() - interval '15 seconds';
  select coalesce(sum(p.slots), 0), count(*) + 1 into others, processes from campaign.part p
    where p.account = of_account and not (p.run = of_run and p.by = whose);
  slots := greatest(busy, least(wanted, ceil(total::numeric / processes)::int, total - others));
  insert into campaign.part as p (run, by, account, slots, beat)
    values (of_run, whose, of_account, take_slots.slots, clock_timestamp())
    on conflict (run, by) do update set slots = excluded.slots, beat = excluded.beat;
end $$;

create or replace function campaign.lives(one campaign.run, lease interval) returns boolean language sql as $$
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

-- The addresses of those creates that may be begun: the job is still that of who asks, and no other create was begun.
create function campaign.begin_creates(
  of_run bigint, queue text, addresses text[], jobs uuid[], retries int[]
) returns setof text language sql as $$
  update campaign.node n set has_intent = true
    from unnest(addresses, jobs, retries) u (address, job, retry)
    join ${QUEUE_SCHEMA}.job j on j.name = queue and j.id = u.job and j.state = 'active' and j.retry_count = u.retry
    where n.run = of_run and n.address = u.address and n.ended is null and not n.has_intent
    returning n.address
$$;
`;

/** A database of version n has had the first n. From the second one on they need the queue's own tables. */
export const MIGRATIONS: readonly string[] = [
  STATES,
  SHARED_RUNS,
  TAKEN_KINDS + LARGE_RUNS + ACCOUNTS + POSTS_IN_FLIGHT + SPENT_ALONE + SHARED_HOLDER,
];
