import type { Diagnostic } from '../model/diagnostic.ts';
import { StateWriteError } from '../state/log-writer.ts';

/** The state or the output folder cannot be written: the user's to mend, not a bug. */
export function diskProblem(error: unknown): Diagnostic | undefined {
  if (!(error instanceof Error)) return undefined;
  const isDisk = error instanceof StateWriteError || 'syscall' in error;
  if (!isDisk) return undefined;
  return {
    severity: 'error',
    code: 'cannot-write',
    summary:
      error instanceof StateWriteError ? 'The state cannot be written' : 'The output cannot be written',
    detail: `${error.message}. Nothing more was sent.${keptText(error)} Free the disk or mend the folder's permissions and run again.`,
  };
}

/** Where the ends of requests are that were under way when the state could not be written any more. */
function keptText(error: Error): string {
  if (!(error instanceof StateWriteError)) return '';
  return error.keptIn === undefined
    ? ' What was under way could not be kept either: the lines above are all there is of it.'
    : ` What was under way is kept in ${error.keptIn}, and the next run takes it in.`;
}
