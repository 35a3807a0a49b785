import { QUEUE_SCHEMA, SPENDING_LOCKS } from './locks.ts';

/** Posts that are generated and that nobody waits for: what has no room beside them never gets any. */
export const POSTS_IN_FLIGHT = `
-- Posts of the account that are generated, how many there may be, and whether some of them come to an end while its runs go
-- on: a run waits for them, or their create is under way.
create function campaign.posts_in_flight(
  of_run bigint, out generated bigint, out most int, out comes boolean
) language sql stable as $$
  select coalesce(sum(f.generating), 0), min(f.media_in_flight), coalesce(bool_or(f.generating > 0 and (
      f.polls or exists (
        select from campaign.node n where n.run = f.id and n.ended is null and n.has_intent and n.generating > 0
      )
    )), false)
  from campaign.live_fellows(of_run) f
$$;

-- Whether the process is lost that had begun one of the creates of this run: somebody has to claim it.
create function campaign.has_lost_creates(of_run bigint, queue text) returns boolean language sql stable as $$
  select exists (
    select from campaign.node n join ${QUEUE_SCHEMA}.job j on j.name = queue and j.id = n.job
    where n.run = of_run and n.ended is null and n.has_intent and n.generating > 0 and j.state < 'active'
  )
$$;

-- Those creates that may be begun: the job is still that of who asks, and no other create was begun. \`later\`: not now,
-- because too many posts are being generated, or creates had no answer; \`no_room\`: nor later in this run, because nobody
-- waits for the posts that are being generated. \`over\`: the limit that would be exceeded. What is begun counts as spent
-- from here on.
create function campaign.begin_creates(
  of_run bigint, queue text, creates json
) returns table (create_of text, later boolean, over json, no_room boolean) language plpgsql as $$
declare
  this campaign.run;
  whose text;
  of_month text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM');
  one record;
  posts record;
  in_a_row int;
begin
  select r.* into this from campaign.run r where r.id = of_run;
  select a.ambiguous into in_a_row from campaign.account a where a.id = this.account;
  if in_a_row > 0 or exists (select from json_array_elements(creates) c where (c ->> 'posts')::int > 0) then
    perform pg_advisory_xact_lock(${SPENDING_LOCKS}, hashtext(this.account));
    select r.* into this from campaign.run r where r.id = of_run;
  end if;
  select c.lineage into whose from campaign.campaign c where c.id = this.campaign;
  for one in
    select c.* from json_to_recordset(creates) c (address text, job uuid, retry int, posts int, cost numeric)
    join ${QUEUE_SCHEMA}.job j on j.name = queue and j.id = c.job and j.state = 'active' and j.retry_count = c.retry
    join campaign.node n on n.run = of_run and n.address = c.address and n.ended is null and not n.has_intent
  loop
    create_of := one.address;
    over := this.withheld;
    if over is null and one.posts > 0 then
      over := campaign.exceeded(of_run, this.account, of_month, one.posts, one.cost);
    end if;
    if over is not null then
      this.withheld := over;
      update campaign.run r set withheld = over where r.id = of_run;
    end if;
    select * into posts from campaign.posts_in_flight(of_run);
    later := one.posts > 0 and posts.generated > 0 and posts.generated + one.posts > posts.most;
    no_room := later and not posts.comes;
    -- Nothing is begun any more: who asks will hear of it.
    later := later or this.stop <> '{}';
    if in_a_row > 0 and not later then
      select a.trial_at > clock_timestamp() into later from campaign.account a where a.id = this.account;
      later := later or exists (
        select from campaign.live_fellows(of_run) f join campaign.node n on n.run = f.id where n.ended is null and n.has_intent
      );
    end if;
    if one.posts > 0 then
      update campaign.run r set asked = one.posts where r.id = of_run and r.asked <> one.posts;
    end if;
    if over is null and not later then
      update campaign.node n
        set has_intent = true, generating = one.posts, posts = one.posts, cost = one.cost, month = of_month,
          job = one.job
        where n.run = of_run and n.address = one.address;
      if one.posts > 0 then
        update campaign.run r set generating = r.generating + one.posts,
          run_posts = r.run_posts + one.posts, run_cost = r.run_cost + one.cost where r.id = of_run;
        insert into campaign.spent as s (account, state, month, posts, cost)
          values (this.account, whose, of_month, one.posts, one.cost)
          on conflict (account, state, month)
          do update set posts = s.posts + excluded.posts, cost = s.cost + excluded.cost;
      end if;
    end if;
    return next;
  end loop;
end $$;
`;
