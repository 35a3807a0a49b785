/** The files that a state consists of: what has to be kept, e.g. committed, so that nothing is paid for again elsewhere. */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../util/new-file.ts';
import { decisionsBeside, statePaths } from './work-folder.ts';

export interface FilesOfState {
  /** The log, or the file that says which database has it. */
  readonly state: string;
  /** What somebody has decided about finished posts. */
  readonly decisions: string;
  /** What runs could not write into the log, logs that were replaced during a run, and what says where the log is. */
  readonly kept: readonly string[];
}

/** Absolute paths, also of files that are not there: the place of a state that is still to come, and what was taken in. */
export async function filesOfState(stateFile: string, pointerFile?: string): Promise<FilesOfState> {
  const { file, work, replaced, spill } = statePaths(stateFile);
  const names = (await fs.readdir(work).catch(unlessMissing)) ?? [];
  const kept = names.flatMap((name) => {
    if (name.startsWith(path.basename(replaced('')))) return [path.join(work, name)];
    const [, run, imported] = /^errored-(.+)\.jsonl(\.imported)?$/.exec(name) ?? [];
    if (run === undefined) return [];
    // What was taken in is to be committed, too: it is gone then.
    return imported ? [spill(run), replaced(run)] : [spill(run)];
  });
  return {
    state: file,
    decisions: decisionsBeside(file),
    kept: [...new Set([...(pointerFile === undefined ? [] : [pointerFile]), ...kept])].sort(),
  };
}
