/**
 * The bars of a timeline, drawn together where they lie too close to be told apart: ten thousand requests become at most
 * some thousand rectangles, whatever the width of the screen. Pure.
 */
import { createPriorityQueue } from '../util/priority-queue.ts';

/** What a bar says: a request under way, one that was sent again, waiting for the service, waiting to try again. */
export const BAR_KINDS = ['working', 'again', 'generating', 'waiting'] as const;
export type BarKind = (typeof BAR_KINDS)[number];

/** Milliseconds since the run began. `node`: bars of one node lie in one row. */
export interface Bar {
  readonly node: string;
  readonly begin: number;
  readonly end: number;
  readonly kind: BarKind;
}

/** A timeline is this wide; what is narrower is one unit wide. */
export const WIDTH = 2_000;

/** More rows than these are drawn together. */
export const MOST_ROWS = 12;

export interface DrawnLane {
  /** How many nodes had something under way at the same time, at most. */
  readonly atOnce: number;
  readonly rows: number;
  /** By the kind of the bars: for each rectangle its place, width and row, one after the other. */
  readonly rects: Readonly<Partial<Record<BarKind, readonly number[]>>>;
}

export function drawLane(bars: readonly Bar[], ms: number): DrawnLane {
  const { rowOf, atOnce } = rowsOf(bars);
  const rows = Math.min(atOnce, MOST_ROWS);
  const unit = ms > 0 ? WIDTH / ms : 0;
  const rects: Partial<Record<BarKind, number[]>> = {};
  for (const kind of BAR_KINDS) {
    const drawn = mergedOf(
      bars.filter((bar) => bar.kind === kind),
      (bar) => Math.floor(((rowOf.get(bar.node) ?? 0) * rows) / atOnce),
      unit,
    );
    if (drawn.length) rects[kind] = drawn;
  }
  return { atOnce, rows, rects };
}

interface Extent {
  begin: number;
  end: number;
}

/** The first row that is free for as long as the node is under way. */
function rowsOf(bars: readonly Bar[]): {
  readonly rowOf: ReadonlyMap<string, number>;
  readonly atOnce: number;
} {
  const extents = new Map<string, Extent>();
  for (const { node, begin, end } of bars) {
    const known = extents.get(node);
    if (!known) extents.set(node, { begin, end });
    else {
      known.begin = Math.min(known.begin, begin);
      known.end = Math.max(known.end, end);
    }
  }
  const rowOf = new Map<string, number>();
  const busy = createPriorityQueue<Extent & { readonly row: number }>((a, b) => a.end < b.end);
  const free = createPriorityQueue<number>((a, b) => a < b);
  let atOnce = 0;
  for (const [node, extent] of [...extents].sort(([, a], [, b]) => a.begin - b.begin)) {
    for (let ended = busy.peek(); ended && ended.end <= extent.begin; ended = busy.peek()) {
      free.push(ended.row);
      busy.pop();
    }
    const row = free.pop() ?? atOnce++;
    rowOf.set(node, row);
    busy.push({ ...extent, row });
  }
  return { rowOf, atOnce };
}

/** Place, width and row of each rectangle; those of a row that touch are one. */
function mergedOf(bars: readonly Bar[], rowOf: (bar: Bar) => number, unit: number): number[] {
  const placed = bars.map((bar) => {
    const begin = Math.min(WIDTH - 1, Math.max(0, Math.floor(bar.begin * unit)));
    return { row: rowOf(bar), begin, end: Math.min(WIDTH, Math.max(begin + 1, Math.ceil(bar.end * unit))) };
  });
  placed.sort((a, b) => a.row - b.row || a.begin - b.begin);
  const rects: number[] = [];
  let last: (typeof placed)[number] | undefined;
  for (const each of placed) {
    if (last && last.row === each.row && each.begin <= last.end) {
      last.end = Math.max(last.end, each.end);
      continue;
    }
    if (last) rects.push(last.begin, last.end - last.begin, last.row);
    last = each;
  }
  if (last) rects.push(last.begin, last.end - last.begin, last.row);
  return rects;
}
