/**
 * When a run did what. The log has the beginning and the end of every create, and when posts and files were there; the
 * notes of a run on this machine (app/attempt-notes.ts) have every attempt, polls and downloads too. What neither has is
 * not shown. Pure.
 */
import { mediaAddress, requestsAddress, splitTake, takeAddress } from '../model/address.ts';
import type { Attempt } from '../model/attempt.ts';
import { kindOf, KINDS, type NodeKind, shortAddress, storedAs } from '../model/kinds.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import { groupBy } from '../util/group-by.ts';
import { type Bar, drawLane, type DrawnLane } from './lanes.ts';
import { type PartOfTime, partsOfTime, type Stretch, timeSentence } from './time-parts.ts';

export interface RunTimeline {
  readonly run: string;
  readonly command: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Null where the run was killed, or is under way. */
  readonly outcome: string | null;
  readonly by: string;
  readonly ms: number;
  /** `attempts`: every attempt was noted; `log`: creates only; `nothing`: the log was compacted since. */
  readonly recorded: 'attempts' | 'log' | 'nothing';
  readonly lanes: readonly RunLane[];
  /** They add up to `ms`; empty where nothing is recorded. */
  readonly parts: readonly PartOfTime[];
  readonly sentence: string;
}

export interface RunLane extends DrawnLane {
  readonly kind: NodeKind;
  /** How many were sent, or asked for; and how many of them again, because something went wrong. */
  readonly requests: number;
  readonly again: number;
  /** All requests together; null where their beginnings are not recorded. */
  readonly workingMs: number | null;
  readonly waitingMs: number;
  readonly longest: { readonly address: string; readonly ms: number } | null;
}

export type Timed = Extract<StateEvent, { readonly at: string }>;

interface Known {
  readonly events: readonly Timed[];
  readonly attempts: readonly Attempt[];
  readonly now: number | undefined;
}

export function timelineOf(summary: RunSummary, { events, attempts, now }: Known): RunTimeline {
  const { run, command, startedAt, end, by } = summary;
  const began = Date.parse(startedAt);
  const last = events.reduce((latest, { at }) => Math.max(latest, Date.parse(at)), began);
  const ended = end ? Date.parse(end.at) : (now ?? last);
  const ms = Math.max(0, ended - began);
  const own = attempts.filter((each) => each.begin >= began - 1 && each.begin <= ended);
  const pieces = own.length ? fromAttempts(own, { began, ms }) : fromLog(events, { began, ms });
  const recorded = own.length ? 'attempts' : pieces.length ? 'log' : 'nothing';
  const parts = recorded === 'nothing' ? [] : partsOfTime(pieces.flatMap(stretchOf), ms);
  return {
    run,
    command,
    startedAt,
    outcome: end?.outcome ?? null,
    by,
    ms,
    recorded,
    lanes: lanesOf(pieces, ms),
    parts,
    sentence: parts.length ? timeSentence(parts, ms) : '',
  };
}

interface Piece extends Bar {
  readonly lane: NodeKind;
  /** Only the end is recorded. */
  readonly isMoment?: true;
}

/** Attempts of one node, and between them the waits; a poll that finds its post unfinished waits for the service. */
function fromAttempts(
  attempts: readonly Attempt[],
  { began, ms }: { readonly began: number; readonly ms: number },
): Piece[] {
  const nodes = groupBy(attempts, ({ address }) => address);
  return [...nodes].flatMap(([node, all]) => {
    const lane = kindOf(node);
    if (!lane) return [];
    const sorted = all.toSorted((a, b) => a.begin - b.begin);
    const last = sorted.at(-1);
    // It is still being generated when the run ends.
    const rest: Piece[] =
      last && WAITS.has(last.came) && last.end - began < ms
        ? [{ node, lane, begin: last.end - began, end: ms, kind: 'generating' }]
        : [];
    const pieces = sorted.flatMap((each, index): Piece[] => {
      const before = sorted[index - 1];
      const wait = before && (WAITS.has(before.came) ? 'generating' : 'waiting');
      const kind = wait === 'waiting' ? 'again' : 'working';
      const piece = { node, lane, begin: each.begin - began, end: each.end - began, kind } as const;
      return before && wait && each.begin > before.end
        ? [{ node, lane, begin: before.end - began, end: each.begin - began, kind: wait }, piece]
        : [piece];
    });
    return [...pieces, ...rest];
  });
}

