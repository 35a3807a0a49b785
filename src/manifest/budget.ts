/** Prices and limits: the budget of the chosen environment replaces the one of the manifest as a whole. */
import type { Problems } from '../document/problems.ts';
import type { Budget, Limit } from '../model/budget.ts';
import { isExact, LARGEST_AMOUNT, moneyOf } from '../model/money.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { defined } from '../util/defined.ts';
import { count } from '../util/count.ts';
import type { Budget as BudgetEntry, CampaignDocument } from './generated/campaign-document.js';
import { entryOf } from './environment.ts';
import type { Item, Post } from './manifest.ts';

export function readBudget(
  { budget, service = {} }: CampaignDocument,
  environment: string,
  { posts, problems }: { readonly posts: readonly Post[]; readonly problems: Problems },
): Budget | undefined {
  const own = entryOf(service, environment)?.budget;
  const entry = own ?? budget;
  if (!entry) return undefined;
  const source = own ? `#/service/environments/${environment}/budget` : '#/budget';
  const read = budgetOf(entry, source);
  if (!problems.isBroken(source)) checkPrices(read, posts, problems);
  return read;
}

function budgetOf(
  { currency, prices = {}, per_run = {}, per_month = {} }: BudgetEntry,
  source: SourceRef,
): Budget {
  const limits = [
    ['run', per_run, 'per_run'],
    ['month', per_month, 'per_month'],
  ] as const;
  return {
    ...defined({ currency }),
    prices: Object.fromEntries(Object.entries(prices).map(([type, price]) => [type, moneyOf(price)])),
    limits: limits.flatMap(([per, entry, name]) =>
      (['posts', 'cost'] as const).flatMap((of): Limit[] => {
        const most = entry[of];
        return most === undefined ? [] : [{ per, of, most, source: memberOf(source, name, of) }];
      }),
    ),
  };
}

/** Every amount of every budget, also of environments that are not chosen. */
export function checkAmounts({ budget, service }: CampaignDocument, problems: Problems): void {
  const places = Object.entries(service?.environments ?? {}).map(
    ([name, entry]) => [`#/service/environments/${name}/budget`, entry.budget] as const,
  );
  for (const [source, { prices = {}, per_run, per_month } = {}] of [
    ['#/budget', budget] as const,
    ...places,
  ]) {
    const amounts = [
      ...Object.entries(prices).map(([type, price]) => [memberOf(source, 'prices', type), price] as const),
      [memberOf(source, 'per_run', 'cost'), per_run?.cost] as const,
      [memberOf(source, 'per_month', 'cost'), per_month?.cost] as const,
    ];
    for (const [at, amount] of amounts) {
      if (amount === undefined || typeof amount !== 'number' || (isExact(amount) && amount <= LARGEST_AMOUNT))
        continue;
      const detail = `${amount} cannot be counted exactly: an amount has at most six decimals, and is at most ${LARGEST_AMOUNT}.`;
      problems.add({ code: 'invalid-value', detail, source: at });
    }
  }
}

/** Without a price nobody can say whether a post fits a limit of cost. One problem for each kind of post. */
function checkPrices({ prices, limits }: Budget, posts: readonly Post[], problems: Problems): void {
  if (!limits.some(({ of }) => of === 'cost')) return;
  const unpriced = new Map<Item['post_type'], { first: Item; number: number }>();
  for (const { items } of posts) {
    for (const item of items) {
      if (prices[item.post_type] !== undefined) continue;
      const found = unpriced.get(item.post_type);
      if (found) found.number += 1;
      else unpriced.set(item.post_type, { first: item, number: 1 });
    }
  }
  for (const [type, { first, number }] of unpriced) {
    const detail = `The budget limits the cost, and has no price for a post of the type ${type} (${count(number, 'post')} in this manifest). Write \`${type}\` under \`prices:\` of the budget.`;
    problems.add({ code: 'missing-price', detail, source: memberOf(first.source, 'post_type') });
  }
}
