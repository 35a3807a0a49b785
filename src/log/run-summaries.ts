import type { Decision, RunSummary } from '../model/run-summary.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { LogRecord } from './log-record.ts';

export type RunSummaries = ReturnType<typeof createRunSummaries>;

/** How many decisions of a run are named: `state accept` may take thousands of posts. */
const NAMED = 3;

export function createRunSummaries() {
  const runs = new Map<string, RunSummary>();
  /** The last record of a run is known once another run writes, or the log ends. */
  let latest = { run: '', seq: 0, crc: 0 };

  function change(run: string, changed: (summary: RunSummary) => Partial<RunSummary>): void {
    const summary = runs.get(run);
    if (summary) runs.set(run, { ...summary, ...changed(summary) });
  }

  const settle = () => change(latest.run, () => ({ last: { seq: latest.seq, crc: latest.crc } }));

  return {
    add({ run, seq, event }: LogRecord, crc: number): void {
      if (run !== latest.run) {
        settle();
        // A run that goes on after another one wrote: its earlier last record may be somebody's checkpoint.
        change(run, ({ earlier = [], last }) => ({ earlier: [...earlier, last] }));
      }
      latest = { run, seq, crc };
      if (event.type === 'run-started') {
        const { command, version, manifest, at: startedAt, by, ci } = event;
        const began = { run, command, version, manifest, startedAt, by };
        runs.set(run, { ...began, ...(ci !== undefined && { ci }), last: { seq, crc } });
      } else if (event.type === 'run-finished') {
        const { at, outcome, exit_code: exitCode, nodes } = event;
        change(run, () => ({ end: { at, outcome, exitCode, nodes } }));
      } else if (event.type === 'kept' && 'run' in event) {
        runs.set(event.run.run, event.run);
      } else {
        const decision = decisionOf(event);
        if (decision) change(run, (summary) => ({ decided: withDecision(summary, decision) }));
      }
    },
    list(): RunSummary[] {
      settle();
      return [...runs.values()];
    },
  };
}

function decisionOf(event: StateEvent): Decision | undefined {
  const { type } = event;
  if (type === 'resolved') return { decision: event.decision, address: event.address };
  if (type === 'accepted' || type === 'forgotten') return { decision: type, address: event.address };
  return type === 'rebound' || type === 'retired' ? { decision: type } : undefined;
}

function withDecision({ decided }: RunSummary, decision: Decision): NonNullable<RunSummary['decided']> {
  const { count, first } = decided ?? { count: 0, first: [] };
  return { count: count + 1, first: count < NAMED ? [...first, decision] : first };
}
