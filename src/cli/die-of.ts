import type { Writable } from 'node:stream';
import { type ExitCode, signalOf } from '../model/exit.ts';

/**
 * Ends the process by the signal that an exit code stands for, once its output is written, so that its parent sees that
 * it was stopped (a shell ends its loop, `$?` is 128 + the signal's number). Does nothing for another code.
 */
export async function endBySignal(code: ExitCode): Promise<void> {
  if (signalOf(code) === undefined) return;
  await Promise.all([process.stdout, process.stderr].map(drained));
  dieOf(code);
}

/** Restores the default of the signal that a code stands for, and raises it. */
export function dieOf(code: ExitCode): void {
  const signal = signalOf(code);
  if (signal === undefined) return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** A closed reader takes nothing any more, so it is not waited for. */
function drained(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}
