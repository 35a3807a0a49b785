import { type Address, hasKey, splitMedia } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { groupBy } from '../util/group-by.ts';

/**
 * Renamed products and concepts: an object of the state that the manifest no longer names and a new one with exactly
 * the same fingerprint, one to one. An unknown create moves too, or its new name would be bought a second time.
 */
export function matchObjects(graph: Graph, state: RunState): Move[] {
  const gone = [...state.objects.values()].filter(
    ({ address, fingerprint }) => hasKey(address) && fingerprint && !graph.objects.has(address),
  );
  const fresh = [...graph.objects.values()].filter(
    ({ address, external }) => hasKey(address) && !external && !state.objects.has(address),
  );
  return pairOneToOne(gone, fresh);
}

interface Marked {
  readonly address: Address;
  readonly fingerprint: string;
}

/** Pairs what shares a fingerprint with exactly one on each side; the rest stays unpaired. */
export function pairOneToOne(gone: readonly Marked[], fresh: readonly Marked[]): Move[] {
  const byFingerprint = (nodes: readonly Marked[]) => groupBy(nodes, ({ fingerprint }) => fingerprint);
  const old = byFingerprint(gone);
  const moves: Move[] = [];
  for (const [fingerprint, [to, ...others]] of byFingerprint(fresh)) {
    const [from, ...rivals] = old.get(fingerprint) ?? [];
    if (to && from && !others.length && !rivals.length) moves.push({ from: from.address, to: to.address });
  }
  return moves;
}

/** The state as it is once the moves are recorded. */
export function applyMoves(state: RunState, moves: readonly Move[]): RunState {
  if (!moves.length) return state;
  const target = new Map(moves.map(({ from, to }) => [from, to]));
  const objects = new Map(
    [...state.objects.values()].map((object) => {
      const address = target.get(object.address) ?? object.address;
      return [address, { ...object, address }];
    }),
  );
  const media = new Map(
    [...state.media.values()].map((medium) => {
      const address = target.get(medium.address) ?? medium.address;
      return [address, { ...medium, address, ...splitMedia(address) }];
    }),
  );
  return { ...state, objects, media };
}

/** What was moved twice is told as one move. */
export function inOneStep(first: readonly Move[], second: readonly Move[]): Move[] {
  const onwards = new Map(second.map(({ from, to }) => [from, to]));
  const reached = new Set(first.map(({ to }) => to));
  return [
    ...first.map(({ from, to }) => ({ from, to: onwards.get(to) ?? to })),
    ...second.filter(({ from }) => !reached.has(from)),
  ];
}
