import { amountOf } from '../model/money.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../util/count.ts';
import { amountText } from './budget-words.ts';
import { openEntries } from './plan-entries.ts';

/** `2 finished posts and 1 that was made before`: what consent is needed for. */
export function againWords({ finished, madeBefore }: AskedAgain): string {
  const before = madeBefore === 1 ? 'that was made before' : 'that were made before';
  if (!finished) return `${count(madeBefore, 'post')} ${before}`;
  return `${count(finished, 'finished post')}${madeBefore ? ` and ${madeBefore} ${before}` : ''}`;
}

export interface AskedAgain {
  /** Posts that are there. */
  readonly finished: number;
  /** Those of which only an older take of another post is there. */
  readonly madeBefore: number;
}

/** What consent to the finished posts that were left would pay for: `4 posts, 1.40 EUR`. */
export function heldText(plan: Plan): string {
  let posts = 0;
  let amount: bigint | undefined = 0n;
  for (const { sign, paid, cost } of openEntries(plan)) {
    if (sign !== 'held') continue;
    posts += paid;
    amount = amount === undefined || cost === undefined ? undefined : amount + cost;
  }
  const { prices = {}, currency } = plan.cost ?? {};
  const isPriced = Object.keys(prices).length > 0 && amount !== undefined;
  return `${count(posts, 'post')}${isPriced ? `, ${amountText(amountOf(amount ?? 0n), currency)}` : ''}`;
}
