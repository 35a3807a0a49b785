import { type Address, productKey } from '../model/address.ts';
import type { ObjectRef, RequestPayload } from '../model/payload.ts';
import type { RunState } from '../model/run-state.ts';
import { type SentItem, sentItem } from './match-created-items.ts';

export interface Requested {
  readonly payload: RequestPayload;
  readonly sent: readonly SentItem[];
  readonly nextItem: number;
}

export function requestedIn(state: RunState): (request: Address) => Requested {
  return (address) => {
    const payload = state.requests.get(address)?.payload;
    if (!payload) throw new Error(`no request ${address}`);
    return requestedBy(payload, state);
  };
}

export function requestedBy(payload: RequestPayload, state: RunState): Requested {
  const sent = payload.items.map((item) => sentItem(item, (product) => productOf(product, state)));
  return { payload, sent, nextItem: freeNumber(payload, state) };
}

/** Items may have been added since the request was sent, so surplus items get numbers above all of them. */
function freeNumber({ post, nextItem }: RequestPayload, state: RunState): number {
  const numbers = [...state.media.values()].flatMap((media) =>
    media.post === post ? Number(media.item) : [],
  );
  return Math.max(nextItem, ...numbers.filter(Number.isInteger).map((number) => number + 1));
}

function productOf(product: ObjectRef, state: RunState): { id?: string; url?: string } {
  if ('id' in product) return { id: product.id };
  const result = state.objects.get(product.address)?.result;
  return result && 'id' in result ? result : {};
}

/** Those that are gone say nothing about the service. */
export function madeProducts({ objects }: RunState): string[] {
  return [...objects.values()]
    .filter(({ goneAt }) => goneAt === undefined)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .flatMap(({ address, result }) =>
      productKey(address) !== undefined && result && 'id' in result ? [result.id] : [],
    );
}
