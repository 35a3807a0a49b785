import { withEvents } from '../log/with-events.ts';
import type { Address } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
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

/** Repeats a step: what has moved may have made room for more. */
export function untilNoneMoves(start: Moved, step: (state: RunState) => readonly Move[]): Moved {
  for (let moved = start; ; ) {
    const more = step(moved.state);
    if (!more.length) return moved;
    moved = addMoves(moved, more);
  }
}

/** Two moves of the same thing become one, or none. */
export function addMoves({ moves, state }: Moved, more: readonly Move[]): Moved {
  const onwards = new Map(more.map((move) => [move.from, move]));
  const reached = new Set(moves.map(({ to }) => to));
  return {
    moves: makingRoomFirst([
      ...moves
        .map((move) => ({ ...(onwards.get(move.to) ?? move), from: move.from }))
        .filter(({ from, to, period }) => from !== to || period !== undefined),
      ...more.filter(({ from }) => !reached.has(from)),
    ]),
    state: withEvents(state, moveEvents(more, '')),
  };
}

/** A move that became one with a later one may go to an address that another move leaves. */
function makingRoomFirst(moves: readonly Move[]): Move[] {
  const open = new Map(moves.map((move) => [move.from, move]));
  return moves.flatMap(({ from }) => {
    const chain: Move[] = [];
    for (let next = open.get(from); next; next = open.get(next.to)) {
      open.delete(next.from);
      chain.unshift(next);
    }
    return chain;
  });
}

/**
 * Posts come before the products and concepts that they go with: if the power fails between two events, the objects still
 * say where the rest of the posts goes.
 */
export function moveEvents(moves: readonly Move[], at: string): StateEvent[] {
  const isPost = ({ from }: Move) => storedAs(from) === 'take';
  const inOrder = [...moves.filter(isPost), ...moves.filter((move) => !isPost(move))];
  return oneByOne(inOrder).map((move) => ({ type: 'moved', at, ...move }));
}

/**
 * Where addresses are exchanged, one of them is left for an address that no key can be. If the power fails between two
 * events, the next plan finds each by its content.
 */
function oneByOne(moves: readonly Move[]): Move[] {
  const open = new Map(moves.map((move) => [move.from, move]));
  const aside = new Map<Address, Address>();
  return moves.flatMap((move) => {
    open.delete(move.from);
    const blocking = open.get(move.to);
    const now = { ...move, from: aside.get(move.from) ?? move.from };
    if (!blocking || aside.has(move.to)) return now;
    aside.set(move.to, `${move.to}+moving`);
    return [{ ...blocking, to: `${move.to}+moving` }, now];
  });
}

export interface Marked {
  readonly address: Address;
  readonly fingerprint: string;
}

/**
 * Pairs entries that share a fingerprint, in the order of their addresses: what is equal in everything may stand for each
 * other, so none of it is paid for again. What has no partner left stays unpaired.
 */
export function pairEqual(gone: readonly Marked[], fresh: readonly Marked[]): Move[] {
  const old = byFingerprint(gone);
  const pairs = [...byFingerprint(fresh)].flatMap(([fingerprint, all]) =>
    (old.get(fingerprint) ?? []).flatMap((from, index) => {
      const to = all[index];
      return to ? [[to.address, from.address] as const] : [];
    }),
  );
  const partners = new Map(pairs);
  return fresh.flatMap(({ address: to }) => {
    const from = partners.get(to);
    return from === undefined ? [] : [{ from, to }];
  });
}

function byFingerprint(nodes: readonly Marked[]): Map<string, Marked[]> {
  const inOrder = nodes.toSorted(byAddress);
  return groupBy(inOrder, ({ fingerprint }) => fingerprint);
}

export interface ManyMarked {
  readonly address: Address;
  /** What shows which one it is, from the surest to the least sure. */
  readonly marks: readonly (string | undefined)[];
  /** Whether it was left alone before. */
  readonly isOld?: boolean;
  /** Whether nothing makes use of it: of what is wanted, it gets only what all others leave. */
  readonly isUnused?: boolean;
}

/**
 * Which of the known is which of the wanted, by the surest mark that they share: what is known there already, else what is
 * wanted no more, else what something else has displaced, at last what was left alone before. Only what has room can move:
 * each move of a chain makes room for the next. What changed places cannot move, and yet is nothing else.
 */
export function pairInChains(
  known: readonly ManyMarked[],
  wanted: readonly ManyMarked[],
  isTaken: (wanted: ManyMarked) => boolean,
): Move[] {
  const wantedAt = new Set(wanted.map(({ address }) => address));
  const knownAt = new Map(known.map((each) => [each.address, each]));
  const rank = ({ address, isOld }: ManyMarked) => (wantedAt.has(address) ? 1 : isOld ? 2 : 0);
  // The last one of each mark is taken first.
  const lastFirst = known.toSorted((a, b) => rank(b) - rank(a) || byAddress(b, a));
  const inOrder = wanted.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)) || byAddress(a, b));
  const origins = new Map<Address, Address>();
  const used = new Set<Address>();
  const pair = (from: Address, to: Address) => {
    origins.set(to, from);
    used.add(from);
  };
  const tiers = [...(wanted[0]?.marks.keys() ?? [])];
  for (const { isLast, tier } of [false, true].flatMap((isLast) => tiers.map((tier) => ({ isLast, tier })))) {
    const open = inOrder.filter(
      ({ address, marks, isUnused = false }) =>
        isUnused === isLast && !origins.has(address) && marks[tier] !== undefined,
    );
    if (!open.length) continue;
    for (const { address, marks } of open)
      if (!used.has(address) && knownAt.get(address)?.marks[tier] === marks[tier]) pair(address, address);
    const free = lastFirst.filter(({ address, marks }) => !used.has(address) && marks[tier] !== undefined);
    const byMark = groupBy(free, ({ marks }) => marks[tier] ?? '');
    for (const { address, marks } of open) {
      const from = origins.has(address) ? undefined : byMark.get(marks[tier] ?? '')?.pop();
      if (from) pair(from.address, address);
    }
  }
  return inOrder.filter((each) => !isTaken(each)).flatMap(({ address }) => chainTo(address, origins));
}

function chainTo(address: Address, origins: ReadonlyMap<Address, Address>): Move[] {
  const moves: Move[] = [];
  let to = address;
  for (let from = origins.get(to); from !== undefined; from = origins.get(to)) {
    moves.push({ from, to });
    to = from;
  }
  return moves;
}

function byAddress({ address: a }: { address: Address }, { address: b }: { address: Address }): number {
  return a < b ? -1 : Number(a > b);
}
