/**
 * `.campaign/` beside the state: what campaign keeps for itself (lock, broken ends of logs, crash reports). Git ignores
 * it, and it may be deleted while nothing runs and no spill file waits in it (import-spill.ts).
 */
import path from 'node:path';
import { isThere, makeIgnoredFolder } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { checkFolder } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { notAFile } from './state-problem.ts';

export interface StatePaths {
  readonly file: string;
  readonly folder: string;
  /** `.campaign` beside the state; for a state in `.campaign` this folder itself. */
  readonly work: string;
  /** The folder with `.campaign` in it. */
  readonly home: string;
  readonly lock: string;
  /** The name of the lock's holder, for messages only. */
  readonly holder: string;
  /** The unfinished end of a log, by run. */
  readonly fragment: (run: string) => string;
  /** A new log until it replaces the old one. */
  readonly rewrite: string;
  /** A new log until it has its name. */
  readonly fresh: string;
  /** A copy of the log of a run during which another file took its name. */
  readonly replaced: (run: string) => string;
  /** A note about the state in git (committed.ts). */
  readonly committed: string;
  /** The spill file of a run. */
  readonly spill: (run: string) => string;
}

/** Spill files may belong to any state beside the folder: their first line says to which. */
export const SPILL = /^errored-(.+)\.jsonl$/;

const NAME = '.campaign';

export function statePaths(stateFile: string): StatePaths {
  const file = path.resolve(stateFile);
  const folder = path.dirname(file);
  // The emulator's state is in `.campaign`, beside the emulator's data.
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

/** Why nothing at the path of a state can be trusted; undefined when it can. The first writer makes `.campaign/`. */
export async function placeProblem({ home, folder, work }: StatePaths): Promise<FatalProblem | undefined> {
  const why = await checkFolder(home);
  if (why !== undefined) return notAFile(home, why);
  const whyNotInside = folder === work && (await isThere(work)) ? await checkFolder(work) : undefined;
  return whyNotInside === undefined ? undefined : notAFile(work, whyNotInside);
}

/** Makes `.campaign/` if needed; it must belong to this user, and git must ignore it. */
export async function makeWorkFolder(folder: string): Promise<Result<void, FatalProblem>> {
  // Examined first, because nothing is written through a link.
  const why = (await isThere(folder)) ? await checkFolder(folder) : undefined;
  if (why !== undefined) return err(notAFile(folder, why));
  await makeIgnoredFolder(folder);
  return ok(undefined);
}
