import { withEvents } from '../log/with-events.ts';
import { splitTake, takeAddress } from '../model/address.ts';
import type { Move } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';

/** `state` has these moves applied. */
export interface Moved {
  readonly moves: readonly Move[];
  readonly state: RunState;
}

/** Moves that were found one after the other become one each. */
export function addMoves({ moves, state }: Moved, more: readonly Move[]): Moved {
  if (!more.length) return { moves, state };
  const onwards = new Map(more.map((move) => [move.from, move]));
  const origins = new Map(moves.map(({ from, to }) => [to, from]));
  /** A take of what has moved already is named by where it was. */
  const before = (from: string) => {
    const { address, take } = splitTake(from);
    return take === undefined ? from : takeAddress(origins.get(address) ?? address, take);
  };
  return {
    moves: [
      ...moves
        .map((move) => ({ ...(onwards.get(move.to) ?? move), from: move.from }))
        .filter(({ from, to, period }) => from !== to || period !== undefined),
      ...more.filter(({ from }) => !origins.has(from)).map((move) => ({ ...move, from: before(move.from) })),
    ],
    state: withEvents(state, moveEvents(more, '')),
  };
}

/** All moves are one event, which a power cut leaves whole or not at all: things that exchange their names move at once. */
export function moveEvents(moves: readonly Move[], at: string): StateEvent[] {
  return moves.length ? [{ type: 'moved', at, moves: [...moves] }] : [];
}

/** A name that no key and no number can be, for what has to leave an address and has no other: `media/hero/kitchen+1`. */
export function createAside(isTaken: (address: string) => boolean): (address: string) => string {
  const given = new Set<string>();
  return (address) => {
    const plain = address.replace(/\+\d+$/, '');
    for (let n = 1; ; n++) {
      const aside = `${plain}+${n}`;
      if (isTaken(aside) || given.has(aside)) continue;
      given.add(aside);
      return aside;
    }
  };
}
