/**
 * The tables of a database with states, in a schema of their own. Each step is carried out once, in a transaction, in this
 * order; a step that was released is never changed. docs/scale.md says what the tables are for.
 */

/** Of the advisory locks: the holder of a run has one with the run's number, who migrates the one with 0. */
export const LOCKS = 1_667_329_393;

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
  ended_how text
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
  insert into campaign.run (campaign, run, command, host, pid)
    values (of_campaign, of_run, of_command, of_host, of_pid) returning run.id into id;
  perform pg_advisory_lock(${LOCKS}, id::int);
end $$;

create function campaign.holder(of_campaign bigint, lease interval) returns text language sql as $$
  select format('\`%s\`, process %s on %s since %s', r.command, r.pid, r.host,
    to_char(r.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from campaign.run r where r.campaign = of_campaign and r.ended_at is null and campaign.lives(r, lease)
$$;

-- Adds lines to a log, all or none, if the run is still open and the log ends where it is thought to. It may be asked
-- again after the answer was lost: what is there already is not added twice.
create function campaign.append(of_campaign bigint, by_run bigint, after bigint, lines text[]) returns text
language plpgsql as $$
declare
  head bigint;
  last bigint := after + cardinality(lines);
begin
  select c.head_seq into head from campaign.campaign c where c.id = of_campaign for update;
  if head >= last then
    perform from campaign.event e
      where e.campaign = of_campaign and e.seq = last and e.line = lines[cardinality(lines)];
    if found then
      return 'written';
    end if;
  end if;
  perform from campaign.run r where r.id = by_run and r.ended_at is null;
  if not found then
    return 'lost';
  end if;
  if head <> after then
    return 'apart';
  end if;
  insert into campaign.event (campaign, seq, line)
    select of_campaign, after + u.n, u.line from unnest(lines) with ordinality u (line, n);
  update campaign.campaign c set head_seq = last where c.id = of_campaign;
  update campaign.run r set beat = clock_timestamp() where r.id = by_run;
  -- What a state belongs to is looked for in these columns, and read from the log.
  update campaign.campaign c
    set name = b.event ->> 'campaign', environment = b.event ->> 'environment', base_url = b.event ->> 'base_url'
    from (
      select u.line::json -> 'event' as event from unnest(lines) with ordinality u (line, n)
      where u.line like '%"type":"rebound"%' and u.line::json -> 'event' ->> 'type' = 'rebound' order by n desc limit 1
    ) b
    where c.id = of_campaign;
  perform pg_notify('campaign', of_campaign::text);
  return 'written';
end $$;
`;

/** A database of version n has had the first n. */
export const MIGRATIONS: readonly string[] = [STATES];
