/** A run in a log: CI, cron, a pipe. Lines are added and never drawn over. */
import { KINDS } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Clock } from '../util/clock.ts';
import { inertText } from '../util/inert-text.ts';
import { createLiveRun, type LiveRun } from '../views/live-run.ts';
import { createLoadLines, heartbeatLine } from './heartbeat-text.ts';
import { createFoldedKinds } from './folded-kinds.ts';
import { numberOf } from './live-text.ts';
import type { Renderer } from './renderer.ts';
import { createNews } from './run-lines.ts';
import type { Style } from './style.ts';

const HEARTBEAT_MS = 30_000;
/** So many of those that end alike without a result are named; the summary counts all of them. */
const NAMED = 5;

interface LineOptions {
  readonly write: (text: string) => void;
  readonly style: Style;
  readonly clock: Clock;
  readonly plan: Plan;
  readonly mediaInFlight: number;
  /** How long posts of earlier runs took. */
  readonly usualMs?: number | undefined;
}

type Finished = Extract<RunEvent, { type: 'node-finished' }>;

/** A line for each post, numbered as in the live block; what is many besides is one line. Silence is broken after 30 s. */
export function createLineRenderer(options: LineOptions): Renderer {
  const { write, style, clock, plan } = options;
  const run = createLiveRun(plan, options, clock.monotonic());
  const lineOf = createLines(plan, style);
  const loads = createLoadLines(style);
  let cancel = () => {};

  const say = (lines: readonly string[]) => {
    if (!lines.length) return;
    for (const line of lines) write(`${line}\n`);
    listen();
  };
  const listen = () => {
    cancel();
    cancel = clock.after(HEARTBEAT_MS, () => say([heartbeatLine(run.at(clock.monotonic()), style)]));
  };
  return {
    show(event) {
      const now = clock.monotonic();
      run.take(event, now);
      if (event.type === 'planned') listen();
      if (event.type === 'load-changed') say(loads(event, now));
      else say(lineOf.of(event, () => run.at(now)));
    },
    close() {
      cancel();
      for (const line of lineOf.rest()) write(`${line}\n`);
    },
  };
}

function createLines(plan: Plan, style: Style) {
  const news = createNews(style);
  const folded = createFoldedKinds(plan, style);
  /** Posts that were told when they were generated: their files are in the summary. */
  const told = new Set<string>();
  /** Ends without a result, by the word for them. */
  const named = new Map<string, number>();
  let moves = 0;

  const isNamed = ({ end, kind }: Finished) => {
    const number = (named.get(`${kind} ${end}`) ?? 0) + 1;
    named.set(`${kind} ${end}`, number);
    return number <= NAMED;
  };
  const ended = (event: Finished, at: () => LiveRun): string | undefined => {
    const { end, kind, address } = event;
    const { stored } = KINDS[kind];
    if (end === 'done' && stored === 'files' && told.delete(address.replace(/^download/, 'media')))
      return undefined;
    if (end === 'done' && stored === 'take') told.add(address);
    if (end === 'blocked' || end === 'pending' || end === 'put-off') {
      const line = news(event);
      return line !== undefined && isNamed(event) ? line : undefined;
    }
    const line = news(event);
    if (line === undefined) return undefined;
    return `${stored === 'take' ? numberOf(at().posts) : ' '}${line.slice(1)}${placeOf(event, style)}`;
  };

  return {
    of(event: RunEvent, at: () => LiveRun): string[] {
      if (event.type === 'node-moved' && (moves += 1) > NAMED) return [];
      if (event.type !== 'node-finished') return [news(event) ?? []].flat();
      const fold = folded.finished(event);
      return fold ? fold.lines : [ended(event, at) ?? []].flat();
    },
    /** What was not told by name. */
    rest(): string[] {
      const more = [...named].filter(([, number]) => number > NAMED);
      return [
        ...folded.rest(),
        ...(moves > NAMED ? [`  … and ${moves - NAMED} more moved`] : []),
        ...more.map(([key, number]) => {
          const [kind = '', end = ''] = key.split(' ');
          return `  … and ${number - NAMED} more ${kind}/… ${end === 'put-off' ? 'put off' : end}`;
        }),
      ];
    },
  };
}

function placeOf({ file, line }: Finished, style: Style): string {
  return file === undefined || line === undefined ? '' : `  ${style.dim(inertText(`${file}:${line}`))}`;
}
