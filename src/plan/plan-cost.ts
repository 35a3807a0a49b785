/** What the requests of a plan cost, which limits they exceed, and which of them fit. Pure. */
import { type Address, mediaAddress } from '../model/address.ts';
import { type Limit, type Prices, requestCost, type Spent, sum } from '../model/budget.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';
import type { LimitUse, PlanCost } from '../model/plan-cost.ts';

/** What a plan may cost. */
export interface Purse {
  readonly currency?: string | undefined;
  readonly prices: Prices;
  readonly limits: readonly Limit[];
  /** Before this plan. */
  readonly spent: Readonly<Record<Limit['per'], Spent>>;
  /** What becomes of a plan that exceeds a limit: it is shown, it requests nothing, or it requests what fits. */
  readonly excess: 'show' | 'nothing' | 'rest';
}

/** `planned`: what it requests; `wanted`: what it would request without limits. */
export function costOfPlan(
  planned: readonly PlannedNode[],
  wanted: readonly PlannedNode[],
  purse: Purse,
): PlanCost {
  const { currency, prices, limits, spent } = purse;
  const costs = requestsOf(planned).map(({ payload }) => requestCost(payload, prices));
  const isKnown = costs.every((cost) => cost !== undefined);
  const all = totalOf(wanted, prices);
  return {
    ...(currency === undefined ? {} : { currency }),
    prices: Object.fromEntries(Object.entries(prices).map(([type, price]) => [type, amountOf(price)])),
    amount: isKnown && hasPrices(prices) ? amountOf(costs.reduce((total, cost) => total + cost, 0n)) : null,
    limits: limits.map((limit): LimitUse => {
      const [before, more] = [spent[limit.per], all];
      const inUnits = ({ posts, cost }: Spent) => (limit.of === 'posts' ? posts : amountOf(cost));
      const isExceeded = exceeds(limit, sum([before, more])) && more.posts > 0;
      return { ...limit, spent: inUnits(before), wanted: inUnits(more), isExceeded };
    }),
  };
}

/** Items that are not requested, because they or others before them do not fit. */
export function beyondLimits(
  wanted: readonly PlannedNode[],
  rejected: ReadonlySet<Address>,
  purse: Purse,
): ReadonlySet<Address> {
  const { prices, limits, spent, excess } = purse;
  const all = totalOf(wanted, prices);
  const fits = (more: Spent) => limits.every((limit) => !exceeds(limit, sum([spent[limit.per], more])));
  if (excess === 'show' || fits(all)) return new Set();
  const units = unitsOf(wanted, rejected, prices);
  const rest = excess === 'nothing' ? 0 : countFitting(units, fits);
  return new Set(units.slice(rest).flatMap(({ items }) => items));
}

/** What can be requested alone: an item, or a post that is requested as a whole. */
interface Unit {
  readonly items: readonly Address[];
  readonly spent: Spent;
  readonly rank: number;
}

/** In the order in which they are requested: new posts, then those that were rejected, then edited ones. */
function unitsOf(nodes: readonly PlannedNode[], rejected: ReadonlySet<Address>, prices: Prices): Unit[] {
  const replaced = new Set(nodes.filter(({ action }) => action === 'replace').map(itemOf));
  const rankOf = (item: Address) => (replaced.has(item) ? (rejected.has(item) ? 1 : 2) : 0);
  const units = requestsOf(nodes).flatMap(({ payload, whole }): Unit[] => {
    const parts = whole ? [payload] : payload.items.map((item) => ({ items: [item], numberOfPosts: 1 }));
    return parts.map((part) => {
      const items = part.items.map(({ item }) => mediaAddress(payload.post, item));
      const cost = requestCost(part, prices) ?? 0n;
      return { items, spent: { posts: part.numberOfPosts, cost }, rank: Math.max(...items.map(rankOf)) };
    });
  });
  return units.sort((a, b) => a.rank - b.rank);
}

function itemOf(node: PlannedNode): Address | undefined {
  return kindHas(node, 'stored', 'take') ? mediaAddress(node.payload.post, node.payload.item) : undefined;
}

function countFitting(units: readonly Unit[], fits: (more: Spent) => boolean): number {
  let total: Spent = sum([]);
  for (const [index, { spent }] of units.entries()) {
    total = sum([total, spent]);
    if (!fits(total)) return index;
  }
  return units.length;
}

export function exceeds({ of, most }: Pick<Limit, 'of' | 'most'>, { posts, cost }: Spent): boolean {
  return of === 'posts' ? posts > most : cost > moneyOf(most);
}

function totalOf(nodes: readonly PlannedNode[], prices: Prices): Spent {
  return sum(
    requestsOf(nodes).map(({ payload }) => ({
      posts: payload.numberOfPosts,
      cost: requestCost(payload, prices) ?? 0n,
    })),
  );
}

function requestsOf(nodes: readonly PlannedNode[]): PlannedAs<'request'>[] {
  return nodes
    .filter((node) => kindHas(node, 'stored', 'request'))
    .filter(({ action }) => action !== 'blocked');
}

function hasPrices(prices: Prices): boolean {
  return Object.keys(prices).length > 0;
}
