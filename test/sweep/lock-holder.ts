import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { AtEnd } from '../cli/small-campaign.ts';

/** Tries the lock once: says `held` and stays, or `locked` and ends. */
const SOURCE = `
  import { acquireLock } from './src/store/file/lock.ts';
  import { statePaths } from './src/store/file/work-folder.ts';
  import { realClock } from './src/util/clock.ts';
  const paths = statePaths(process.argv[2]);
  const lock = await acquireLock(paths, { lockTimeoutMs: 0, clock: realClock, command: 'campaign apply' });
  if (lock.ok) setInterval(() => {}, 1 << 30);
  process.send(lock.ok ? 'held' : lock.error.code, () => lock.ok || process.disconnect());
`;

/** Builds the program of a process that takes the lock of a state; gone when the test ends. */
export async function buildLockHolder(atEnd: AtEnd): Promise<{ script: string; stateFile: string }> {
  const root = path.join(import.meta.dirname, '..', '..');
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-lock-'));
  atEnd(() => fs.rm(folder, { recursive: true, force: true }));
  // Native code stays where it is installed.
  await fs.symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const script = path.join(folder, 'hold.mjs');
  await build({
    stdin: { contents: SOURCE, resolveDir: root, loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return { script, stateFile: path.join(folder, 'campaign.stage.state.jsonl') };
}
