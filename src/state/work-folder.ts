/**
 * `.campaign/` beside the state: what the tool keeps for itself (lock, broken tails), ignored by git and free to be
 * deleted while nothing runs.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { err, ok, type Result } from '../util/result.ts';
import { checkFolder } from './state-file.ts';
import { notAFile, type StateProblem } from './state-problem.ts';

/** Paths that belong to one state file. */
export interface StatePaths {
  readonly file: string;
  /** The folder that the state lies in. */
  readonly folder: string;
  /** `.campaign` beside the state. */
  readonly work: string;
  readonly lock: string;
  /** Who holds the lock, for a message only. */
  readonly holder: string;
  /** Where an unfinished end of the log is kept, by run. */
  readonly fragment: (run: string) => string;
}

export function statePaths(stateFile: string): StatePaths {
  const file = path.resolve(stateFile);
  const folder = path.dirname(file);
  const work = path.join(folder, '.campaign');
  const own = (suffix: string) => path.join(work, `${path.basename(file)}.${suffix}`);
  return {
    file,
    folder,
    work,
    lock: own('lock'),
    holder: own('lock.json'),
    fragment: (run) => own(`torn-${run}`),
  };
}

/** Makes sure that `.campaign/` exists and that git passes it over. */
export async function makeWorkFolder(folder: string): Promise<Result<void, StateProblem>> {
  await fs.mkdir(folder, { mode: 0o700 }).catch(unlessExists);
  const why = await checkFolder(folder);
  if (why !== undefined) return err(notAFile(folder, why));
  await fs.writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(unlessExists);
  return ok(undefined);
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
