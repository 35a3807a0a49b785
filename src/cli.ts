#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { bugIn } from './cli/crash-report.ts';
import { endBySignal } from './cli/signals.ts';
import { runCommand } from './commands/run-command.ts';
import { EXIT } from './model/exit.ts';

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
  const end = await runCommand(args);
  process.exitCode = end;
  await endBySignal(end);
}

/** A bug in campaign: never a bare stack trace, and the state is whole whenever it happens. */
function bug(error: unknown): void {
  const { line, advice } = bugIn(error);
  const told = `error: campaign has a bug [bug]\n  ${line}\n  The state is intact: run again, or update first. ${advice()}\n`;
  try {
    writeSync(2, told);
  } catch {
    // Nobody reads it any more.
  }
  process.exit(EXIT.bug);
}
