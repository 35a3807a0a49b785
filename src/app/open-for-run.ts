import { randomUUID } from 'node:crypto';
import type { StateEvent } from '../model/state-event.ts';
import { openState, type WritableState } from '../store/file/open-state.ts';
import type { WriteOptions } from '../store/file/open-options.ts';
import { realClock } from '../util/clock.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './load-campaign.ts';
import { operatorOf } from './operator.ts';
import type { Refusal } from '../model/problem.ts';
import { version } from './package-info.ts';
import { campaignWitnesses, identityOf, stateRefusal } from './read-state.ts';
import { settleState } from './state-place.ts';

/** What a run begins with in the log: who does what. */
export function runStarted(command: string, manifest: string, at: string): StateEvent {
  return { type: 'run-started', at, command, version, manifest, ...operatorOf(process.env) };
}

/** `command` as the history shows it, arguments that matter included. */
interface RunOptions {
  readonly allow?: WriteOptions['allow'] | undefined;
  readonly command: string;
  readonly lockTimeoutMs: number;
  /** Where it is not the state of the campaign yet. */
  readonly stateFile?: string;
  readonly beforeRelease?: WriteOptions['beforeRelease'];
}

/** Takes the lock and opens the state for writing. */
export async function openForRun(
  campaign: Campaign,
  { command, lockTimeoutMs, allow = [], stateFile = campaign.stateFile, beforeRelease }: RunOptions,
): Promise<Result<WritableState, Refusal>> {
  const { manifest } = campaign;
  const settled = await settleState(campaign, { command: `campaign ${command}`, lockTimeoutMs });
  if (!settled.ok) return err(stateRefusal(settled.error, campaign));
  const at = new Date(realClock.now()).toISOString();
  const opened = await openState({
    mode: 'write',
    stateFile,
    identity: identityOf(manifest),
    witnesses: campaignWitnesses(campaign),
    lockTimeoutMs,
    clock: realClock,
    runId: randomUUID().slice(0, 8),
    command: `campaign ${command}`,
    newLineage: randomUUID,
    begin: runStarted(command, manifest.file, at),
    tellErrored: (lines) => process.stderr.write(lines),
    allow,
    beforeRelease,
  });
  return opened.ok ? opened : err(stateRefusal(opened.error, campaign));
}
