#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { crashReport, writeCrashFile } from './cli/crash-report.ts';
import { endBySignal } from './cli/signals.ts';
import { fileProblem } from './app/disk-problem.ts';
import { storedAs } from './model/kinds.ts';
import { EXIT, type ExitCode } from './model/exit.ts';

/**
 * A reader that went away (`| head`) mutes the stream; the run goes on, as what it does is paid for. Output that finds
 * no room (`> /dev/full`) is the user's to mend: it mutes the stream too, and the end tells.
 */
let isCut = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') isCut = true;
  });
}

process.on('exit', (code) => {
  if (isCut && code === 0) process.exitCode = EXIT.cannotWrite;
});
/** Nothing is left that could wake the process, and its work is not done: without this it would end with 13, in silence. */
let isDone = false;
process.on('beforeExit', () => {
  if (!isDone) bug(new Error('nothing was left to wait for, and the work was not done'));
});
process.on('uncaughtException', bug);
process.on('unhandledRejection', bug);
await main(process.argv.slice(2));
isDone = true;

async function main(args: readonly string[]): Promise<void> {
  const { createProgram } = await import('./commands/program.ts');
  let end: ExitCode = EXIT.ok;
  const program = createProgram((code: ExitCode) => {
    end = code;
    process.exitCode = code;
  });
  try {
    await program.parseAsync(spellOut(args), { from: 'user' });
  } catch (error) {
    const problem = fileProblem(error);
    if (problem) {
      const { createOutput } = await import('./cli/output.ts');
      const json = args.includes('--json') ? { json: true as const } : {};
      createOutput({ ...json, color: !args.includes('--no-color') }).problems([problem]);
      process.exitCode = EXIT.cannotWrite;
    } else {
      if (!isUsageError(error)) throw error;
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
  }
  await endBySignal(end);
}

/** `--retry-failed` alone means all; it takes an address that follows for its glob, but never a manifest. */
function spellOut(args: readonly string[]): string[] {
  const spelled: string[] = [];
  for (const [index, arg] of args.entries()) {
    if (args[index - 1] === '--retry-failed' && storedAs(arg) === 'take') continue;
    const next = args[index + 1];
    const glob = next !== undefined && storedAs(next) === 'take' ? next : '*';
    spelled.push(arg === '--retry-failed' ? `--retry-failed=${glob}` : arg);
  }
  return spelled;
}

function isUsageError(error: unknown): error is Error & { exitCode: number } {
  return (
    error instanceof Error &&
    'exitCode' in error &&
    'code' in error &&
    String(error.code).startsWith('commander.')
  );
}

function presentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** A bug in campaign: never a bare stack trace, and the state is whole whenever it happens. */
function bug(error: unknown): void {
  const at = new Date().toISOString();
  const crashed = { args: process.argv.slice(2), env: process.env, cwd: presentFolder(), at };
  const { line, text } = crashReport(error, crashed);
  const file = writeCrashFile(text, crashed);
  const report =
    file === undefined
      ? `Please report it with this:\n\n${text}`
      : `Please report it and attach ${file}; it was written without secrets, but look at it first.\n`;
  const told = `error: campaign has a bug [bug]\n  ${line}\n  The state is intact: run again, or update first. ${report}\n`;
  try {
    writeSync(2, told);
  } catch {
    // Nobody reads it any more.
  }
  process.exit(EXIT.bug);
}
