/** Collects the records of a log, run by run, and makes the timelines of the newest runs. */
import type { LogRecord } from '../log/log-record.ts';
import type { Attempt } from '../model/attempt.ts';
import type { RunSummary } from '../model/run-summary.ts';
import { type RunTimeline, type Timed, timelineOf } from './run-timeline.ts';

/** As many of the newest runs have a timeline: each takes up to 100 KB of a report. */
const MOST_RUNS = 10;

export type Timelines = ReturnType<typeof createTimelines>;

export function createTimelines() {
  const runs = new Map<string, Timed[]>();
  /** Of runs that have ended, as long as nothing more is known of them. */
  const drawn = new Map<string, { readonly of: string; readonly timeline: RunTimeline }>();

  function draw(summary: RunSummary, attempts: readonly Attempt[], now: number | undefined): RunTimeline {
    const { run, end } = summary;
    const events = runs.get(run) ?? [];
    const own = attemptsOf(summary, attempts, now);
    if (!end) return timelineOf(summary, { events, attempts: own, now });
    const of = `${end.at} ${events.length} ${own.length}`;
    const before = drawn.get(run);
    if (before?.of === of) return before.timeline;
    const timeline = timelineOf(summary, { events, attempts: own, now });
    drawn.set(run, { of, timeline });
    return timeline;
  }

  return {
    visit: ({ run, event }: LogRecord): void => {
      if (event.type === 'kept') return;
      const events = runs.get(run);
      if (events) events.push(event);
      else runs.set(run, [event]);
      if (runs.size > MOST_RUNS)
        for (const first of runs.keys()) if (runs.size > MOST_RUNS) runs.delete(first);
    },
    /** The newest first. `now`: where a run that has no end is under way. */
    of: (
      summaries: readonly RunSummary[],
      attempts: readonly Attempt[],
      now: number | undefined,
    ): RunTimeline[] =>
      summaries
        .slice(-MOST_RUNS)
        .toReversed()
        .map((summary) => draw(summary, attempts, now)),
  };
}

function attemptsOf(
  { startedAt, end }: RunSummary,
  attempts: readonly Attempt[],
  now = Number.POSITIVE_INFINITY,
): readonly Attempt[] {
  const began = Date.parse(startedAt);
  const ended = end ? Date.parse(end.at) : now;
  return attempts.filter((each) => each.begin >= began - 1 && each.begin <= ended);
}
