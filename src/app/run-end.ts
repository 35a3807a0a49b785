/** How a run ended, from the plan and the ends of its nodes; pure. */
import { EXIT_OF_END } from '../engine/outcome-table.ts';
import type { RunReport } from '../engine/run-plan.ts';
import { downloadAddress, requestAddress } from '../model/address.ts';
import { EXIT, type ExitCode, outcomeOf, strongestExit } from '../model/exit.ts';
import type { Failure } from '../model/failure.ts';
import { kindHas, storedAs } from '../model/kinds.ts';
import { NO_NODES } from '../model/node-counts.ts';
import { isDeletion, type Noted, type Plan, type PlannedAs, type PlannedNode } from '../model/plan.ts';
import type { NodeCounts, NodeEnd, UnverifiedFile } from '../model/run-event.ts';
import type { StateEvent } from '../model/state-event.ts';
import { countNoted } from '../views/plan-summary.ts';

type Ends = ReadonlyMap<string, NodeEnd>;

type Ran = Pick<RunReport, 'ends' | 'endOf' | 'added'>;

const NOTHING_RAN: Ran = { ends: new Map(), endOf: () => undefined, added: [] };

/** Counts each upload, product, concept and post once, by how it ended. `files` were downloaded. */
export function countRun(plan: Plan, ran = NOTHING_RAN, files = 0): NodeCounts {
  const { ends, endOf, added } = ran;
  const counts: Record<keyof NodeCounts, number> = {
    ...NO_NODES,
    moved: plan.moves.length,
    unchanged: plan.unchanged + plan.held.length,
    failed: countNoted(plan.failed.filter(({ recheck }) => !isThereAfterAll(recheck, ends))),
    unknown: countNoted(plan.unknown),
    pending: plan.deletions?.pending ?? 0,
    downloaded: files,
  };
  for (const nodes of [plan.nodes, added]) {
    for (const node of nodes) {
      const counted = countedAs(node, endOf(node), ends);
      if (counted) counts[counted] += 1;
    }
  }
  return counts;
}

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

function isThereAfterAll(recheck: string | undefined, ends: Ends): boolean {
  return recheck !== undefined && isThere(ends.get(recheck));
}

function isThere(end: End): boolean {
  return end === 'done' || end === 'pending';
}

type End = NodeEnd | undefined;

function countedAs(node: PlannedNode, end: End, ends: Ends): keyof NodeCounts | undefined {
  // A post whose file could not be fetched is counted here as failed, and its medium as a success below.
  if (kindHas(node, 'counted', 'as its post')) return end === 'failed' ? 'failed' : undefined;
  if (kindHas(node, 'stored', 'take')) return countedMedia(node, end, ends);
  return isDeletion(node) || kindHas(node, 'counted', 'itself') ? countedEnd(node, end) : undefined;
}

function countedMedia(node: PlannedAs<'take'>, end: End, ends: Ends): keyof NodeCounts | undefined {
  // A rechecked post that is unchanged is counted with those that the plan lists as failed, if it is still wanted.
  if (node.again && !isThere(end)) return undefined;
  const { post, take } = node.payload;
  const request = ends.get(requestAddress(post, take));
  if (end === 'blocked' && request === 'unknown') return 'unknown';
  if (end === 'blocked' && (request === 'rejected' || request === 'failed')) return 'failed';
  const download = downloadAddress(node.address);
  if (ends.get(download) === 'failed') return undefined;
  return countedEnd(node, end);
}

function countedEnd(node: PlannedNode, end: End): keyof NodeCounts | undefined {
  if (node.action === 'blocked') return 'blocked';
  switch (end) {
    case 'done':
      return DONE[node.action];
    case 'failed':
    case 'rejected':
    case 'lost':
      return 'failed';
    case 'blocked':
    case 'unknown':
      return end;
    case 'pending':
    case 'put-off':
    case undefined:
      return 'pending';
    case 'unchanged':
      return undefined;
  }
}

/** A post of an earlier request counts as created in the run that sees it finished. */
const DONE: Readonly<Record<PlannedNode['action'], keyof NodeCounts>> = {
  create: 'created',
  resume: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
  move: 'moved',
  blocked: 'blocked',
};

/** The exit codes for the counts, besides that of what stopped the run. */
export function exitOfRun(plan: Plan, counts: NodeCounts, ends: Ends): ExitCode {
  const openDownloads = [...ends].some(
    ([address, end]) => storedAs(address) === 'files' && end === 'put-off',
  );
  return strongestExit([
    ...(counts.unknown ? [EXIT_OF_END.unknown] : []),
    ...(counts.failed || counts.blocked ? [EXIT_OF_END.failed] : []),
    ...(plan.held.length || plan.beyondBudget.length || plan.deletions?.withheld.length
      ? [EXIT.refused]
      : []),
    ...(counts.pending || openDownloads ? [EXIT_OF_END.pending] : []),
  ]);
}

export interface RunEnd {
  readonly exit: ExitCode;
  readonly counts: NodeCounts;
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
}

export function runFinished({ exit, counts }: RunEnd, at: string): StateEvent {
  return { type: 'run-finished', at, outcome: outcomeOf(exit), exit_code: exit, nodes: counts };
}
