import { rename } from 'node:fs/promises';
import type { FatalProblem } from '../model/problem.ts';
import { diskProblem } from '../store/file/state-problem.ts';
import { realClock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { ChangeOptions } from './change-state.ts';
import type { StatePlace } from '../store/open-store.ts';
import { stateInFile } from '../store/state-in-file.ts';

/** Ends a rehearsal: its state, and what is left of the emulator's data, are kept under other names. */
export async function putRehearsalAside(
  { store, emulatorData }: Pick<StatePlace, 'store' | 'emulatorData'>,
  { lockTimeout: lockTimeoutMs }: Pick<ChangeOptions, 'lockTimeout'>,
): Promise<Result<void, FatalProblem>> {
  const ending = `.before-new-${new Date().toISOString().replaceAll(':', '-')}`;
  const command = 'campaign state new';
  const file = stateInFile(store);
  if (!file.ok) return file;
  const moved = await file.value.setAside(ending, { lockTimeoutMs, clock: realClock, command });
  if (!moved.ok) return moved;
  try {
    await rename(emulatorData, `${emulatorData}${ending}`);
  } catch (error) {
    const problem = diskProblem('unwritable', emulatorData, error);
    if (!problem) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return err(problem);
  }
  return ok(undefined);
}
