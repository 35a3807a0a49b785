import { SLOT_LOCKS } from './locks.ts';

/** What the shared runs of an account take from it. */
export const ACCOUNTS = `
create function campaign.fellows(of_run bigint) returns setof campaign.run language sql stable as $$
  select o.* from campaign.run r join campaign.run o on o.account = r.account
  where r.id = of_run and o.shared is not null and o.ended_at is null
$$;

-- Those of them that go on: where all processes are gone, what was begun is waited for by nobody.
create function campaign.live_fellows(of_run bigint) returns setof campaign.run language sql stable as $$
  select f.* from campaign.fellows(of_run) f where f.id = of_run or exists (
    select from campaign.part p where p.run = f.id and p.beat > clock_timestamp() - interval '15 seconds'
  )
$$;

-- The slots of one process, and what it has to know of its account. All that the account allows are divided
-- evenly among its runs, and those of a run among its processes; what others still hold is not given out, and what is in
-- use is not taken away.
create function campaign.take_slots(
  of_run bigint, whose uuid, wanted int, busy int,
  out slots int, out per_second float8, out ambiguous int, out trial_ms float8, out held jsonb
) language plpgsql as $$
declare
  of_account text;
  total int;
  of_this int;
  others int;
  others_here int;
  processes int;
  right_now timestamptz := clock_timestamp();
begin
  select r.account into of_account from campaign.run r where r.id = of_run;
  perform pg_advisory_xact_lock(${SLOT_LOCKS}, hashtext(of_account));
  select min(f.at_once), min(f.per_second) into total, take_slots.per_second from campaign.fellows(of_run) f;
  -- While the server was away, nobody could be heard of.
  delete from campaign.part p
    where greatest(p.beat, pg_postmaster_start_time()) < right_now - interval '15 seconds';
  select coalesce(sum(p.slots), 0), coalesce(sum(p.slots) filter (where p.run = of_run), 0),
      count(*) filter (where p.run = of_run) + 1, ceil(total::numeric / (count(distinct p.run) filter (where p.run <> of_run) + 1))
    into others, others_here, processes, of_this from campaign.part p
    where p.account = of_account and not (p.run = of_run and p.by = whose);
  slots := greatest(
    busy, least(wanted, ceil(of_this::numeric / processes)::int, of_this - others_here, total - others)
  );
  insert into campaign.part as p (run, by, account, slots, beat)
    values (of_run, whose, of_account, take_slots.slots, clock_timestamp())
    on conflict (run, by) do update set slots = excluded.slots, beat = excluded.beat;
  select a.ambiguous, extract(epoch from greatest(a.trial_at, right_now) - right_now) * 1000,
      (select coalesce(jsonb_agg(h || jsonb_build_object('ms', (h ->> 'until')::float8 - extract(epoch from right_now) * 1000)), '[]')
        from jsonb_array_elements(a.held) h where (h ->> 'until')::float8 > extract(epoch from right_now) * 1000)
    into take_slots.ambiguous, take_slots.trial_ms, take_slots.held
    from campaign.account a where a.id = of_account;
end $$;

-- When so many requests, or a quarter of a second of them, may leave, in milliseconds from now: an even distance apart, or
-- all at once where no run of the account limits the rate. A clock that was turned back makes nobody wait for long.
create function campaign.take_times(of_run bigint, most int) returns setof float8 language plpgsql as $$
declare
  of_account text;
  rate float8;
  gap interval;
  n int;
  right_now timestamptz;
  first timestamptz;
begin
  select r.account into of_account from campaign.run r where r.id = of_run;
  select min(f.per_second) into rate from campaign.fellows(of_run) f;
  if rate is null then
    return query select 0::float8 from generate_series(1, most);
    return;
  end if;
  gap := interval '1 second' / rate;
  n := least(most, ceil(rate / 4)::int);
  select a.next_request into first from campaign.account a where a.id = of_account for update;
  right_now := clock_timestamp();
  if first < right_now or first > right_now + gap * 1000 + interval '1 minute' then
    first := right_now;
  end if;
  update campaign.account a set next_request = first + gap * n where a.id = of_account;
  return query select (extract(epoch from first + gap * k - right_now) * 1000)::float8 from generate_series(0, n - 1) k;
end $$;

-- The service wants no requests of this kind for so long.
create function campaign.hold(of_run bigint, of_kind text, why json, ms float8) returns void language sql as $$
  update campaign.account a
    set held = jsonb_build_array(jsonb_build_object('kind', of_kind, 'problem', why,
        'until', extract(epoch from clock_timestamp()) * 1000 + ms)) ||
      (select coalesce(jsonb_agg(h), '[]') from jsonb_array_elements(a.held) h where h ->> 'kind' <> of_kind)
    from campaign.run r where r.id = of_run and a.id = r.account
$$;

-- So many creates in a row had no answer: the next one is tried after so long. None: one had.
create function campaign.tell_creates(of_run bigint, in_a_row int, ms float8) returns void language sql as $$
  update campaign.account a
    set ambiguous = case in_a_row when 0 then 0 else greatest(a.ambiguous, in_a_row) end,
      trial_at = clock_timestamp() + ms * interval '1 millisecond'
    from campaign.run r where r.id = of_run and a.id = r.account
$$;

-- What these events mean for creates that were begun. What was refused, or not sent, is given back. Gives those that had
-- ended without an answer, and have one now.
create function campaign.end_creates(of_run bigint, ends json) returns setof text language plpgsql as $$
declare
  one record;
  free int;
begin
  for one in
    select n.*, e.came, e.made from json_to_recordset(ends) e (address text, came text, made int)
    join campaign.node n on n.run = of_run and n.address = e.address
  loop
    free := one.made - one.generating;
    if one.came in ('rejected', 'not-sent', 'throttled') and one.posts > 0 then
      update campaign.run r set run_posts = r.run_posts - one.posts, run_cost = r.run_cost - one.cost where r.id = of_run;
      update campaign.spent s set posts = s.posts - one.posts, cost = s.cost - one.cost
        from campaign.run r join campaign.campaign c on c.id = r.campaign
        where r.id = of_run and s.account = r.account and s.state = c.lineage and s.month = one.month;
      one.posts := 0;
      one.cost := 0;
    end if;
    update campaign.node n
      set has_intent = one.came = 'unknown' and n.has_intent, generating = 0, posts = one.posts, cost = one.cost
      where n.run = of_run and n.address = one.address;
    if free <> 0 then
      update campaign.run r set generating = greatest(0, r.generating + free) where r.id = of_run;
    end if;
    if one.came <> 'unknown' and one.ended = 'unknown' then
      return next one.address;
    end if;
  end loop;
end $$;
`;
