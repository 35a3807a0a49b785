import { vi } from 'vitest';
import { runCommand } from '../../src/commands/run-command.ts';
import { type CliEnd, type CliOptions, runCli } from './run-cli.ts';

interface HereOptions extends CliOptions {
  /** Gets what is said when it is said, the two streams in their order. */
  readonly heard?: (stream: 'stdout' | 'stderr', text: string) => void;
  /** What is typed at the terminal that all three streams are then. */
  readonly keyboard?: NodeJS.ReadableStream;
}

/** One at a time: folder, environment and streams belong to the whole process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, as `runCli` would in one of its own: its folder, its environment, all it says. For
 * tests of what it says and does; those of processes (signals, locks, crashes, streams) start one, which takes five
 * times as long.
 */
export function runHere(args: readonly string[], options: HereOptions): Promise<CliEnd> {
  if (needsProcess(args, options)) return runCli(args, options);
  const run = last.then(() => runNow(args, options));
  last = run.catch(() => undefined);
  return run;
}

/** Node reads its variables when it starts, and the log goes past `process.stderr`, to the descriptor. */
function needsProcess(args: readonly string[], { env = {}, input }: CliOptions): boolean {
  const isForNode = Object.keys(env).some((name) => name.startsWith('NODE_'));
  return isForNode || args.includes('--log-level') || input !== undefined;
}

async function runNow(
  args: readonly string[],
  { cwd, env = {}, heard, keyboard }: HereOptions,
): Promise<CliEnd> {
  const { env: before } = process;
  const folder = process.cwd();
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      heard?.(name, String(text));
      return true;
    }),
  );
  const unplug = keyboard && plugIn(keyboard);
  try {
    process.chdir(cwd);
    process.env = { PATH: before['PATH'], ...env };
    return { code: await runCommand(args), signal: null, ...said };
  } finally {
    unplug?.();
    for (const spy of spies) spy.mockRestore();
    process.env = before;
    process.chdir(folder);
  }
}

/** Makes the streams of this process a terminal without a width; gives what undoes it. */
function plugIn(keyboard: NodeJS.ReadableStream): () => void {
  const { stdout, stderr } = process;
  const changed = [
    { of: process, name: 'stdin', value: Object.assign(keyboard, { isTTY: true }) },
    ...[stdout, stderr].map((of) => ({ of, name: 'isTTY', value: true })),
    ...[stdout, stderr].map((of) => ({ of, name: 'columns', value: 0 })),
  ].map(({ of, name, value }) => {
    const before = Object.getOwnPropertyDescriptor(of, name);
    Object.defineProperty(of, name, { value, configurable: true });
    return () => (before ? Object.defineProperty(of, name, before) : Reflect.deleteProperty(of, name));
  });
  return () => {
    for (const undo of changed) undo();
  };
}
