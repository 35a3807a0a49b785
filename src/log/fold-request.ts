/**
 * Media configurations. The intent of a request already gives a take to each of its items: from then on the item may
 * have been paid for, so it must not be requested again.
 *
 * A request that was taken back (not sent, throttled, decided as not created) leaves no take but is kept as `skipped`.
 * So its number is not used again, and one address never means two requests; and it is neither open nor failed, so
 * nobody has to decide about it. `rejected` is the same with the status `failed`.
 */
import { type Address, mediaAddress } from '../model/address.ts';
import type { MediaState, NodeStatus, RequestState, TakeState } from '../model/run-state.ts';
import type { RequestedItem } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeResult, RequestResult } from '../model/result.ts';
import type { RequestEvent } from '../model/state-event.ts';
import { INTERRUPTED, type FoldState, markGone } from './fold-state.ts';
import { addTake, foldLetGo, forgetTake, mapTakes, withoutProblem } from './fold-take.ts';

export function foldRequest(state: FoldState, event: RequestEvent): void {
  const { address, at } = event;
  if (event.type === 'intent') {
    if (!event.request) return;
    const request = { address, payload: event.request, at };
    state.spending.open.add(address);
    set(state, { ...request, status: 'unknown', evidence: INTERRUPTED, requestedAt: at });
    foldLetGo(state, { addresses: event.request.letsGo ?? [], again: [] });
    return addTakes(state, request, 'unknown');
  }
  if (event.type === 'imported') return importRequest(state, event);
  const old = state.requests.get(address);
  if (!old) return;
  if (event.type === 'refreshed') return set(state, markGone(old, event));
  const refused = { address, payload: old.payload, at };
  const request = { ...refused, ...(old.requestedAt !== undefined && { requestedAt: old.requestedAt }) };
  switch (event.type) {
    case 'created':
      return create(state, request, event.result);
    case 'rejected':
      return takeBack(state, { ...refused, status: 'failed', problem: event.problem });
    case 'not-sent':
    case 'throttled':
      return takeBack(state, { ...refused, status: 'skipped', problem: event.problem });
    case 'unknown':
      return set(state, { requestedAt: at, ...request, status: 'unknown', evidence: event.evidence });
    case 'failed': {
      const { problem } = event;
      // The takes may have been paid for, so they stay and are not requested again by themselves.
      changeTakes(state, old, (take) => ({ ...take, status: 'failed', problem, settledAt: at }));
      return set(state, { ...request, status: 'failed', problem });
    }
    case 'resolved':
      if (event.decision === 'created') return event.result && create(state, request, event.result);
      if (event.decision === 'not-created') return takeBack(state, { ...refused, status: 'skipped' });
      changeTakes(state, old, (take) => (take.status === 'unknown' ? { ...take, status: 'skipped' } : take));
      return set(state, { ...request, status: 'skipped' });
    case 'listed':
      return list(state, old, event.result);
    case 'deleted':
      return forgetRequest(state, address, { deleted: true });
    // Until it is certain, the posts are what they were.
    case 'deleting':
    case 'not-deleted':
      return;
  }
}

/** Its posts are polled like those of other requests; nothing was sent, so nothing counts as spent. */
function importRequest(state: FoldState, event: Extract<RequestEvent, { type: 'imported' }>): void {
  const { address, at, request: payload } = event;
  if (!payload) return;
  const result = event.result as RequestResult;
  const request: RequestState = { address, payload, status: 'done', result, imported: true, at };
  set(state, request);
  addTakes(state, request, 'pending');
  addSurplus(state, request);
}

function create(state: FoldState, requested: Requested, end: NodeResult): void {
  const result = end as RequestResult;
  const { at, requestedAt = at } = requested;
  const request: RequestState = { ...requested, status: 'done', result, requestedAt };
  set(state, request);
  // There is none where the request had been decided as not created and exists after all.
  const media = mediaOf(state, request);
  if (media.length === 0) addTakes(state, request, 'pending');
  else changeTakes(state, request, (take) => ({ ...take, status: 'pending', requestedAt: at }));
  addSurplus(state, request, media[0]);
}

/** `post`: where it is now, because it may have been renamed since. */
function addSurplus(state: FoldState, request: RequestState, post: Place = request.payload): void {
  for (const item of request.result?.surplus ?? []) {
    const take = takeOf(request, { item, inputs: {}, fingerprint: '' }, 'pending');
    addTake(state, { ...placeOf(post), item, surplus: true }, take);
  }
}

