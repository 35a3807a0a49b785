import type { Diagnostic } from '../model/diagnostic.ts';
import { ReplacedError, StateWriteError } from '../state/log-writer.ts';

/** The state or the output folder cannot be written: the user's to mend, not a bug. */
export function diskProblem(error: unknown): Diagnostic | undefined {
  if (error instanceof StateWriteError) {
    const detail = `${error.message}. Nothing more was sent.${keptText(error)} ${adviceFor(error.cause)}`;
    return cannotWrite('The state cannot be written', detail);
  }
  if (!isRefusedByDisk(error)) return undefined;
  const detail = `${error.message}. What was done before is recorded in the state. ${adviceFor(error)}`;
  return cannotWrite('The output cannot be written', detail);
}

/** The disk refuses while the state is closed: by then all that was recorded is durable. */
export function closingProblem(error: unknown): Diagnostic | undefined {
  if (!isRefusedByDisk(error)) return undefined;
  const detail =
    `${error.message}. All that was recorded is in the state, and durable. What .campaign keeps beside it may be ` +
    `behind. ${adviceFor(error)}`;
  return cannotWrite('The state could not be closed as it should', detail);
}

function cannotWrite(summary: string, detail: string): Diagnostic {
  return { severity: 'error', code: 'cannot-write', summary, detail };
}

function isRefusedByDisk(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Where the ends of requests are that were under way when the state could not be written any more. */
function keptText({ keptIn }: StateWriteError): string {
  return keptIn === undefined
    ? ' What was under way could not be kept either: the lines above are all there is of it.'
    : ` What was under way is kept in ${keptIn}, and the next run takes it in.`;
}

function adviceFor(cause: unknown): string {
  if (cause instanceof ReplacedError) return cause.keptIn === undefined ? `${REPLACED} ${CHOOSE}` : REPLACED;
  const { code } = cause as NodeJS.ErrnoException;
  return ADVICE[code ?? ''] ?? "Look at the disk and at the folder's permissions, then run again.";
}

const REPLACED = 'Another program did that: git, an editor, a folder that is kept in sync.';
/** Where the log is kept, its message says what to do with it. */
const CHOOSE = 'See to it that the file in its place is the one that counts, then run again.';

const FULL = 'Free the disk, then run again.';
const FORBIDDEN = "Mend the folder's permissions, then run again.";
const IN_THE_WAY = 'Move away what stands in its place, then run again.';

/** What to do, by what the disk says. */
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
  ENOENT: 'Bring back what was taken away, then run again.',
  EIO: 'The disk may be failing: look at it, then run again.',
};
