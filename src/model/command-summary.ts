/** How a command ended, over all manifests that it was called with, be it one or many. */
import { type ExitCode, outcomeOf, type RunOutcome, strongestExit } from './exit.ts';
import type * as told from './generated/run-event.js';
import { NO_NODES, sumOfNodes } from './node-counts.ts';

export type ManifestEnd = told.ManifestEnd & { readonly exit_code: ExitCode };

export interface CommandSummary {
  readonly outcome: RunOutcome;
  /** The strongest of all, with which the process ends. */
  readonly exit_code: ExitCode;
  readonly nodes: told.ManifestEnd['nodes'];
  /** In the order in which they had their turn. */
  readonly manifests: readonly ManifestEnd[];
}

export function summaryOf(manifests: readonly ManifestEnd[]): CommandSummary {
  const exit = strongestExit(manifests.map((each) => each.exit_code));
  const nodes = sumOfNodes(manifests.map((each) => each.nodes));
  return { outcome: outcomeOf(exit), exit_code: exit, nodes, manifests };
}

/** `why`: the exit code of what prevented it. */
export function notStarted(manifest: string, why: ExitCode): ManifestEnd {
  return { manifest, outcome: 'not-started', exit_code: why, nodes: NO_NODES };
}
