/**
 * A file or folder that the system refuses is the user's to mend, whoever met it: where no command has words of its own for
 * one, these are said, and not that campaign has a bug.
 */
import type { Problem } from '../model/problem.ts';
import { fileAdvice } from '../util/code-words.ts';

/** What is said of an error of the file system; undefined for any other error. */
export function fileProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd')
    return problem('The folder that campaign was started in is gone. Start it in another one.');
  const advice = fileAdvice(code);
  if (advice === undefined || NETWORK.test(syscall ?? '')) return undefined;
  return problem(`${error.message}. What was done before is recorded in the state. ${advice}`);
}

function problem(detail: string): Problem {
  return { code: 'cannot-use-file', summary: 'A file or folder cannot be used', detail };
}

/** Calls that say nothing about files though their codes may be the same. */
const NETWORK = /^(?:connect|listen|bind|accept|getaddrinfo|query|kill|spawn)/;
