import { SPENDING_LOCKS } from './locks.ts';

/** What a run that one process carries out spends counts where the shared runs of its account count. */
export const SPENT_ALONE = `
-- The first limit that would be exceeded. Those of a month hold for all runs of the account, those of a run for itself. Of a run
-- that is not shared, its own limits hold as well.
create function campaign.exceeded(
  of_run bigint, of_account text, of_month text, more_posts int, more_cost numeric
) returns json language sql as $$
  with spent as (
    select coalesce(sum(s.posts), 0) as posts, coalesce(sum(s.cost), 0) as cost
    from campaign.spent s where s.account = of_account and s.month >= of_month
  ), holding as (
    select f.id, f.limits, f.run_posts, f.run_cost from campaign.fellows(of_run) f
    union all
    select r.id, r.limits, r.run_posts, r.run_cost from campaign.run r where r.id = of_run and r.shared is null
  )
  select l.value from holding f, json_array_elements(f.limits) l, spent
  where (l.value ->> 'per' = 'month' or f.id = of_run) and (l.value ->> 'units')::numeric <
    case l.value ->> 'of'
      when 'posts' then more_posts + case l.value ->> 'per' when 'month' then spent.posts else f.run_posts end
      else more_cost + case l.value ->> 'per' when 'month' then spent.cost else f.run_cost end
    end
  limit 1
$$;

-- Counts a request of a run that is not shared, in this month, and gives the month; or the limit that it would exceed, and
-- counts nothing. With a month it is given back there, as posts and cost are negative then.
create function campaign.spend_alone(
  of_run bigint, this uuid, more_posts int, more_cost numeric, of_month text, out month text, out over json
) language plpgsql as $$
declare
  alone campaign.run;
begin
  select r.* into alone from campaign.run r where r.id = of_run;
  perform pg_advisory_xact_lock(${SPENDING_LOCKS}, hashtext(alone.account));
  -- Read again: while this waited, the same request may have been counted by its first try.
  select r.* into alone from campaign.run r where r.id = of_run;
  month := coalesce(of_month, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM'));
  if alone.counted is not distinct from this then
    return;
  end if;
  if of_month is null then
    over := campaign.exceeded(of_run, alone.account, month, more_posts, more_cost);
  end if;
  if over is not null then
    return;
  end if;
  insert into campaign.spent as s (account, state, month, posts, cost)
    select alone.account, c.lineage, spend_alone.month, more_posts, more_cost
    from campaign.campaign c where c.id = alone.campaign
    on conflict on constraint spent_pkey do update set posts = s.posts + excluded.posts, cost = s.cost + excluded.cost;
  update campaign.run r set counted = this,
    run_posts = r.run_posts + more_posts, run_cost = r.run_cost + more_cost where r.id = of_run;
end $$;
`;
