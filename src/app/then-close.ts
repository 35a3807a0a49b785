import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import type { WritableState } from '../store/store.ts';
import { closingProblem } from './disk-problem.ts';
import type { Runtime } from './runtime.ts';

interface Work<End> {
  readonly run: () => Promise<End>;
  /** Whether the log may be compacted now. */
  readonly how?: (end: End) => 'compact' | 'as-it-is';
}

/** Runs `work` on an open state and closes it. If the disk refuses to close it, the exit code is at least 74. */
export async function thenClose<End extends { readonly exit: ExitCode }>(
  { emit }: Pick<Runtime, 'emit'>,
  open: WritableState,
  { run, how }: Work<End>,
): Promise<End> {
  let end: End;
  try {
    end = await run();
  } catch (error) {
    // The bug is what counts, whatever else fails after it.
    await open.close().catch(() => undefined);
    throw error;
  }
  try {
    await open.close(how?.(end));
    return end;
  } catch (error) {
    const problem = closingProblem(error);
    if (!problem) throw error;
    emit({ type: 'diagnostic', ...problem });
    return { ...end, exit: strongestExit([end.exit, EXIT.cannotWrite]) };
  }
}
