import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { WritableState, Writing } from '../store/store.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { operatorOf } from './operator.ts';
import { version } from './package-info.ts';
import { stateRefusal } from './read-state.ts';
import { NO_NODES, runFinished } from './run-end.ts';
import { type Runtime, timestamp } from './runtime.ts';

/** `command` as the history shows it, with the arguments that matter. */
export interface LogRun extends Pick<Writing, 'allow' | 'lockTimeoutMs' | 'signal'> {
  readonly command: string;
}

/** The first event of a run: who does what. */
export function runStarted(runtime: Runtime, { manifest }: Campaign, command: string): StateEvent {
  const at = timestamp(runtime);
  return { type: 'run-started', at, command, version, manifest: manifest.file, ...operatorOf(runtime.env) };
}

/** How a command of this process writes a state. */
export function writingOf(runtime: Runtime, campaign: Campaign, { command, ...options }: LogRun) {
  return {
    ...options,
    clock: runtime.clock,
    runId: runtime.newId().slice(0, 8),
    command: `campaign ${command}`,
    newLineage: runtime.newId,
    begin: runStarted(runtime, campaign, command),
    tellSpilled: (lines) => runtime.emit({ type: 'unrecorded', lines }),
  } satisfies Writing;
}

export async function openForRun(
  runtime: Runtime,
  campaign: Campaign,
  options: LogRun,
): Promise<Result<WritableState, Refusal>> {
  const opened = await campaign.store.write(writingOf(runtime, campaign, options));
  return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
}

/** Records what a command does to the state without sending anything: in one commit, as a run of its own. */
export async function recordRun(
  recorder: Recorder,
  events: readonly StateEvent[],
  at: string,
): Promise<void> {
  await recorder.append([...events, runFinished({ exit: EXIT.ok, counts: NO_NODES }, at)]);
}
