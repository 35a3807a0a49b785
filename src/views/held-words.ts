import { amountOf } from '../model/money.ts';
import type { Plan } from '../model/plan.ts';
import { count } from '../util/count.ts';
import { amountText } from './budget-words.ts';
import { openEntries } from './plan-entries.ts';

/** `1 new post that may be an earlier one`: what is held up. */
export function heldUpWords(posts: number): string {
  return `${count(posts, 'new post')} that may be ${posts === 1 ? 'an earlier one' : 'earlier ones'}`;
}

/** `2 new posts would be requested, and 1 finished post again`, whichever of both there are. */
export function requestedWords(news: readonly string[], finished: number): string {
  const again = finished ? count(finished, 'finished post') : '';
  if (!news.length) return `${again} would be requested again`;
  return `${news.join(' and ')} would be requested${again && `, and ${again} again`}`;
}

/** What consent to the posts that were left or held up would pay for: `4 posts, 1.40 EUR`. */
export function heldText(plan: Plan): string {
  let posts = 0;
  let amount: bigint | undefined = 0n;
  for (const { sign, paid, cost } of openEntries(plan)) {
    if (sign !== 'held' && sign !== 'held-up') continue;
    posts += paid;
    amount = amount === undefined || cost === undefined ? undefined : amount + cost;
  }
  const { prices = {}, currency } = plan.cost ?? {};
  const isPriced = Object.keys(prices).length > 0 && amount !== undefined;
  return `${count(posts, 'post')}${isPriced ? `, ${amountText(amountOf(amount ?? 0n), currency)}` : ''}`;
}
