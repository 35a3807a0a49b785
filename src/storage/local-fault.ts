/** What is wrong on this machine while a file is on its way to a storage or from there. */
import { EXIT } from '../model/exit.ts';
import type { Failed } from '../model/facts.ts';
import type { FatalProblem } from '../model/problem.ts';
import { errorCode } from '../service/error-code.ts';
import { codeWords, fileAdvice } from '../util/code-words.ts';

export function localFault(path: string, code = 'EIO', said = `${path}: ${codeWords(code)}`): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'A file cannot be read or written',
    detail: `${said}. ${fileAdvice(code) ?? 'Look at the disk, then run again.'}`,
  };
}

/** Of what was thrown for a file at this path; an error without a code is a bug. */
export function thrownFault(path: string, error: unknown): FatalProblem {
  const code = errorCode(error);
  if (code === undefined) throw error;
  // What stands in the way may be a folder above: the message names it.
  return localFault(path, code, code === 'EEXIST' ? (error as Error).message : undefined);
}

export function changedFile(path: string): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'A file was changed while it was put into the storage',
    detail: `${path} is not what it was when it was read before. Run again to take it as it is now.`,
  };
}

export type Told = Pick<FatalProblem, 'summary' | 'detail'>;

/** As an error of the disk: results cannot be written, whatever the exit code of the storage alone would be. */
export function localFailure({ summary, detail }: Told, sent: 'yes' | 'no'): Failed {
  return { came: 'local-file', sent, problem: { summary, detail, cause: 'disk' } };
}
