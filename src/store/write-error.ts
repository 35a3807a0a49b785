import { EXIT, type ExitCode } from '../model/exit.ts';

/** What became of events that the log does not take: the file that has them, or that there was nothing to keep. */
export interface Kept {
  readonly keptIn?: string | undefined;
  readonly hasNothing?: boolean;
}

/** The state cannot be written any more. Events that were appended since may or may not be in the log. */
export class StateWriteError extends Error {
  override readonly name = 'StateWriteError';
  /** 76 where the state is not what it was: it has come back older. */
  readonly exit: ExitCode;
  /** The spill file with what could not be written; absent where that could not be written either. */
  readonly keptIn: string | undefined;

  /** Nothing was to be written. */
  readonly hasNothing: boolean;

  constructor(message: string, { cause, keptIn, hasNothing = false }: Kept & { readonly cause: unknown }) {
    super(message, { cause });
    const isOlder = cause instanceof Error && 'isOlder' in cause;
    this.exit = isOlder ? EXIT.badState : EXIT.cannotWrite;
    this.keptIn = keptIn;
    this.hasNothing = hasNothing;
  }
}

/** What has refused to write a state, or else the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof StateWriteError ? error.cause : error;
}

/** The log at its path is not the one that was opened. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError';
  /** Where the log is kept as it was written; absent where its own file is all there is. */
  readonly keptIn: string | undefined;

  constructor(what: string, keptIn?: string) {
    const words = `; as this run wrote it, it is kept in ${keptIn}: put that back in its place, then run again`;
    super(`${what}${keptIn === undefined ? '' : words}`);
    this.keptIn = keptIn;
  }
}
