import type { Clock } from '../util/clock.ts';

/** Input, output and clock of a terminal where somebody can be asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly clock: Clock;
}

/** The terminal of this process; undefined where nobody can be asked. */
export function ownTerminal(clock: Clock): Terminal | undefined {
  const { stdin, stderr, env } = process;
  if (!stdin.isTTY || !stderr.isTTY || isCi(env)) return undefined;
  return { input: stdin, output: stderr, clock };
}

/** Whether this runs in CI, whatever it says about terminals; `CI=false`, `CI=0` and an empty value mean no. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
}
