/** What a plan costs and where that leaves its budget, in words. */
import { amountOf, moneyOf } from '../model/money.ts';
import type { Plan, PlannedNode } from '../model/plan.ts';
import type { LimitUse, PlanCost } from '../model/plan-cost.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { count } from '../util/count.ts';
import { groupBy } from '../util/group-by.ts';

/** `1.40 EUR`; undefined where nothing has a price. */
export function costText({ amount, currency, prices }: PlanCost): string | undefined {
  if (amount !== null) return amountText(amount, currency);
  return Object.keys(prices).length > 0 ? 'not all of them with a price' : undefined;
}

type Paying = Pick<Plan, 'newPosts' | 'replaced' | 'isFree' | 'cost'>;

/**
 * What several plans request together: `12 new posts, 4.20 EUR`. Where one of them takes the place of another, they are not
 * all new: `3 posts to pay`. With the emulator nothing is paid: `3 posts to request`.
 */
export function requestedText(plans: readonly Paying[]): string {
  const cost = costsText(plans);
  const sums = { posts: newPostsOf(plans), replaced: replacedBy(plans) };
  const words = sums.replaced
    ? `${postsText(sums)} to ${areFree(plans) ? 'request' : 'pay'}`
    : postsText(sums);
  return `${words}${cost === undefined ? '' : `, ${cost}`}`;
}

/** `8 new posts`, or `8 posts` where some of them take the place of others. */
export function postsText({ posts, replaced = 0 }: { readonly posts: number; readonly replaced?: number }) {
  return count(posts, replaced ? 'post' : 'new post');
}

export function newPostsOf(plans: readonly Paying[]): number {
  return plans.reduce((sum, { newPosts }) => sum + newPosts, 0);
}

export function replacedBy(plans: readonly Paying[]): number {
  return plans.reduce((sum, { replaced }) => sum + replaced, 0);
}

export function areFree(plans: readonly Pick<Plan, 'isFree'>[]): boolean {
  return plans.every(({ isFree }) => isFree);
}

/** Each currency by itself; undefined where nothing has a price. */
export function costsText(plans: readonly Paying[]): string | undefined {
  const priced = plans.flatMap(({ newPosts, cost }) => (newPosts > 0 && cost ? [cost] : []));
  const texts = [...groupBy(priced, ({ currency = '' }) => currency).values()].flatMap((all) => {
    const amounts = all.map(({ amount }) => amount);
    const [first] = all;
    return first
      ? (costText({ ...first, amount: amounts.includes(null) ? null : sumOf(amounts) }) ?? [])
      : [];
  });
  return texts.length ? texts.join(' and ') : undefined;
}

function sumOf(amounts: readonly (number | null)[]): number {
  return amounts.reduce<number>((sum, amount) => addAmounts(sum, amount ?? 0), 0);
}

/** At least two decimals, as on a bill. */
export function amountText(amount: number, currency: string | undefined): string {
  const [whole = '', decimals = ''] = amount
    .toFixed(6)
    .replace(/0{1,4}$/, '')
    .split('.');
  return `${whole}.${decimals}${currency === undefined ? '' : ` ${currency}`}`;
}

/** `this month 12 of 2000 posts, 12.00 of 900.00 EUR`; a run is only told where one that was killed has spent some of it. */
export function limitTexts(cost: PlanCost): string[] {
  return (['run', 'month'] as const).flatMap((per) => {
    const limits = cost.limits.filter((limit) => limit.per === per);
    const isTold = per === 'month' || limits.some(({ spent }) => spent > 0);
    return isTold && limits.length
      ? [`this ${per} ${limits.map((limit) => useText(limit, cost)).join(', ')}`]
      : [];
  });
}

function useText({ of, spent, most }: LimitUse, { currency }: PlanCost): string {
  return of === 'posts'
    ? `${spent} of ${count(most, 'post')}`
    : `${amountText(spent, undefined)} of ${amountText(most, currency)}`;
}

/** Why a plan does not fit, by the first limit that it exceeds: `11 posts this month (5 already), and …`. */
export function whyOverBudget({ cost }: Pick<Plan, 'cost'>): string | undefined {
  const limit = cost?.limits.find(({ isExceeded }) => isExceeded);
  if (!cost || !limit) return undefined;
  const { per, of, spent, most } = limit;
  const inUnits = (number: number) =>
    of === 'posts' ? count(number, 'post') : amountText(number, cost.currency);
  const already = spent > 0 ? ` (${inUnits(spent)} already)` : '';
  const owner = limit.manifest === undefined ? '' : ` of ${limit.manifest}`;
  return `${inUnits(addAmounts(spent, limit.wanted))} in this ${per}${already}, and per_${per}.${of}${owner} allows ${inUnits(most)}`;
}

/** What apply does about it. Without --yes, finished posts are left as they are, and what is new may fit. */
export function overBudgetAdvice({ nodes }: Plan): string {
  const isAgain = nodes.some(({ action }) => action === 'replace');
  const none = isAgain ? 'with the replacements, apply requests nothing' : 'apply requests none of them';
  return `${none}; with --within-budget it requests what fits`;
}

function addAmounts(a: number, b: number): number {
  return amountOf(moneyOf(a) + moneyOf(b));
}

/** For a plan that leaves posts out because of the budget; `isWithin`: it was to request what fits. */
export function overBudget(
  plan: Plan,
  quote: (source: SourceRef) => Pick<Problem, 'position' | 'sourceLine'> | undefined,
  isWithin: boolean,
): Problem | undefined {
  const why = whyOverBudget(plan);
  if (why === undefined || !plan.beyondBudget.length) return undefined;
  const { length } = plan.beyondBudget;
  const left = plan.newPosts
    ? `${count(length, 'post')} ${length === 1 ? 'is' : 'are'} left for another run.`
    : `No post is requested${plan.nodes.some(isCreated) ? '' : ', and nothing is created'}; what was requested before is still fetched.`;
  const isUsedUp = plan.cost?.limits.some(({ spent, most }) => spent >= most);
  const more = isWithin || isUsedUp ? '' : ', or request what fits with --within-budget';
  const source = plan.cost?.limits.find(({ isExceeded }) => isExceeded)?.source;
  return {
    code: 'over-budget',
    summary: 'Over budget',
    detail: `It would be ${why}. ${left} Raise the limit${more}.`,
    ...(source === undefined ? {} : quote(source)),
  };
}

function isCreated({ action }: PlannedNode): boolean {
  return action === 'create';
}
