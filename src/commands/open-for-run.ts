import { randomUUID } from 'node:crypto';
import { openState, type WritableState } from '../state/open-state.ts';
import { realClock } from '../util/clock.ts';
import { err, type Result } from '../util/result.ts';
import type { Campaign } from './load-campaign.ts';
import type { Refusal } from './output.ts';
import { identityOf, stateRefusal } from './read-state.ts';

/** Takes the lock and opens the state for writing. */
export async function openForRun(
  { manifest, stateFile }: Campaign,
  { command, lockTimeoutMs }: { command: string; lockTimeoutMs: number },
): Promise<Result<WritableState, Refusal>> {
  const opened = await openState({
    mode: 'write',
    stateFile,
    identity: identityOf(manifest),
    lockTimeoutMs,
    clock: realClock,
    runId: randomUUID().slice(0, 8),
    command: `campaign ${command}`,
    newLineage: randomUUID,
  });
  return opened.ok ? opened : err(stateRefusal(opened.error));
}
