import { type Address, mediaAddress, postAddress, splitMedia } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import { withoutPeriod, withPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { addMoves, type Moved } from './moves.ts';

/**
 * The renames that the manifest states under `moved`: a product, a concept, an item (`media/hero/kitchen`), or a post
 * with all its items (`media/hero`), each in all its periods. The manifest no longer names what they come from. An entry is
 * passed over where the state knows what it goes to, unless another entry moves that on.
 */
export function statedMoves(graph: Graph, state: RunState): Moved {
  const start: Moved = { moves: [], state };
  const stated = graph.moved.filter(({ from }) => !graph.objects.has(from));
  if (!stated.length) return start;
  // Items come first, because an item with an entry of its own does not move with its post. They are moved once more
  // afterwards, for items of posts that were moved here.
  return [singleMoves, postMoves, singleMoves].reduce(
    (moved, entryMoves) => addMoves(moved, movesOf(stated, moved.state, entryMoves)),
    start,
  );
}

type EntryMoves = (move: Move, state: RunState) => Move[];

/** Each address is left once and reached once. */
function movesOf(entries: Graph['moved'], state: RunState, entryMoves: EntryMoves): Move[] {
  const left = new Set<Address>();
  const reached = new Set<Address>();
  const all = entries
    .flatMap((entry) => entryMoves(entry, state))
    .filter(({ from, to }) => {
      if (left.has(from) || reached.has(to) || !isKnown(from, state)) return false;
      left.add(from);
      reached.add(to);
      return true;
    });
  return withRoom(all, state);
}

/** Without moves to what stays where it is. */
function withRoom(moves: readonly Move[], state: RunState): Move[] {
  const leaving = new Set(moves.map(({ from }) => from));
  const free = moves.filter(({ to }) => !isKnown(to, state) || leaving.has(to));
  return free.length === moves.length ? free : withRoom(free, state);
}

function isKnown(address: Address, { objects, media }: RunState): boolean {
  return storedAs(address) === 'take' ? media.has(address) : objects.has(address);
}

function singleMoves(move: Move, { objects, media }: RunState): Move[] {
  if (objects.has(move.from) || media.has(move.from)) return [move];
  const { post, item } = splitMedia(move.to);
  return [...media.values()].flatMap((one) => {
    const isMeant = one.period !== undefined && mediaAddress(baseOf(one), one.item) === move.from;
    return isMeant ? inPeriod(one, post, item) : [];
  });
}

function postMoves({ from, to }: Move, { media }: RunState): Move[] {
  const path = to.slice(postAddress('').length);
  return [...media.values()]
    .filter((one) => postAddress(baseOf(one)) === from)
    .map((one) => inPeriod(one, path, one.item));
}

function baseOf({ post, period }: MediaState): string {
  return withoutPeriod(post, period);
}

function inPeriod({ address, period }: MediaState, base: string, item: string): Move {
  const to = mediaAddress(withPeriod(base, period), item);
  return { from: address, to, ...(period !== undefined && { period }) };
}
