import { withEvents } from '../log/with-events.ts';
import type { Address } from '../model/address.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { groupBy } from '../util/group-by.ts';

/** `state` has these moves applied. */
export interface Moved {
  readonly moves: readonly Move[];
  readonly state: RunState;
}

export function moveInSteps(start: Moved, steps: readonly ((state: RunState) => readonly Move[])[]): Moved {
  return steps.reduce((moved, step) => addMoves(moved, step(moved.state)), start);
}

/** Two moves of the same thing become one. */
export function addMoves({ moves, state }: Moved, more: readonly Move[]): Moved {
  const onwards = new Map(more.map((move) => [move.from, move]));
  const reached = new Set(moves.map(({ to }) => to));
  return {
    moves: [
      ...moves.map((move) => ({ ...(onwards.get(move.to) ?? move), from: move.from })),
      ...more.filter(({ from }) => !reached.has(from)),
    ],
    state: withEvents(state, moveEvents(more, '')),
  };
}

export function moveEvents(moves: readonly Move[], at: string): StateEvent[] {
  return moves.map((move) => ({ type: 'moved', at, ...move }));
}

export interface Marked {
  readonly address: Address;
  readonly fingerprint: string;
}

/** Pairs entries that share a fingerprint with exactly one entry on each side; the others stay unpaired. */
export function pairOneToOne(gone: readonly Marked[], fresh: readonly Marked[]): Move[] {
  const byFingerprint = (nodes: readonly Marked[]) => groupBy(nodes, ({ fingerprint }) => fingerprint);
  const old = byFingerprint(gone);
  return [...byFingerprint(fresh)].flatMap(([fingerprint, [to, ...others]]) => {
    const [from, ...rivals] = old.get(fingerprint) ?? [];
    return to && from && !others.length && !rivals.length ? [{ from: from.address, to: to.address }] : [];
  });
}
