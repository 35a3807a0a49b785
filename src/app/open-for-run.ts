import { randomUUID } from 'node:crypto';
import type { StateEvent } from '../model/state-event.ts';
import type { WritableState, Writing } from '../store/store.ts';
import { realClock } from '../util/clock.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './load-campaign.ts';
import { operatorOf } from './operator.ts';
import type { Refusal } from '../model/problem.ts';
import { version } from './package-info.ts';
import { stateRefusal } from './read-state.ts';

/** What a run begins with in the log: who does what. */
export function runStarted(command: string, manifest: string, at: string): StateEvent {
  return { type: 'run-started', at, command, version, manifest, ...operatorOf(process.env) };
}

/** `command` as the history shows it, arguments that matter included. */
interface RunOptions extends Pick<Writing, 'allow' | 'lockTimeoutMs'> {
  readonly command: string;
}

/** How a command of this process writes a state. */
export function writingOf({ manifest }: Campaign, { command, ...options }: RunOptions): Writing {
  return {
    ...options,
    clock: realClock,
    runId: randomUUID().slice(0, 8),
    command: `campaign ${command}`,
    newLineage: randomUUID,
    begin: runStarted(command, manifest.file, new Date(realClock.now()).toISOString()),
    tellErrored: (lines) => process.stderr.write(lines),
  };
}

/** Takes the lock and opens the state for writing. */
export async function openForRun(
  campaign: Campaign,
  options: RunOptions,
): Promise<Result<WritableState, Refusal>> {
  const opened = await campaign.store.write(writingOf(campaign, options));
  return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
}
