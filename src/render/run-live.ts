import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import { inertText } from '../util/inert-text.ts';
import { createLiveRun } from '../views/live-run.ts';
import { createBlock } from './block.ts';
import { inAscii, liveLines } from './live-text.ts';
import type { Renderer } from './renderer.ts';
import { createNews } from './run-lines.ts';
import { problemText } from './run-words.ts';
import type { Style } from './style.ts';

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
    const columns = (stream.columns || USUAL_COLUMNS) - 1;
    block.draw(liveLines(run.at(drawnAt), { columns, style, isUnicode }));
    drawAt(drawnAt + IDLE_MS);
  };
  const drawAt = (at: number) => {
    if (at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = clock.after(Math.max(0, at - clock.monotonic()), draw);
  };
  stream.on('resize', draw);

  return {
    show(event) {
      const now = clock.monotonic();
      run.take(event, now);
      const text = news(event);
      if (text !== undefined) block.print(isUnicode ? text : inAscii(text));
      drawAt(Math.max(now, drawnAt + FRAME_MS));
    },
    close() {
      cancel();
      stream.off('resize', draw);
      block.clear();
    },
  };
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
