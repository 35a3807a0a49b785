/** How a run ended, from the plan and the ends of its nodes; pure. */
import { EXIT_OF_END } from '../engine/outcome-table.ts';
import { EXIT, type ExitCode, outcomeOf, strongestExit } from '../model/exit.ts';
import type { Failure } from '../model/failure.ts';
import { storedAs } from '../model/kinds.ts';
import type { Noted, Plan } from '../model/plan.ts';
import type { NodeCounts, UnverifiedFile } from '../model/run-event.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { NextStep } from '../views/next-steps.ts';
import { type Ends, isThereAfterAll, type LeftOver } from '../views/run-counts.ts';

/** What the plan lists as failed or unknown, without what turned out to be there. */
export function earlierFailures(plan: Plan, ends: Ends = new Map()): Failure[] {
  const failed = plan.failed.filter(({ recheck }) => !isThereAfterAll(recheck, ends));
  return [
    ...failed.map((noted) => earlier('failed', noted)),
    ...plan.unknown.map((noted) => earlier('unknown', noted)),
  ];
}

function earlier(end: 'failed' | 'unknown', { address, problem, source }: Noted): Failure {
  return { address, end, problem: problem ?? { summary: end }, ...(source === undefined ? {} : { source }) };
}

/** The exit codes for the counts, besides that of what stopped the run. */
export function exitOfRun(plan: Plan, counts: NodeCounts, ends: Ends): ExitCode {
  const openDownloads = [...ends].some(
    ([address, end]) => storedAs(address) === 'files' && end === 'put-off',
  );
  return strongestExit([
    ...(counts.unknown ? [EXIT_OF_END.unknown] : []),
    ...(counts.failed || counts.blocked ? [EXIT_OF_END.failed] : []),
    ...(plan.held.length || plan.beyondBudget.length || plan.deletions?.withheld.length
      ? [EXIT.needsConsent]
      : []),
    ...(counts.pending || openDownloads ? [EXIT_OF_END.pending] : []),
  ]);
}

export interface RunEnd {
  readonly exit: ExitCode;
  readonly counts: NodeCounts;
  /** Absent where nothing was left. */
  readonly left?: LeftOver | undefined;
  /** What comes next, where something is left. */
  readonly next?: readonly NextStep[];
  readonly failures?: readonly Failure[];
  /** What failed or is unknown since an earlier run. */
  readonly earlier?: readonly Failure[];
  readonly unverified?: readonly UnverifiedFile[];
  /** What its requests cost, of which none was refused; absent where nothing has a price. */
  readonly cost?: number | undefined;
  /** A post that took longer than the manifest allows, so that somebody may want to give it up. */
  readonly late?: string | undefined;
  /** ISO 8601: when the service asked to be tried again, if it did. */
  readonly retryAt?: string | undefined;
  /** Who carries the run on after this process has left it, or cannot see it any more; absent where it has ended. */
  readonly leftTo?: 'workers' | 'nobody' | 'others, if any' | undefined;
}

export function runFinished({ exit, counts }: RunEnd, at: string): StateEvent {
  return { type: 'run-finished', at, outcome: outcomeOf(exit), exit_code: exit, nodes: counts };
}
