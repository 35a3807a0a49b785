import { vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import type { CliEnd, CliOptions } from './run-cli.ts';

/** One at a time: folder, environment and streams belong to the whole process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command that only reads in this process, as `runCli` would in one of its own: its folder, its environment, all
 * it says. For tests that look at what it says of many manifests: a process takes five times as long to start.
 */
export function runHere(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  const run = last.then(() => runNow(args, options));
  last = run.catch(() => undefined);
  return run;
}

async function runNow(args: readonly string[], { cwd, env = {} }: CliOptions): Promise<CliEnd> {
  const { env: before } = process;
  const folder = process.cwd();
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  let code: number | null = null;
  try {
    process.chdir(cwd);
    process.env = { PATH: before['PATH'], ...env };
    const program = createProgram((end) => {
      code = end;
    });
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = before;
    process.chdir(folder);
  }
  return { code, signal: null, ...said };
}
