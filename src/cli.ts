#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { EXIT, type ExitCode } from './model/exit.ts';

/** A reader that went away (`| head`) mutes the stream; the run goes on, as what it does is paid for. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.on('uncaughtException', bug);
process.on('unhandledRejection', bug);
await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { createProgram } = await import('./commands/program.ts');
  const program = createProgram((code: ExitCode) => {
    process.exitCode = code;
  });
  overrideExit(program);
  try {
    await program.parseAsync(spellOut(args), { from: 'user' });
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** `--retry-failed` alone means all; it takes an address that follows for its glob, but never a manifest. */
function spellOut(args: readonly string[]): string[] {
  const spelled: string[] = [];
  for (const [index, arg] of args.entries()) {
    if (args[index - 1] === '--retry-failed' && arg.startsWith('media/')) continue;
    const next = args[index + 1];
    const glob = next?.startsWith('media/') ? next : '*';
    spelled.push(arg === '--retry-failed' ? `--retry-failed=${glob}` : arg);
  }
  return spelled;
}

interface Overridable {
  exitOverride(): unknown;
  readonly commands: readonly Overridable[];
}

/** Commander must not end the process: output that is still on its way would be cut. */
function overrideExit(command: Overridable): void {
  command.exitOverride();
  for (const child of command.commands) overrideExit(child);
}

function isUsageError(error: unknown): error is Error & { exitCode: number } {
  return (
    error instanceof Error &&
    'exitCode' in error &&
    'code' in error &&
    String(error.code).startsWith('commander.')
  );
}

/** A bug in campaign: never a bare stack trace, and the state is whole whenever it happens. */
function bug(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = `error: campaign has a bug (exit ${EXIT.bug}). The state file is intact: run again after an update.\n\n${detail}\n`;
  writeSync(2, text);
  process.exit(EXIT.bug);
}
