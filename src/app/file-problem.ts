/**
 * An error of the file system is for the user to correct, wherever it happens. These messages are for errors that no
 * command has a message for, so that they are not reported as bugs of campaign.
 */
import type { Problem } from '../model/problem.ts';
import { fileAdvice } from '../util/code-words.ts';

/** Undefined for an error that is not about files. */
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

/** System calls that are not about files, although their codes may be the same. */
const NETWORK = /^(?:connect|listen|bind|accept|getaddrinfo|query|kill|spawn)/;
