/**
 * What each thing of the manifest was before, by the rules of docs/editing.md, over the whole manifest: stated renames,
 * then products and concepts, then posts. Pure.
 */
import { type Address, mediaAddress } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import { withoutPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import type { MediaState, RunState } from '../model/run-state.ts';
import { NO_VERDICTS, type Verdicts } from '../model/verdict.ts';
import { instancePaths } from './instance-paths.ts';
import { isNumber, numberAfter, usedNumbers } from './item-numbers.ts';
import { matchObjects } from './match-objects.ts';
import { type Claim, matchPosts, type Origin } from './match-posts.ts';
import { addMoves, type Moved } from './moves.ts';
import { findOnwards, type Onwards } from './periods.ts';
import { type Named, postMoves } from './post-moves.ts';
import { statedMoves } from './stated-moves.ts';

/** An item of the manifest, and what the state knows of it. */
export interface MatchedItem {
  /** Without take; `name` is its last part. */
  readonly address: Address;
  readonly name: string;
  readonly item: GraphItem;
  readonly known?: MediaState;
}

export interface MatchedPost {
  readonly post: GraphPost;
  readonly items: readonly MatchedItem[];
  /** The number for the next unknown item. */
  readonly nextItem: number;
}

/** `state` has the moves applied. */
export interface MatchedState extends Moved {
  readonly posts: readonly MatchedPost[];
  /** By what the periods were before. */
  readonly onwards: Onwards;
}

export function matchState(graph: Graph, state: RunState, verdicts: Verdicts = NO_VERDICTS): MatchedState {
  const stated = statedMoves(graph, state);
  const isStated = reachedBy(stated.moves);
  const objects = addMoves(stated, matchObjects(graph, stated.state, isStated));
  const paths = instancePaths(graph, objects.state, objects.moves);
  const onwards = findOnwards(graph, objects.state);
  const claims = matchPosts(graph, { state: objects.state, paths, isStated, onwards, verdicts });
  const used = usedNumbers(objects.state);
  const named = claims.map((claim) => nameItems(claim, used.get(claim.post.path) ?? 1));
  const moved = addMoves(objects, postMoves(objects.state, named, paths));
  return {
    ...moved,
    onwards,
    posts: named.map(({ claim: { post }, names, nextItem }) => ({
      post,
      nextItem,
      items: post.items.map((item, index): MatchedItem => {
        const name = names[index] ?? '';
        const address = mediaAddress(post.path, name);
        const known = moved.state.media.get(address);
        return known ? { address, name, item, known } : { address, name, item };
      }),
    })),
  };
}

/** What is stated is settled, whatever else would be the same. */
function reachedBy(moves: readonly Move[]): (address: Address) => boolean {
  const reached = new Set(moves.map(({ to }) => to));
  return (address) => reached.has(address);
}

/** A key, the number that an item has already, or the next one. */
function nameItems(claim: Claim, used: number): Named & Pick<MatchedPost, 'nextItem'> {
  const { post, own, origins } = claim;
  const taken = new Set<string>();
  const kept = post.items.map((item) => {
    const name = item.key ?? numberOf(origins.get(item), claim);
    if (name === undefined || taken.has(name)) return undefined;
    taken.add(name);
    return name;
  });
  let nextItem = Math.max(used, numberAfter(own.map(({ item }) => item)), numberAfter(taken));
  // What was there before comes first: once it has its number, the next plan gives the others the same ones.
  const known = kept.map((name, index) => {
    const item = post.items[index];
    return name ?? (item && origins.has(item) ? String(nextItem++) : undefined);
  });
  const names = known.map((name) => name ?? String(nextItem++));
  return { claim, names, nextItem };
}

/** Within its instance an item keeps its number. */
function numberOf(origin: Origin | undefined, { post, former }: Claim): string | undefined {
  const { medium } = origin ?? {};
  if (!medium || !isNumber(medium.item)) return undefined;
  const bases = [post.path, former ?? post.path].map((path) => withoutPeriod(path, post.period?.name));
  return bases.includes(withoutPeriod(medium.post, medium.period)) ? medium.item : undefined;
}
