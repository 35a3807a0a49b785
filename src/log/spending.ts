/** What a log says was spent: every request that was sent and not refused, whatever became of it. */
import { monthOf, NOTHING_SPENT, type Prices, requestCost, type Spent, sum } from '../model/budget.ts';
import { moneyOf } from '../model/money.ts';
import type { RequestState, RunState } from '../model/run-state.ts';

export interface Spending {
  /** By month (`2026-11`). */
  readonly months: ReadonlyMap<string, Spent>;
  /** Since the last `apply` that ended. */
  readonly run: Spent;
}

/** `prices` are for requests of which the log does not say what they cost. */
export function spendingOf({ requests, spending }: RunState, prices: Prices): Spending {
  const months = new Map<string, Spent>();
  const run: Spent[] = [];
  for (const [month, { posts, cost }] of spending.carried) months.set(month, { posts, cost: moneyOf(cost) });
  for (const request of requests.values()) {
    if (request.requestedAt === undefined) continue;
    const month = monthOf(request.requestedAt);
    const spent = spentBy(request, prices);
    months.set(month, sum([months.get(month) ?? NOTHING_SPENT, spent]));
    if (spending.open.has(request.address)) run.push(spent);
  }
  return { months, run: sum(run) };
}

/** What is dated later than this month was written by a clock that was wrong, or is now: it counts as well. */
export function spentSince({ months }: Pick<Spending, 'months'>, month: string): Spent {
  return sum([...months].flatMap(([each, spent]) => (each >= month ? [spent] : [])));
}

function spentBy({ payload }: Pick<RequestState, 'payload'>, prices: Prices): Spent {
  const cost = payload.cost === undefined ? requestCost(payload, prices) : moneyOf(payload.cost);
  return { posts: payload.numberOfPosts, cost: cost ?? 0n };
}
