#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { fileProblem } from './app/disk-problem.ts';
import { bugIn } from './cli/crash-report.ts';
import { endBySignal } from './cli/signals.ts';
import { runCommand } from './commands/run-command.ts';
import { EXIT, type ExitCode } from './model/exit.ts';
import { codeWords } from './util/code-words.ts';

/**
 * A reader that went away (`| head`) mutes the stream; the run goes on, as what it does is paid for. Output that finds
 * no room (`> /dev/full`) is the user's to mend: it mutes the stream too, and the end tells.
 */
let cut: { readonly where: string; readonly code: string } | undefined;
for (const [where, stream] of [
  ['Standard output', process.stdout],
  ['Standard error', process.stderr],
] as const) {
  stream.on('error', ({ code = 'EIO' }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') cut ??= { where, code };
  });
}

process.on('exit', (code) => {
  if (!cut) return;
  const what = `${cut.where} cannot be written (${codeWords(cut.code)})`;
  writeLast(`error: ${what} [output-cut]\n  What this command says is missing there. What it did is done.\n`);
  if (code === 0) process.exitCode = EXIT.cannotWrite;
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
  const end = await runCommand(args);
  process.exitCode = end;
  await endBySignal(end);
}

/** A bug in campaign: never a bare stack trace, and the state is whole whenever it happens. */
function bug(error: unknown): void {
  // Without any file left to open, campaign cannot even load what writes its messages.
  const problem = fileProblem(error);
  if (problem)
    return leave(`error: ${problem.summary} [${problem.code}]\n  ${problem.detail}\n`, EXIT.cannotWrite);
  const { line, advice } = bugIn(error);
  const told = `error: campaign has a bug [bug]\n  ${line}\n  The state is intact: run again, or update first. ${advice()}\n`;
  leave(told, EXIT.bug);
}

function leave(told: string, code: ExitCode): void {
  writeLast(told);
  process.exit(code);
}

function writeLast(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // Nobody reads it any more.
  }
}
