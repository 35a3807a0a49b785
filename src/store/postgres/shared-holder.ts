/** Who carries out a shared run changes all the time: only who has begun it is known. */
export const SHARED_HOLDER = `
create or replace function campaign.holder(of_campaign bigint, lease interval) returns text language sql as $$
  select format(
    case when r.shared is null then '\`%s\`, process %s on %s since %s'
      else 'a run of several processes, which \`%s\` (process %s on %s) began at %s' end,
    r.command, r.pid, r.host, to_char(r.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from campaign.run r where r.campaign = of_campaign and r.ended_at is null and campaign.lives(r, lease)
$$;
`;
