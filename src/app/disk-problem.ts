import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Problem } from '../model/problem.ts';
import { ReplacedError, StateWriteError } from '../store/write-error.ts';
import { fileAdvice } from '../util/code-words.ts';

export function diskProblem(error: unknown): Problem | undefined {
  if (error instanceof StateWriteError && error.exit === EXIT.badState) {
    const detail = `${error.message}. Nothing more was sent.${keptText(error)} ${OLDER}`;
    return { code: 'state-diverged', summary: 'The state is older than before', detail };
  }
  if (error instanceof StateWriteError) {
    const detail = `${error.message}. Nothing more was sent.${keptText(error)} ${adviceFor(error.cause)}`;
    return cannotWrite('The state cannot be written', detail);
  }
  if (!isOfSystem(error)) return undefined;
  const detail = `${error.message}. What was done before is recorded in the state. ${adviceFor(error)}`;
  return cannotWrite('The output cannot be written', detail);
}

const OLDER =
  'What is missing would be made a second time. Bring the newer database back: the former server, or a later backup. If there is ' +
  'none any more, and this one is to count from now on, `campaign state use URL` says so. It needs --yes on a machine that itself knows ' +
  'of nothing that is missing.';

/** The exit code where that refuses the next step. */
export function diskExit(error: unknown): ExitCode {
  return error instanceof StateWriteError ? error.exit : EXIT.cannotWrite;
}

/** For an error of the disk while the state is closed: everything recorded is durable by then. */
export function closingProblem(error: unknown): Problem | undefined {
  if (!isOfSystem(error)) return undefined;
  const detail =
    `${error.message}. All that was recorded is in the state, and durable. What .campaign keeps beside it may be ` +
    `behind. ${adviceFor(error)}`;
  return cannotWrite('The state could not be closed as it should', detail);
}

function cannotWrite(summary: string, detail: string): Problem {
  return { code: 'cannot-write', summary, detail };
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Where the ends of requests are that were under way when the state could no longer be written. */
function keptText({ keptIn, hasNothing }: StateWriteError): string {
  if (hasNothing) return '';
  return keptIn === undefined
    ? ' What was under way could not be kept either: the lines above are all there is of it.'
    : ` What was under way is kept in ${keptIn}, and the next run takes it in.`;
}

function adviceFor(cause: unknown): string {
  if (cause instanceof ReplacedError) return cause.keptIn === undefined ? `${REPLACED} ${CHOOSE}` : REPLACED;
  // A state that is no file is in a database, whose errors are none of the file system.
  if (!isOfSystem(cause)) return 'See to the database, then run again: `campaign doctor` looks at it.';
  return fileAdvice(cause.code) ?? "Look at the disk and at the folder's permissions, then run again.";
}

const REPLACED = 'Another program did that: git, an editor, a folder that is kept in sync.';
/** If a copy of the log was kept, its message says what to do with it. */
const CHOOSE = 'See to it that the file in its place is the one that counts, then run again.';

/** System calls that are not about files, although their codes may be the same. */
const NETWORK = /^(?:connect|listen|bind|accept|getaddrinfo|query|kill|spawn)/;

/** An error of the file system that no command has a message for, so that it is not reported as a bug of campaign. */
export function fileProblem(error: unknown): Problem | undefined {
  if (!isOfSystem(error)) return undefined;
  const { code, syscall } = error;
  if (syscall === 'uv_cwd')
    return cannotUse('The folder that campaign was started in is gone. Start it in another one.');
  const advice = fileAdvice(code);
  if (advice === undefined || NETWORK.test(syscall ?? '')) return undefined;
  return cannotUse(`${error.message}. What was done before is recorded in the state. ${advice}`);
}

function cannotUse(detail: string): Problem {
  return { code: 'cannot-use-file', summary: 'A file or folder cannot be used', detail };
}
