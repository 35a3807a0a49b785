import { amountOf } from '../model/money.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../util/count.ts';
import { amountText } from './budget-words.ts';
import { openEntries } from './plan-entries.ts';

/** `2 finished posts and 1 new post that may be an earlier one`: what consent is needed for. */
export function againWords({ finished, heldUp }: AskedAgain): string {
  const before = heldUp === 1 ? 'that may be an earlier one' : 'that may be earlier ones';
  const held = heldUp ? [`${count(heldUp, 'new post')} ${before}`] : [];
  return [...(finished ? [count(finished, 'finished post')] : []), ...held].join(' and ');
}

export interface AskedAgain {
  /** Posts that are there. */
  readonly finished: number;
  /** Those that may be posts which the manifest no longer names. */
  readonly heldUp: number;
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
