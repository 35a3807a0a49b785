import type { RunOutcome } from '../model/exit.ts';
import type { NodeCounts } from '../model/run-event.ts';
import type { LogRecord } from './record.ts';

/** One run as the log remembers it; without an end it was killed, or is under way. Times are ISO 8601. */
export interface RunSummary {
  readonly run: string;
  readonly command: string;
  /** Of campaign. */
  readonly version: string;
  readonly manifest: string;
  readonly startedAt: string;
  readonly end?: {
    readonly at: string;
    readonly outcome: RunOutcome;
    readonly exitCode: number;
    readonly nodes: NodeCounts;
  };
}

/** Adds a record to the summaries, which are kept by run id in the order of their start. */
export function summariseRun(runs: Map<string, RunSummary>, { run, event }: LogRecord): void {
  if (event.type === 'run-started') {
    const { command, version, manifest, at } = event;
    runs.set(run, { run, command, version, manifest, startedAt: at });
  } else if (event.type === 'run-finished') {
    const started = runs.get(run);
    const { at, outcome, exit_code: exitCode, nodes } = event;
    if (started) runs.set(run, { ...started, end: { at, outcome, exitCode, nodes } });
  }
}
