import stringWidth from 'string-width';
import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import { inertText } from '../util/inert-text.ts';
import { createLiveRun } from '../views/live-run.ts';
import { createBlock, mostRows } from './block.ts';
import { inAscii } from './ascii.ts';
import { liveLines } from './live-text.ts';
import type { Renderer } from './renderer.ts';
import { createNews } from './run-lines.ts';
import { problemText } from '../views/cause-words.ts';
import type { Style } from './style.ts';
import { wrapText } from './text-columns.ts';

/** At most ten frames a second; where nothing happens, one, because the clocks go on. */
const FRAME_MS = 100;
const IDLE_MS = 1000;
/** So many nodes that failed for one cause are named; the row counts all of them. */
const NAMED_PER_CAUSE = 5;
/** A terminal that does not say its width. */
const USUAL_COLUMNS = 80;

interface LiveOptions {
  readonly stream: NodeJS.WriteStream;
  readonly style: Style;
  readonly isUnicode: boolean;
  readonly clock: Clock;
  readonly plan: Plan;
  readonly mediaInFlight: number;
  /** How long posts of earlier runs took. */
  readonly usualMs?: number | undefined;
  /** Tells when Ctrl-Z is about to stop the process, and when it goes on; gives what ends the telling. */
  readonly whenStopped?: (told: { readonly before: () => void; readonly after: () => void }) => () => void;
}

/** For terminals: one block that shows how far the run is; only what went wrong stays printed above it. */
export function createLiveRenderer(options: LiveOptions): Renderer {
  const { stream, style, isUnicode, clock, plan } = options;
  const block = createBlock(stream);
  const run = createLiveRun(plan, options, clock.monotonic());
  const news = createLiveNews(style);
  let drawnAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.POSITIVE_INFINITY;
  let cancel = () => {};

  const draw = () => {
    drawnAt = clock.monotonic();
    nextAt = Number.POSITIVE_INFINITY;
    const screen = { columns: columnsOf(stream), rows: mostRows(stream), style, isUnicode };
    block.draw(liveLines(run.at(drawnAt), screen));
    drawAt(drawnAt + IDLE_MS);
  };
  const drawAt = (at: number) => {
    if (at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = clock.after(Math.max(0, at - clock.monotonic()), draw);
  };
  stream.on('resize', draw);
  const after = () => {
    block.leave();
    draw();
  };
  const unfollow = options.whenStopped?.({ before: block.clear, after });

  return {
    show(event) {
      const now = clock.monotonic();
      run.take(event, now);
      const text = news(event);
      if (text !== undefined) block.print(wrapped(isUnicode ? text : inAscii(text), columnsOf(stream)));
      drawAt(Math.max(now, drawnAt + FRAME_MS));
    },
    close() {
      cancel();
      unfollow?.();
      stream.off('resize', draw);
      block.clear();
    },
  };
}

/** The last column stays free: some terminals wrap when it is written to. */
function columnsOf({ columns }: NodeJS.WriteStream): number {
  return (columns || USUAL_COLUMNS) - 1;
}

/** Broken between words; what follows stands under the first word behind the mark. */
function wrapped(text: string, columns: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const first = /^ *(?:\S+ )?/.exec(line)?.[0] ?? '';
    const others = ' '.repeat(stringWidth(first));
    return wrapText(line.slice(first.length), { columns, first, others, widthOf: stringWidth });
  });
  return lines.join('\n');
}

/** What stays above the block: what failed, with its cause and its line. Waits, a stop and throttling are rows. */
function createLiveNews(style: Style): (event: RunEvent) => string | undefined {
  const news = createNews(style);
  const named = new Map<string, number>();
  return (event) => {
    if (event.type === 'node-waiting' || (event.type === 'run-stopping' && event.ms > 0)) return undefined;
    if (event.type !== 'node-finished') return news(event);
    if (event.end === 'done' || event.end === 'blocked' || event.end === 'pending') return undefined;
    const cause = event.problem ? problemText(event.problem) : '';
    const number = (named.get(cause) ?? 0) + 1;
    named.set(cause, number);
    const text = number > NAMED_PER_CAUSE ? undefined : news(event);
    const { file, line } = event;
    if (text === undefined || file === undefined || line === undefined) return text;
    return `${text}  ${style.dim(inertText(`${file}:${line}`))}`;
  };
}
