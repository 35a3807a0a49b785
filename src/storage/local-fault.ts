/** What is wrong on this machine while a file is on its way to a storage or from there. */
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { codeWords, fileAdvice } from '../util/code-words.ts';

export function localFault(path: string, code = 'EIO'): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'A file cannot be read or written',
    detail: `${path}: ${codeWords(code)}. ${fileAdvice(code) ?? 'Look at the disk, then run again.'}`,
  };
}

export function changedFile(path: string): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.cannotWrite,
    summary: 'A file was changed while it was put into the storage',
    detail: `${path} is not what it was when it was read before. Run again to take it as it is now.`,
  };
}