type Place = Pick<MediaState, 'post' | 'period'>;

function placeOf({ post, period }: Place): Place {
  return { post, ...(period !== undefined && { period }) };
}

/**
 * Items that the answer to the request did not have exist after all: their takes had failed and are pending again. What
 * was known before stays as it is, and no item is there twice.
 */
function list(state: FoldState, old: RequestState, { items, surplus = [] }: RequestResult): void {
  if (!old.result) return;
  const { result } = old;
  const ids = new Set(Object.values(result.items).map(({ id }) => id));
  const added = Object.entries(items).filter(
    ([name, { id }]) => !Object.hasOwn(result.items, name) && !ids.has(id),
  );
  const names = new Set(added.map(([name]) => name));
  const all = { ...result.items, ...Object.fromEntries(added) };
  const [media] = mediaOf(state, old);
  changeTakes(state, old, (take) =>
    names.has(take.requestedAs) && take.status === 'failed'
      ? { ...withoutProblem(take), status: 'pending' }
      : take,
  );
  const beyond = surplus.filter((name) => names.has(name));
  addSurplus(state, { ...old, result: { ...result, surplus: beyond } }, media);
  set(state, { ...old, result: { ...result, items: all, surplus: [...(result.surplus ?? []), ...beyond] } });
}

/** Nothing was made, so nothing was paid. */
function takeBack(state: FoldState, request: RequestState & { readonly problem?: Problem }): void {
  state.spending.open.delete(request.address);
  changeTakes(state, request, () => undefined);
  set(state, request);
}

/** Removes a request with the posts that it made. Its number stays taken, so that one address never means two requests. */
export function forgetRequest(
  state: FoldState,
  address: Address,
  how: Pick<RequestState, 'deleted'> = {},
): void {
  const request = state.requests.get(address);
  if (!request) return;
  for (const media of madeBy(state, request))
    mapTakes(state, media, (take) => (take.request === address ? forgetTake(state, take) : take));
  const { payload, at, requestedAt } = request;
  const spent = requestedAt === undefined ? {} : { requestedAt };
  set(state, { address, payload, at, status: 'skipped', ...spent, ...how });
}

function addTakes(state: FoldState, request: Requested, status: NodeStatus): void {
  const place = placeOf(request.payload);
  for (const item of request.payload.items) {
    addTake(state, { ...place, item: item.item, surplus: false }, takeOf(request, item, status));
  }
}

type Requested = Pick<RequestState, 'address' | 'payload' | 'at' | 'requestedAt'>;

function takeOf(
  request: Requested,
  item: Pick<RequestedItem, 'item' | 'inputs' | 'fingerprint'>,
  status: NodeStatus,
): TakeState {
  return {
    n: request.payload.n,
    request: request.address,
    requestedAs: item.item,
    status,
    inputs: item.inputs,
    fingerprint: item.fingerprint,
    seen: false,
    requestedAt: request.at,
  };
}

function changeTakes(
  state: FoldState,
  request: RequestState,
  change: (take: TakeState) => TakeState | undefined,
): void {
  for (const media of mediaOf(state, request))
    mapTakes(state, media, (take) => (take.request === request.address ? change(take) : take));
}

/** What was asked for. */
function mediaOf(state: FoldState, request: Requested): MediaState[] {
  return named(
    state,
    request,
    request.payload.items.map(({ item }) => item),
  );
}

/** All of it, surplus posts too. */
function madeBy(state: FoldState, request: RequestState): MediaState[] {
  const asked = request.payload.items.map(({ item }) => item);
  return named(state, request, [...asked, ...(request.result?.surplus ?? [])]);
}

/** Found by name or, if some were moved since, by searching all. */
function named(state: FoldState, { address, payload }: Requested, items: readonly string[]): MediaState[] {
  const has = (media: MediaState | undefined): media is MediaState =>
    media?.takes.some((take) => take.request === address) ?? false;
  const found = items.map((item) => state.media.get(mediaAddress(payload.post, item))).filter(has);
  return found.length === items.length ? found : [...state.media.values()].filter(has);
}

function set(state: FoldState, request: RequestState): void {
  state.requests.set(request.address, request);
}
