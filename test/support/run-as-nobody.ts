import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { CLI } from './run-cli.ts';

const NOBODY = 65_534;

/** For starting a process as somebody who is not root; root alone may do that, and the others are nobody special. */
export const AS_NOBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Runs the built command in a folder as somebody who is not root: root may read and write everything. The folder is
 * given to that user, with the modes that it has.
 */
export async function runAsNobody(
  args: readonly string[],
  { folder, env = {} }: { folder: string; env?: Readonly<Record<string, string>> },
): Promise<{ code: number | null; output: string }> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await promisify(execFile)('chown', ['-R', '-h', `${NOBODY}:${NOBODY}`, folder]);
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...AS_NOBODY,
  });
  let output = '';
  const take = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
