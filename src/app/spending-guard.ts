import {
  type Limit,
  monthOf,
  NOTHING_SPENT,
  overBudget,
  requestCost,
  type Spent,
  sum,
} from '../model/budget.ts';
import { kindHas } from '../model/kinds.ts';
import { spentSince } from '../log/spending.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import { exceeds } from '../plan/plan-cost.ts';
import type { Clock } from '../util/clock.ts';
import type { Wallet } from './account.ts';

/** Counts what a run spends, and lets no request leave that would exceed a limit, whatever the plan has said. */
export function createSpendingGuard(
  { prices, limits, spending }: Pick<Wallet, 'prices' | 'limits' | 'spending'>,
  clock: Clock,
) {
  const months = new Map(spending.months);
  let requested = NOTHING_SPENT;
  /** Requests that are counted, by address. */
  const counted = new Map<string, { readonly month: string; readonly spent: Spent }>();

  const add = (month: string, spent: Spent) => {
    months.set(month, sum([months.get(month) ?? NOTHING_SPENT, spent]));
    requested = sum([requested, spent]);
  };
  const soFar = (per: Limit['per'], month: string) =>
    per === 'month' ? spentSince({ months }, month) : sum([spending.run, requested]);

  function notSpent(address: string): void {
    const found = counted.get(address);
    if (!found || !counted.delete(address)) return;
    add(found.month, { posts: -found.spent.posts, cost: -found.spent.cost });
  }

  return {
    notSpent,
    /** What this run has requested so far. */
    get requested(): Spent {
      return requested;
    },
    /** Why this node may not be sent; if it may, it counts as spent. */
    whyNot(node: PlannedNode): Problem | undefined {
      if (!kindHas(node, 'stored', 'request')) return undefined;
      const month = monthOf(clock.now());
      const spent = { posts: node.payload.numberOfPosts, cost: requestCost(node.payload, prices) ?? 0n };
      const limit = limits.find((each) => exceeds(each, sum([soFar(each.per, month), spent])));
      if (limit) return overBudget(limit);
      add(month, spent);
      counted.set(node.address, { month, spent });
      return undefined;
    },
    /** To be called with what was recorded: a request that was refused was not paid. */
    recorded(events: readonly StateEvent[]): void {
      for (const event of events) {
        if (event.type !== 'rejected' && event.type !== 'not-sent' && event.type !== 'throttled') continue;
        notSpent(event.address);
      }
    },
  };
}

export type SpendingGuard = ReturnType<typeof createSpendingGuard>;
