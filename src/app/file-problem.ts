/**
 * A file or folder that the system refuses is the user's to mend, whoever met it: where no command has words of its own for
 * one, these are said, and not that campaign has a bug.
 */
import type { Problem } from '../model/problem.ts';

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

/** What to do, by what the system says; undefined where that says nothing about the disk. */
export function fileAdvice(code: string | undefined): string | undefined {
  return ADVICE[code ?? ''];
}

const FULL = 'Free the disk, then run again.';
const FORBIDDEN = "Mend the folder's permissions, then run again.";
const IN_THE_WAY = 'Move away what stands in its place, then run again.';
const TOO_MANY = 'Lift the limit of open files (`ulimit -n`), then run again.';

const ADVICE: Readonly<Partial<Record<string, string>>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: 'It may not grow beyond that size: lift the limit, then run again.',
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  EISDIR: IN_THE_WAY,
  ERR_FS_EISDIR: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  ENOTEMPTY: IN_THE_WAY,
  ELOOP: IN_THE_WAY,
  ENXIO: IN_THE_WAY,
  ENOENT: 'Bring back what was taken away, then run again.',
  ENAMETOOLONG: 'Choose a shorter name, then run again.',
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: 'The disk may be failing: look at it, then run again.',
  ESTALE: 'The network drive has lost it: mount it anew, then run again.',
};
