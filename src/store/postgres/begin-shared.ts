/** What a database has to know of a shared run from its beginning, besides its nodes: its limits, and what is spent. */
import type { Limit } from '../../model/budget.ts';
import { MOST_AMBIGUOUS } from '../../model/account-news.ts';
import { moneyOf } from '../../model/money.ts';
import type { SharedBudget, Sharing, StateSpending } from '../shared-run.ts';
import type { Query } from './connection.ts';
import { SPENDING_LOCKS } from './locks.ts';

/** To be called in a transaction; false where the run is not that of this process any more. */
export async function beginShared(query: Query, run: number, sharing: Sharing): Promise<boolean> {
  const { spec, account, generating, mediaInFlight, polls, atOnce, perSecond, budget } = sharing;
  const [limits, spent] = [budget?.limits.map(inUnits) ?? [], budget?.run];
  const [begun] = await query(
    `update campaign.run set shared = $2, account = $3, generating = $4, media_in_flight = $5, at_once = $6,
        per_second = $7, limits = $8, run_posts = $9, run_cost = $10, polls = $11
      where id = $1 and ended_at is null and shared is null returning id`,
    [
      run,
      JSON.stringify(spec),
      account,
      generating,
      mediaInFlight,
      atOnce,
      perSecond ?? null,
      JSON.stringify(limits),
      spent?.posts ?? 0,
      String(spent?.cost ?? 0n),
      polls,
    ],
  );
  return begun !== undefined;
}

/**
 * What was found out about the service counts as long as one of the runs goes on that have found it out. After so many creates
 * without an answer that these begin none any more, a new run tries one, alone, as a run without others would. To be called
 * last: until the transaction has ended, the other runs of the account get no times for their requests.
 */
export async function meetAccount(
  query: Query,
  { run, account }: { readonly run: number; readonly account: string },
): Promise<void> {
  await query(
    `insert into campaign.account as a (id) values ($1) on conflict (id) do update set ambiguous = least(a.ambiguous, $2)`,
    [account, MOST_AMBIGUOUS - 1],
  );
  await query(
    `update campaign.account set ambiguous = 0, trial_at = '-infinity', held = '[]'
      where id = $2 and not exists (select from campaign.live_fellows($1) f where f.id <> $1)`,
    [run, account],
  );
}

/** Of a run that one process carries out: what was spent before, and what it may spend; false as above. */
export async function countIn(
  query: Query,
  { run, account }: { readonly run: number; readonly account: string },
  { limits, run: { posts, cost }, states }: SharedBudget,
): Promise<boolean> {
  const [counted] = await query(
    `update campaign.run set account = $2, limits = $3, run_posts = $4, run_cost = $5
      where id = $1 and ended_at is null and shared is null returning id`,
    [run, account, JSON.stringify(limits.map(inUnits)), posts, String(cost)],
  );
  if (counted) await setSpent(query, { run, account }, states);
  return counted !== undefined;
}

/**
 * Of the state of this run, all that its log has; of others what their logs had when they were read. A state in this
 * database is counted here from its first shared run on, and nobody else knows it better. Each begins with its own state, so
 * two would wait for each other without the lock. As with meetAccount: until the end of the transaction, the other runs of
 * the account request no posts.
 */
export async function setSpent(
  query: Query,
  { run, account }: { readonly run: number; readonly account: string },
  states: readonly StateSpending[],
): Promise<void> {
  await query(`select pg_advisory_xact_lock(${SPENDING_LOCKS}, hashtext($1))`, [account]);
  await query(
    `delete from campaign.spent s using campaign.run r join campaign.campaign c on c.id = r.campaign
      where r.id = $1 and s.account = $2 and s.state = c.lineage`,
    [run, account],
  );
  const rows = states.flatMap(({ lineage: state, months }) =>
    [...months].map(([month, { posts, cost }]) => ({ state, month, posts, cost: String(cost) })),
  );
  await query(
    `insert into campaign.spent as s (account, state, month, posts, cost)
      select $1, u.state, u.month, u.posts, u.cost
      from json_to_recordset($2) u (state text, month text, posts int, cost numeric)
      on conflict (account, state, month) do update set posts = excluded.posts, cost = excluded.cost
      where not exists (select from campaign.campaign c where c.lineage = excluded.state)`,
    [account, JSON.stringify(rows)],
  );
}

function inUnits({ per, of, most }: Limit) {
  return { per, of, most, units: String(of === 'posts' ? most : moneyOf(most)) };
}
