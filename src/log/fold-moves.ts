/**
 * Gives nodes other addresses, all at once, because some exchange them. The requests that made posts keep theirs, and name the
 * products and concepts that they were sent with as these are named now.
 */
import { type Address, splitMedia, splitTake } from '../model/address.ts';
import { hasKey } from '../model/kinds.ts';
import type { ObjectRef } from '../model/payload.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, TakeState } from '../model/run-state.ts';
import { withFormerName } from './fold-object.ts';
import type { FoldState } from './fold-state.ts';
import { mapTakes } from './fold-take.ts';

export function foldMoves(state: FoldState, moves: readonly Move[]): void {
  moveObjects(state, moves);
  renameIn(state.requests, moves);
  const takes = moves.flatMap((move) => takenOut(state, move));
  moveMedia(state, moves);
  for (const { move, media, take } of takes) putTake(state, move, { media, take });
}

function moveObjects({ objects, before }: FoldState, moves: readonly Move[]): void {
  const moving = moves.flatMap(({ from, to }) => {
    const object = objects.get(from);
    return object ? [{ from, to, object, past: before.get(from) }] : [];
  });
  for (const { from } of moving) {
    objects.delete(from);
    before.delete(from);
  }
  for (const { to, object, past } of moving) {
    objects.set(to, { ...withFormerName(object), address: to });
    if (past) before.set(to, past);
  }
}

function renameIn(requests: FoldState['requests'], moves: readonly Move[]): void {
  const renamed = new Map(moves.flatMap(({ from, to }) => (hasKey(from) ? [[from, to] as const] : [])));
  if (!renamed.size) return;
  const isNamed = (ref: ObjectRef) => 'address' in ref && renamed.has(ref.address);
  const nowOf = <Ref extends ObjectRef>(ref: Ref): Ref =>
    'address' in ref ? { ...ref, address: renamed.get(ref.address) ?? ref.address } : ref;
  for (const [address, request] of requests) {
    const { concept, items } = request.payload;
    const isMeant =
      isNamed(concept) || items.some(({ payload }) => payload.assets.some(({ product }) => isNamed(product)));
    if (!isMeant) continue;
    const now = items.map((item) => {
      const assets = item.payload.assets.map((asset) => ({ ...asset, product: nowOf(asset.product) }));
      return { ...item, payload: { ...item.payload, assets } };
    });
    requests.set(address, {
      ...request,
      payload: { ...request.payload, concept: nowOf(concept), items: now },
    });
  }
}

function moveMedia({ media }: FoldState, moves: readonly Move[]): void {
  const moving = moves.flatMap((move) => {
    const known = media.get(move.from);
    return known ? [{ move, known }] : [];
  });
  for (const { move } of moving) media.delete(move.from);
  for (const { move, known } of moving) {
    const takes = [...known.takes, ...(media.get(move.to)?.takes ?? [])];
    const { period: _, ...plain } = known;
    media.set(move.to, { ...plain, ...placeOf(move), takes });
  }
}

interface Taken {
  readonly media: MediaState;
  readonly take: TakeState;
}

/** A take that leaves its medium, which keeps the others. */
function takenOut(state: FoldState, move: Move): (Taken & { readonly move: Move })[] {
  const { address, take: n } = splitTake(move.from);
  const media = n === undefined ? undefined : state.media.get(address);
  const take = media?.takes.find((each) => each.n === n);
  if (!media || !take) return [];
  mapTakes(state, media, (each) => (each === take ? undefined : each));
  return [{ move, media, take }];
}

/** It becomes the current take there. */
function putTake({ media }: FoldState, move: Move, { media: origin, take }: Taken): void {
  const { address, take: n = take.n } = splitTake(move.to);
  const known = media.get(address);
  const place = known ?? { ...origin, ...placeOf({ ...move, to: address }), takes: [] };
  const { letGo: _, ...named } = place;
  media.set(address, { ...named, takes: [...place.takes, { ...take, n }] });
}

function placeOf({ to, period }: Move): { address: Address; post: string; item: string; period?: string } {
  return { address: to, ...splitMedia(to), ...(period !== undefined && { period }) };
}
