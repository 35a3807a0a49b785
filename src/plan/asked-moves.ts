import { type Address, mediaAddress, postAddress, splitMedia } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import type { Graph } from '../model/graph.ts';
import { withoutPeriod, withPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { movePost } from './period-moves.ts';
import { type Moved, moveInSteps } from './move-steps.ts';

/**
 * The renames that the manifest states under `moved`: a product, a concept, an item (`media/hero/kitchen`), or a post
 * with all its items (`media/hero`), each in all its periods. An entry that was applied already, or whose target the state knows, is ignored.
 */
export function askedMoves(graph: Graph, state: RunState): Moved {
  const items = (now: RunState) => movesOf(graph, now, singleMoves);
  const posts = (now: RunState) => movesOf(graph, now, postMoves);
  // Items come first, because an item with an entry of its own does not move with its post. They are moved once more
  // afterwards, for items of posts that were moved here.
  return moveInSteps({ moves: [], state }, [items, posts, items]);
}

type Moves = (move: Move, state: RunState) => Move[];

/** Entries are applied in order; each address is left once and reached once. */
function movesOf(graph: Graph, state: RunState, entryMoves: Moves): Move[] {
  const left = new Set<Address>();
  const reached = new Set<Address>();
  return graph.moved.flatMap((entry) =>
    entryMoves(entry, state).filter(({ from, to }) => {
      if (left.has(from) || reached.has(to) || !isFree(from, to, state)) return false;
      left.add(from);
      reached.add(to);
      return true;
    }),
  );
}

function singleMoves(move: Move, { objects, media }: RunState): Move[] {
  if (objects.has(move.from) || media.has(move.from)) return [move];
  const { post, item } = splitMedia(move.to);
  return periodic(media).flatMap((one) => {
    const isMeant = mediaAddress(baseOf(one), one.item) === move.from;
    return isMeant ? movePost({ ...one, item }, inPeriod(post, one)) : [];
  });
}

function postMoves({ from, to }: Move, { media }: RunState): Move[] {
  const path = to.slice(postAddress('').length);
  return [...media.values()]
    .filter((one) => postAddress(baseOf(one)) === from)
    .map((one) => movePost(one, inPeriod(path, one)));
}

function periodic(media: RunState['media']): MediaState[] {
  return [...media.values()].filter(({ period }) => period !== undefined);
}

function baseOf({ post, period }: MediaState): string {
  return withoutPeriod(post, period);
}

function inPeriod(base: string, { period }: MediaState) {
  return { path: withPeriod(base, period), period };
}

function isFree(from: Address, to: Address, { objects, media }: RunState): boolean {
  return storedAs(from) === 'take'
    ? media.has(from) && !media.has(to)
    : objects.has(from) && !objects.has(to);
}
