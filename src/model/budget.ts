/** What posts cost, and how many may be requested; `budget:` of the manifest, or of its environment. */
import type { Money } from './money.ts';
import type { Problem } from './problem.ts';
import type { ItemPayload } from './payload.ts';
import type { SourceRef } from './source.ts';

export type Prices = Readonly<Partial<Record<ItemPayload['post_type'], Money>>>;

export interface Limit {
  readonly per: 'run' | 'month';
  readonly of: 'posts' | 'cost';
  /** Posts, or an amount of money as it is written. */
  readonly most: number;
  /** Where it is written, in this manifest, or the name of the other manifest that has it. */
  readonly source?: SourceRef;
  readonly manifest?: string;
}

export interface Budget {
  readonly currency?: string;
  readonly prices: Prices;
  readonly limits: readonly Limit[];
}

export interface Spent {
  readonly posts: number;
  readonly cost: Money;
}

export const NOTHING_SPENT: Spent = { posts: 0, cost: 0n };

export function sum(all: Iterable<Spent>): Spent {
  let { posts, cost } = NOTHING_SPENT;
  for (const each of all) {
    posts += each.posts;
    cost += each.cost;
  }
  return { posts, cost };
}

interface Requested {
  readonly items: readonly { readonly payload: Pick<ItemPayload, 'post_type'> }[];
  readonly numberOfPosts: number;
}

export function overBudget({ per, of, most }: Pick<Limit, 'per' | 'of' | 'most'>): Problem {
  return { summary: 'over budget', detail: `per_${per}.${of} of the budget is ${most}` };
}

/** Posts beyond the items cost as much as the dearest item. Undefined where a post has no price. */
export function requestCost({ items, numberOfPosts }: Requested, prices: Prices): Money | undefined {
  let cost = 0n;
  let dearest = 0n;
  for (const { payload } of items) {
    const price = prices[payload.post_type];
    if (price === undefined) return undefined;
    cost += price;
    if (price > dearest) dearest = price;
  }
  return cost + dearest * BigInt(Math.max(0, numberOfPosts - items.length));
}

/** `2026-11`, by UTC, of a time in ISO 8601 or in epoch milliseconds. */
export function monthOf(time: string | number): string {
  return (typeof time === 'string' ? time : new Date(time).toISOString()).slice(0, 7);
}
