/** What the live block has to know of a plan before the first event. */
import type { Address } from '../model/address.ts';
import { requestCost } from '../model/budget.ts';
import { kindHas } from '../model/kinds.ts';
import { moneyOf, type Money } from '../model/money.ts';
import type { Action, Plan } from '../model/plan.ts';

/** Of the nodes that change or delete something: the others make it. */
export function changesOf({ nodes }: Plan): ReadonlyMap<Address, Action> {
  const changes = nodes.listed.filter(({ action }) => action === 'update' || action === 'delete');
  return new Map(changes.map(({ address, action }) => [address, action]));
}

export function requestPrices({ nodes, cost }: Plan): ReadonlyMap<Address, Money> {
  if (!cost) return new Map();
  const prices = Object.fromEntries(
    Object.entries(cost.prices).map(([type, price]) => [type, moneyOf(price)]),
  );
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  return new Map(requests.map(({ address, payload }) => [address, requestCost(payload, prices) ?? 0n]));
}

export function currencyOf({ cost }: Plan) {
  return cost?.currency === undefined ? {} : { currency: cost.currency };
}
