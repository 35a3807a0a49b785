import { rename } from 'node:fs/promises';
import { moveState } from '../store/file/move-state.ts';
import type { FatalProblem } from '../model/problem.ts';
import { diskProblem } from '../store/file/state-problem.ts';
import { realClock } from '../util/clock.ts';
import { err, ok, type Result } from '../util/result.ts';
import { emulatorDataDir } from './emulator-data.ts';
import type { ChangeOptions } from './change-state.ts';
import { presentStateFile, type StatePlace } from './state-place.ts';

/** Ends a rehearsal: its state, and what is left of the emulator's data, are kept under other names. */
export async function putRehearsalAside(
  place: StatePlace,
  { lockTimeout: lockTimeoutMs }: Pick<ChangeOptions, 'lockTimeout'>,
): Promise<Result<void, FatalProblem>> {
  const ending = `.before-new-${new Date().toISOString().replaceAll(':', '-')}`;
  const command = 'campaign state new';
  const to = `${place.stateFile}${ending}`;
  const moved = await moveState(presentStateFile(place), { to, lockTimeoutMs, clock: realClock, command });
  if (!moved.ok) return moved;
  const folder = emulatorDataDir(place.stateFile);
  try {
    await rename(folder, `${folder}${ending}`);
  } catch (error) {
    const problem = diskProblem('unwritable', folder, error);
    if (!problem) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return err(problem);
  }
  return ok(undefined);
}
