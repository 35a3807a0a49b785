import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  if (needsProcess(options)) return runCli(args, options);
  const run = last.then(() => runNow(args, options));
  last = run.catch(() => undefined);
  return run;
}

/** Node reads its variables when it starts. */
function needsProcess({ env = {}, input }: CliOptions): boolean {
  return Object.keys(env).some((name) => name.startsWith('NODE_')) || input !== undefined;
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
  const log = args.includes('--log-level') ? await catchLog() : undefined;
  const unplug = keyboard && plugIn(keyboard);
  try {
    process.chdir(cwd);
    process.env = { PATH: before['PATH'], ...env };
    const code = await runCommand(args);
    return { code, signal: null, ...said, stderr: said.stderr + (log?.text() ?? '') };
  } finally {
    unplug?.();
    log?.close();
    for (const spy of spies) spy.mockRestore();
    process.env = before;
    process.chdir(folder);
  }
}

/** The log goes past `process.stderr.write`, to the descriptor: a file for as long. */
async function catchLog() {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'a');
  const undo = put(process.stderr, 'fd', fd);
  return {
    text: () => readFileSync(file, 'utf8'),
    close() {
      undo();
      closeSync(fd);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Makes the streams of this process a terminal without a width; gives what undoes it. */
function plugIn(keyboard: NodeJS.ReadableStream): () => void {
  const { stdout, stderr } = process;
  const undo = [
    put(process, 'stdin', Object.assign(keyboard, { isTTY: true })),
    ...[stdout, stderr].flatMap((stream) => [put(stream, 'isTTY', true), put(stream, 'columns', 0)]),
  ];
  return () => {
    for (const back of undo) back();
  };
}

/** Gives what puts back what was there. */
function put(of: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { value, configurable: true });
  return () => {
    if (before) Object.defineProperty(of, name, before);
    else Reflect.deleteProperty(of, name);
  };
}
