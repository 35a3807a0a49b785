/**
 * What the posts of a campaign cost, by post plan, product and concept. The sums are those of the budget (log/spending.ts):
 * every request that was sent and not refused, by the prices of its time, whatever became of it. Pure.
 */
import { type Address, postPlanOf, productKey } from '../model/address.ts';
import { type Prices, requestCost } from '../model/budget.ts';
import { amountOf, type Money, moneyOf } from '../model/money.ts';
import type { ObjectRef, RequestedItem } from '../model/payload.ts';
import type { LimitUse } from '../model/plan-cost.ts';
import type { MediaState, RequestState, RunState, TakeState } from '../model/run-state.ts';
import { type Verdicts, verdictAbout } from '../model/verdict.ts';

export interface CostRow {
  /** A key of the manifest; null for what belongs to none, or to a log before this one. */
  readonly key: string | null;
  readonly posts: number;
  readonly cost: number;
  /** Of these posts, those that had a take before, and those whose take is rejected. */
  readonly again: number;
  readonly rejected: number;
}

export interface CostTable {
  readonly total: CostRow;
  /** Of the posts, those of which nobody knows what they cost. */
  readonly withoutPrice: number;
  readonly plans: readonly CostRow[];
  readonly products: readonly CostRow[];
  readonly concepts: readonly CostRow[];
  readonly budget: readonly Pick<LimitUse, 'per' | 'of' | 'most' | 'spent'>[];
}

export const COST_PARTS = ['plans', 'products', 'concepts'] as const;
export type CostPart = (typeof COST_PARTS)[number];

interface Costs {
  readonly prices: Prices;
  readonly verdicts: Verdicts;
  readonly limits: readonly LimitUse[];
}

interface Sum {
  posts: number;
  cost: Money;
  again: number;
  rejected: number;
}

type Sums = Map<string | null, Sum>;

export function costTable(state: RunState, { prices, verdicts, limits }: Costs): CostTable {
  const parts: Record<CostPart, Sums> = { plans: new Map(), products: new Map(), concepts: new Map() };
  const all: Sums = new Map();
  const takes = takesByRequest(state);
  let withoutPrice = 0;
  for (const request of state.requests.values()) {
    if (request.requestedAt === undefined) continue;
    const cost = costOf(request, prices);
    if (cost === undefined) withoutPrice += request.payload.numberOfPosts;
    for (const share of sharesOf(request, { cost: cost ?? 0n, prices })) {
      const made = takes.get(takeKey(request.address, share.item.item));
      const add = {
        ...share,
        again: made?.isAgain ? 1 : 0,
        rejected: made && isRejected(made, verdicts) ? 1 : 0,
      };
      addTo(all, null, add);
      addTo(parts.plans, postPlanOf(made?.media.post ?? request.payload.post), add);
      addTo(parts.products, productOf(share.item), add);
      addTo(parts.concepts, keyOf(request.payload.concept), add);
    }
  }
  for (const { posts, cost } of state.spending.carried.values()) {
    const add = { posts, cost: moneyOf(cost), again: 0, rejected: 0 };
    for (const sums of [all, ...Object.values(parts)]) addTo(sums, null, add);
  }
  const [total = emptyRow()] = rowsOf(all);
  return {
    total,
    withoutPrice,
    plans: rowsOf(parts.plans),
    products: rowsOf(parts.products),
    concepts: rowsOf(parts.concepts),
    budget: limits.map(({ per, of, most, spent }) => ({ per, of, most, spent })),
  };
}

function emptyRow(): CostRow {
  return { key: null, posts: 0, cost: 0, again: 0, rejected: 0 };
}

/** The dearest first. */
function rowsOf(sums: Sums): CostRow[] {
  return [...sums]
    .map(([key, { cost, ...counts }]) => ({ key, ...counts, cost: amountOf(cost) }))
    .toSorted((a, b) => b.cost - a.cost || b.posts - a.posts);
}

function addTo(sums: Sums, key: string | null, { posts, cost, again, rejected }: Sum): void {
  const sum = sums.get(key);
  if (!sum) sums.set(key, { posts, cost, again, rejected });
  else {
    sum.posts += posts;
    sum.cost += cost;
    sum.again += again;
    sum.rejected += rejected;
  }
}

function costOf({ payload }: RequestState, prices: Prices): Money | undefined {
  return payload.cost === undefined ? requestCost(payload, prices) : moneyOf(payload.cost);
}

interface Share {
  readonly item: RequestedItem;
  readonly posts: number;
  readonly cost: Money;
}

/** A request's posts and cost by item; what the service makes beyond the items belongs to the first of them. */
function sharesOf({ payload }: RequestState, { cost, prices }: { cost: Money; prices: Prices }): Share[] {
  const { items, numberOfPosts } = payload;
  const weights = items.map((item) => prices[item.payload.post_type] ?? 1n);
  const weight = weights.reduce((sum, each) => sum + each, 0n);
  const parts = weights.map((each) => (weight > 0n ? (cost * each) / weight : 0n));
  const rest = cost - parts.reduce((sum, each) => sum + each, 0n);
  return items.map((item, index) => ({
    item,
    posts: index ? 1 : 1 + numberOfPosts - items.length,
    cost: (parts[index] ?? 0n) + (index ? 0n : rest),
  }));
}

interface Made {
  readonly media: MediaState;
  readonly take: TakeState;
  readonly isAgain: boolean;
}

function takesByRequest({ media }: RunState): ReadonlyMap<string, Made> {
  const takes = new Map<string, Made>();
  for (const each of media.values())
    each.takes.forEach((take, index) =>
      takes.set(takeKey(take.request, take.requestedAs), { media: each, take, isAgain: index > 0 }),
    );
  return takes;
}

function takeKey(request: Address, item: string): string {
  return `${request} ${item}`;
}

function isRejected({ take }: Made, verdicts: Verdicts): boolean {
  const id = take.result?.id;
  return id !== undefined && verdictAbout(id, verdicts)?.verdict === 'rejected';
}

function productOf({ payload }: RequestedItem): string | null {
  const [first] = payload.assets;
  return first ? keyOf(first.product) : null;
}

function keyOf(ref: ObjectRef): string | null {
  if (!('address' in ref)) return null;
  return productKey(ref.address) ?? ref.address.slice(ref.address.indexOf('/') + 1);
}
