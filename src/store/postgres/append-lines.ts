export const APPEND = `
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
  -- What was acknowledged is not there: the database has come back older.
  if coalesce(head, -1) < after then
    return 'older';
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
