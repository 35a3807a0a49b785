/**
 * `.campaign/` beside the state: what the tool keeps for itself (lock, broken tails, crash files), ignored by git and free
 * to be deleted while nothing runs and nothing waits in it to be imported (import-spill.ts).
 */
import path from 'node:path';
import { makeIgnoredFolder } from '../../util/ignored-folder.ts';
import { isThere } from '../../util/is-there.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { checkFolder } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { notAFile } from './state-problem.ts';

/** Paths that belong to one state file. */
export interface StatePaths {
  readonly file: string;
  /** The folder that the state lies in. */
  readonly folder: string;
  /** `.campaign` beside the state; for a state inside of it the same folder. */
  readonly work: string;
  /** The folder that has `.campaign` in it. */
  readonly home: string;
  readonly lock: string;
  /** Who holds the lock, for a message only. */
  readonly holder: string;
  /** Where an unfinished end of the log is kept, by run. */
  readonly fragment: (run: string) => string;
  /** A new log until it takes the place of the old one. */
  readonly rewrite: string;
  /** A log that begins, until it has its name. */
  readonly fresh: string;
  /** The log of a run during which its name was taken by another file. */
  readonly replaced: (run: string) => string;
  /** What is noted of the state as git has it (committed.ts). */
  readonly committed: string;
  /** What a run could not write into the log. */
  readonly spill: (run: string) => string;
}

/** Names of spill files, which may belong to any state beside the folder: their first line says to which. */
export const SPILL = /^errored-(.+)\.jsonl$/;

const NAME = '.campaign';

export function statePaths(stateFile: string): StatePaths {
  const file = path.resolve(stateFile);
  const folder = path.dirname(file);
  // The emulator's state lies in there, beside the emulator's data.
  const work = path.basename(folder) === NAME ? folder : path.join(folder, NAME);
  const own = (suffix: string) => path.join(work, `${path.basename(file)}.${suffix}`);
  return {
    file,
    folder,
    work,
    home: path.dirname(work),
    lock: own('lock'),
    holder: own('lock.json'),
    fragment: (run) => own(`torn-${run}`),
    rewrite: own('rewrite'),
    fresh: own('new'),
    replaced: (run) => own(`replaced-${run}`),
    committed: own('git.json'),
    spill: (run) => path.join(work, `errored-${run}.jsonl`),
  };
}

/** Why nothing can be trusted where a state is to lie; undefined when all is well. The first writer makes `.campaign/`. */
export async function placeProblem({ home, folder, work }: StatePaths): Promise<FatalProblem | undefined> {
  const why = await checkFolder(home);
  if (why !== undefined) return notAFile(home, why);
  const whyNotInside = folder === work && (await isThere(work)) ? await checkFolder(work) : undefined;
  return whyNotInside === undefined ? undefined : notAFile(work, whyNotInside);
}

/** Makes sure that `.campaign/` exists, is ours, and is passed over by git. */
export async function makeWorkFolder(folder: string): Promise<Result<void, FatalProblem>> {
  // Looked at first: nothing is written through a link.
  const why = (await isThere(folder)) ? await checkFolder(folder) : undefined;
  if (why !== undefined) return err(notAFile(folder, why));
  await makeIgnoredFolder(folder);
  return ok(undefined);
}
