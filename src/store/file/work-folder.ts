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

export type StatePaths = Readonly<ReturnType<typeof statePaths>>;

/** Spill files may belong to any state beside the folder: their first line says to which. */
export const SPILL = /^errored-(.+)\.jsonl$/;

const NAME = '.campaign';

/** The file of decisions about the finished posts of a state. */
export function decisionsBeside(stateFile: string): string {
  return path.join(path.dirname(stateFile), `${path.basename(stateFile, '.state.jsonl')}.decisions.yaml`);
}

export function homeOf(stateFile: string): string {
  return statePaths(stateFile).home;
}

export function statePaths(stateFile: string) {
  const file = path.resolve(stateFile);
  const folder = path.dirname(file);
  // The emulator's state is in `.campaign` itself.
  const work = path.basename(folder) === NAME ? folder : path.join(folder, NAME);
  const own = (suffix: string) => path.join(work, `${path.basename(file)}.${suffix}`);
  return {
    file,
    folder,
    work,
    /** The folder with `.campaign` in it. */
    home: path.dirname(work),
    lock: own('lock'),
    /** The name of the lock's holder, for messages only. */
    holder: own('lock.json'),
    /** The unfinished end of a log. */
    fragment: (run: string) => own(`torn-${run}`),
    /** A new log until it replaces the old one. */
    rewrite: own('rewrite'),
    /** A new log until it has its name. */
    fresh: own('new'),
    /** A copy of the log of a run during which another file took its name. */
    replaced: (run: string) => own(`replaced-${run}`),
    /** A note about the state in git (committed.ts). */
    committed: own('git.json'),
    spill: (run: string) => path.join(work, `errored-${run}.jsonl`),
  };
}

/** Why nothing at the path of a state can be trusted; undefined when it can. The first writer makes `.campaign/`. */
export async function placeProblem({ home, folder, work }: StatePaths): Promise<FatalProblem | undefined> {
  const why = await checkFolder(home);
  if (why !== undefined) return notAFile(home, why);
  const whyNotInside = folder === work && (await isThere(work)) ? await checkFolder(work) : undefined;
  return whyNotInside === undefined ? undefined : notAFile(work, whyNotInside);
}

export async function makeWorkFolder(folder: string): Promise<Result<void, FatalProblem>> {
  // Examined first, because nothing is written through a link.
  const why = (await isThere(folder)) ? await checkFolder(folder) : undefined;
  if (why !== undefined) return err(notAFile(folder, why));
  await makeIgnoredFolder(folder);
  return ok(undefined);
}
