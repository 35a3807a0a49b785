/**
 * Older takes that say exactly what an item asks for: a format was swapped for another one, which the posts took over, and
 * is wanted again beside it. They were paid for and their files are there, so another one is asked about.
 */
import { type Address, takeAddress } from '../model/address.ts';
import type { Graph, GraphItem, GraphPost } from '../model/graph.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { findDue, findMoving } from './periods.ts';

export type MadeBefore = (item: GraphItem, post: GraphPost) => Address | undefined;

interface OlderTake {
  readonly address: Address;
  readonly media: MediaState;
}

/** Of takes that were only made again, the newest says the same: they are no older ones. They are collected when asked for. */
export function findMadeBefore(graph: Graph, state: RunState): MadeBefore {
  const mayBecome = findMoving(graph, state);
  const isDue = findDue(graph, state);
  let byContent: ReadonlyMap<string, readonly OlderTake[]> | undefined;
  return ({ fingerprint }, post) => {
    byContent ??= olderTakes(state);
    const older = byContent.get(fingerprint) ?? [];
    return older.findLast(({ media }) => mayBecome(media, post.period?.name, isDue(post)))?.address;
  };
}

function olderTakes({ media }: RunState): ReadonlyMap<string, OlderTake[]> {
  const byContent = new Map<string, OlderTake[]>();
  for (const medium of media.values()) {
    const newest = currentTake(medium)?.fingerprint;
    for (const { n, status, fingerprint } of medium.takes) {
      if (fingerprint === newest || (status !== 'done' && status !== 'pending')) continue;
      const known = byContent.get(fingerprint) ?? [];
      byContent.set(fingerprint, known);
      known.push({ address: takeAddress(medium.address, n), media: medium });
    }
  }
  return byContent;
}
