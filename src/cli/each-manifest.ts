/** A command over several manifests: one after the other, and a broken one stops only itself. */
import { fileProblem } from '../app/disk-problem.ts';
import { type CommandSummary, type ManifestEnd, notStarted, summaryOf } from '../model/command-summary.ts';
import { EXIT, type ExitCode, outcomeOf, signalOf } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import type { Refusal } from '../model/problem.ts';
import type { NodeCounts } from '../model/run-event.ts';
import { countsText } from '../render/run-words.ts';
import { summaryText } from '../render/summary-text.ts';
import { defined } from '../util/defined.ts';
import type { Subject } from './listener.ts';
import { type Output, refuseRun, tell } from './output.ts';
import type { Session } from './session.ts';

/** How the command ended for one of them; the manifest itself is known. */
export interface TurnEnd extends Subject {
  readonly exit: ExitCode;
  readonly nodes?: NodeCounts;
}

export interface Turns<Options> {
  readonly take: (file: string, session: Session<Options>) => Promise<ExitCode | Refusal | TurnEnd>;
  readonly refuse?: (refusal: Refusal, output: Output) => ExitCode;
  /** The exit code of what keeps the next one from being started. */
  readonly whyNot?: (ends: readonly ManifestEnd[]) => ExitCode | undefined;
  /** What all of them come to, in words. */
  readonly total?: (summary: CommandSummary) => string;
  /** Printed between two of them. */
  readonly between?: string;
}

export async function eachManifest<Options>(
  files: readonly string[],
  session: Session<Options>,
  { take, refuse = tell, whyNot = stoppedBySignal, total = () => '', between = '\n' }: Turns<Options>,
): Promise<CommandSummary> {
  const ends: ManifestEnd[] = [];
  const { output } = session;
  output.hear({ type: 'turns', files });
  for (const file of files) {
    const why = whyNot(ends);
    if (why !== undefined) {
      ends.push(notStarted(file, why));
      continue;
    }
    if (ends.length && !output.isQuiet) output.result(between);
    const named = session.about({ manifest: file }, files.length > 1 ? 'always' : 'quiet', files.length);
    const end = await take(file, named).catch(refusalOf);
    ends.push(manifestEnd(file, isRefusal(end) ? refuse(end, named.output) : end));
  }
  const summary = summaryOf(ends);
  if (files.length > 1) output.result(summaryText(summary, { total: total(summary), ...output }));
  return summary;
}

/** Runs over each manifest; of several ones the last event has the sums of all, and how each ended. */
export async function eachRun<Options>(
  files: readonly string[],
  session: Session<Options>,
  turns: Pick<Turns<Options>, 'take' | 'whyNot'>,
): Promise<ExitCode> {
  const total = ({ nodes }: CommandSummary) => `${countsText(nodes)}.`;
  const summary = await eachManifest(files, session, { ...turns, refuse: refuseRun, total });
  if (files.length > 1) session.output.event({ type: 'run-finished', ...summary });
  return summary.exit_code;
}

function stoppedBySignal(ends: readonly ManifestEnd[]): ExitCode | undefined {
  return ends.map(({ exit_code }) => exit_code).find((code) => signalOf(code) !== undefined);
}

/** A file that cannot be used is the trouble of the manifest that has it; a bug ends the command. */
function refusalOf(error: unknown): Refusal {
  const problem = fileProblem(error);
  if (!problem) throw error;
  return { exit: EXIT.cannotWrite, problems: [problem] };
}

function isRefusal(end: ExitCode | Refusal | TurnEnd): end is Refusal {
  return typeof end === 'object' && 'problems' in end;
}

function manifestEnd(manifest: string, end: ExitCode | TurnEnd): ManifestEnd {
  const turn: TurnEnd = typeof end === 'number' ? { exit: end } : end;
  const { exit, campaign, environment, nodes = NO_NODES } = turn;
  return {
    manifest,
    ...defined({ campaign, environment }),
    outcome: outcomeOf(exit),
    exit_code: exit,
    nodes,
  };
}
