import { fileProblem } from '../app/disk-problem.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { storedAs } from '../model/kinds.ts';

/** With this word the completion of a shell asks what may follow; it is in no help. */
const COMPLETE = '__complete';

/** Does what the arguments say, and says how it ended. Whatever is thrown is a bug. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  if (args[0] === COMPLETE) return (await import('./complete.ts')).complete(args.slice(1));
  const { createProgram } = await import('./program.ts');
  let end: ExitCode = EXIT.ok;
  const program = createProgram((code) => {
    end = code;
  });
  try {
    await program.parseAsync(spellOut(args), { from: 'user' });
    return end;
  } catch (error) {
    const problem = fileProblem(error);
    if (problem) {
      const { createOutput } = await import('../cli/output.ts');
      const json = args.includes('--json') ? { json: true as const } : {};
      createOutput({ ...json, color: !args.includes('--no-color') }).problems([problem]);
      return EXIT.cannotWrite;
    }
    if (!isUsageError(error)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
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
