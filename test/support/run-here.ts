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
  const { env: before, stdout, stderr } = process;
  const folder = process.cwd();
  const said = { stdout: '', stderr: '' };
  const writes = { stdout: stdout.write, stderr: stderr.write };
  const noteTo = (stream: 'stdout' | 'stderr') => (text: string | Uint8Array) => {
    said[stream] += String(text);
    return true;
  };
  let code: number | null = null;
  try {
    process.chdir(cwd);
    process.env = { PATH: before['PATH'], ...env };
    stdout.write = noteTo('stdout');
    stderr.write = noteTo('stderr');
    const program = createProgram((end) => {
      code = end;
    });
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    Object.assign(stdout, { write: writes.stdout });
    Object.assign(stderr, { write: writes.stderr });
    process.env = before;
    process.chdir(folder);
  }
  return { code, signal: null, ...said };
}
