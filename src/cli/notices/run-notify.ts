/** The command of `--notify`: a program that is not ours, so it gets no key, and not all the time in the world. */
import { spawn } from 'node:child_process';
import type { Clock } from '../../util/clock.ts';
import { endGroup } from '../../util/process-group.ts';

export const NOTIFY_SECONDS = 30;

export interface Notified {
  /** Why it came to nothing; undefined where it ended with 0. Never rejects. */
  readonly end: Promise<string | undefined>;
  /** Ends it now, with all that it has started. */
  stop(why: string): void;
}

/** Runs it in a shell and a process group of its own; what it prints goes to standard error. */
export function runNotify(
  command: string,
  { input, env, clock }: { input: string; env: NodeJS.ProcessEnv; clock: Pick<Clock, 'after'> },
): Notified {
  const child = spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 2, 2] });
  let stopped: string | undefined;
  const stop = (why: string) => {
    stopped ??= why;
    endGroup(child);
  };
  const cancel = clock.after(NOTIFY_SECONDS * 1_000, () =>
    stop(`it took longer than ${NOTIFY_SECONDS} s, and was ended`),
  );
  const end = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`it cannot be started: ${error.message}`));
    // Not `close`: what it leaves running in the background may hold the streams for ever.
    child.on('exit', (code, signal) => resolve(stopped ?? wordsOf(code, signal)));
  }).finally(cancel);
  // It need not read what it gets.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return { end, stop };
}

function wordsOf(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  return code === null ? `it was ended by ${signal}` : `it ended with ${code}`;
}
