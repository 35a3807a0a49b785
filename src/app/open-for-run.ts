import os from 'node:os';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { Operator, StateEvent } from '../model/state-event.ts';
import type { WritableState, Writing } from '../store/store.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { closingProblem } from './disk-problem.ts';
import { NO_NODES } from '../model/node-counts.ts';
import { recordedFile, refuseCopy } from './other-manifest.ts';
import { version } from './package-info.ts';
import type { RunEnd } from './run-end.ts';
import { stateRefusal } from './read-state.ts';
import { type ProcessVariables, type Runtime, timestamp } from './runtime.ts';

/** `command` as the history shows it, with the arguments that matter. */
export type LogRun = Pick<Writing, 'allow' | 'lockTimeoutMs' | 'signal' | 'command' | 'heads'>;

export async function openForRun(
  runtime: Runtime,
  campaign: Campaign,
  run: LogRun,
): Promise<Result<WritableState, Refusal>> {
  const opened = await campaign.store.write(writingOf(runtime, campaign, run));
  if (!opened.ok) return err(stateRefusal(opened.error, campaign));
  const copy = refuseCopy(campaign, opened.value.runs);
  if (!copy) return opened;
  await opened.value.close('as-it-is');
  return err(copy);
}

export function writingOf(runtime: Runtime, campaign: Campaign, { command, ...options }: LogRun) {
  return {
    ...options,
    runId: runtime.newId().slice(0, 8),
    command: `campaign ${command}`,
    newLineage: runtime.newId,
    begin: runStarted(runtime, campaign, command),
    ...taking(runtime),
  } satisfies Writing;
}

/** What a run says that stands still because nothing can be recorded. `why`: the words of the database, and how long it waits. */
export function databaseWaits(why: string) {
  return {
    summary: 'The database of the state takes nothing just now',
    detail: `${why}, and requests nothing meanwhile.`,
  };
}

/** Of a run that this process writes, alone or with others. */
export function taking({ clock, emit }: Pick<Runtime, 'clock' | 'emit'>) {
  return {
    clock,
    tellSpilled: (lines: string) => emit({ type: 'unrecorded', lines }),
    tellWaiting: (why: string) => emit({ type: 'warning', ...databaseWaits(why) }),
  };
}

export function runStarted(runtime: Runtime, campaign: Campaign, command: string): StateEvent {
  const at = timestamp(runtime);
  const manifest = recordedFile(campaign);
  return { type: 'run-started', at, command, version, manifest, ...operatorOf(runtime.env) };
}

const CI_SYSTEMS = {
  GITHUB_ACTIONS: 'github-actions',
  GITLAB_CI: 'gitlab-ci',
  JENKINS_URL: 'jenkins',
  BUILDKITE: 'buildkite',
  CIRCLECI: 'circleci',
  TF_BUILD: 'azure-pipelines',
  CI: 'ci',
};

function operatorOf(env: ProcessVariables): Operator {
  const [, ci] = Object.entries(CI_SYSTEMS).find(([variable]) => env[variable]) ?? [];
  return { by: `${userName()}@${os.hostname()}`, ...(ci === undefined ? {} : { ci }) };
}

/** A container may run under a number without a name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? '?'}`;
  }
}

/** How a run ends that did nothing. */
export function refusedEnd({ emit }: Pick<Runtime, 'emit'>, { exit, problems }: Refusal): RunEnd {
  for (const problem of problems) emit({ type: 'diagnostic', ...problem });
  return { exit, counts: NO_NODES };
}

/** Runs work on an open state and closes it; `how` says whether the log may be compacted. If the disk refuses to close it, the exit code is at least 74. */
export async function thenClose<End extends { readonly exit: ExitCode }>(
  { emit }: Pick<Runtime, 'emit'>,
  open: WritableState,
  { run, how }: { run: () => Promise<End>; how?: (end: End) => 'compact' | 'as-it-is' },
): Promise<End> {
  let end: End;
  try {
    end = await run();
  } catch (error) {
    // The bug is what counts, whatever else fails after it.
    await open.close().catch(() => undefined);
    throw error;
  }
  try {
    await open.close(how?.(end));
    return end;
  } catch (error) {
    const problem = closingProblem(error);
    if (!problem) throw error;
    emit({ type: 'diagnostic', ...problem });
    return { ...end, exit: strongestExit([end.exit, EXIT.cannotWrite]) };
  }
}
