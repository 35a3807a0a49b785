import type { Clock } from '../util/clock.ts';

/** Where somebody is asked: what is typed, what is shown, and the time that an answer may take. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly clock: Clock;
}

/** The terminal of this process; undefined where nobody is there to be asked. */
export function ownTerminal(clock: Clock): Terminal | undefined {
  const { stdin, stderr, env } = process;
  if (!stdin.isTTY || !stderr.isTTY || isCi(env)) return undefined;
  return { input: stdin, output: stderr, clock };
}

/** Whether a machine runs this, whatever it says about terminals; `CI=false`, `CI=0` and an empty one say no. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
}