const WAITS: ReadonlySet<Attempt['came']> = new Set(['pending', 'absent', 'denied', 'busy']);

const ENDS: ReadonlySet<StateEvent['type']> = new Set([
  'created',
  'rejected',
  'not-sent',
  'throttled',
  'unknown',
]);

/** What was only done is a moment: the log does not say when it began. */
const MOMENTS: ReadonlySet<StateEvent['type']> = new Set(['uploaded', 'downloaded', 'updated']);

function fromLog(events: readonly Timed[], { began, ms }: { began: number; ms: number }): Piece[] {
  const pieces: Piece[] = [];
  const open = new Map<string, { readonly begin: number; readonly attempt: number }>();
  const generating = new Map<string, number>();
  const add = (node: string, piece: Pick<Piece, 'begin' | 'end' | 'kind'>, isMoment?: true) => {
    const lane = kindOf(node);
    if (lane) pieces.push({ node, lane, ...piece, ...(isMoment && { isMoment }) });
  };
  const close = (node: string, end: number) => {
    const { begin, attempt } = open.get(node) ?? {};
    if (begin !== undefined) add(node, { begin, end, kind: (attempt ?? 1) > 1 ? 'again' : 'working' });
    open.delete(node);
  };
  for (const event of events) {
    if (!('address' in event) || event.address === undefined) continue;
    const { type, address } = event;
    const at = Math.max(0, Date.parse(event.at) - began);
    if (type === 'intent') open.set(address, { begin: at, attempt: event.attempt });
    else if (ENDS.has(type)) close(address, at);
    else if (MOMENTS.has(type)) add(address, { begin: at, end: at, kind: 'working' }, true);
    if (type === 'created') for (const take of takesOf(event)) generating.set(take, at);
    if (type === 'generated' || type === 'generation-failed' || type === 'lost') {
      // Of an earlier run: it was being generated when this one began.
      add(address, { begin: generating.get(address) ?? 0, end: at, kind: 'generating' });
      generating.delete(address);
    }
  }
  for (const [node] of open) close(node, ms);
  for (const [node, begin] of generating) add(node, { begin, end: ms, kind: 'generating' });
  return pieces;
}

/** The takes that a request made. */
function takesOf({ address, result }: Extract<StateEvent, { type: 'created' }>): string[] {
  if (!('items' in result) || storedAs(address) !== 'request') return [];
  const { address: requests, take = 1 } = splitTake(address);
  const post = requests.slice(requestsAddress('').length);
  return Object.keys(result.items).map((item) => takeAddress(mediaAddress(post, item), take));
}

function stretchOf({ lane, kind, begin, end, isMoment }: Piece): Stretch[] {
  if (isMoment) return [];
  if (kind === 'waiting' || kind === 'generating') return [{ part: kind, begin, end }];
  const { stored } = KINDS[lane];
  if (stored === 'files') return [{ part: 'downloading', begin, end }];
  // A poll is part of the wait.
  return [{ part: stored === 'take' ? 'generating' : 'sending', begin, end }];
}

const LANES = Object.keys(KINDS) as NodeKind[];

function lanesOf(pieces: readonly Piece[], ms: number): RunLane[] {
  const byLane = groupBy(pieces, ({ lane }) => lane);
  return LANES.flatMap((kind) => {
    const own = byLane.get(kind);
    return own ? [laneOf(kind, own, ms)] : [];
  });
}

function laneOf(kind: NodeKind, pieces: readonly Piece[], ms: number): RunLane {
  const isSent = (piece: Piece) => piece.kind === 'working' || piece.kind === 'again';
  const sent = pieces.filter(isSent);
  const timed = sent.filter((piece) => !piece.isMoment);
  const longest = timed.reduce<Piece | undefined>(
    (most, each) => (most && most.end - most.begin >= each.end - each.begin ? most : each),
    undefined,
  );
  const sum = (all: readonly Piece[]) => all.reduce((total, { begin, end }) => total + end - begin, 0);
  return {
    kind,
    ...drawLane(pieces, ms),
    requests: sent.length,
    again: sent.filter((piece) => piece.kind === 'again').length,
    workingMs: timed.length ? sum(timed) : null,
    waitingMs: sum(pieces.filter((piece) => !isSent(piece))),
    longest: longest ? { address: shortAddress(longest.node), ms: longest.end - longest.begin } : null,
  };
}
