import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openState } from '../../src/state/open-state.ts';
import { IDENTITY } from './sample-log.ts';
import { OPTIONS } from './state-place.ts';

let folder: string;
let script: string;

/** Appends products until it fails, and prints how many were acknowledged and how it ended. */
const SOURCE = `
  import { openState } from './src/state/open-state.ts';
  import { realClock } from './src/util/clock.ts';
  const opened = await openState({
    mode: 'write', stateFile: process.argv[2], identity: JSON.parse(process.argv[3]), lockTimeoutMs: 0,
    clock: realClock, runId: 'run-' + process.argv[2].split('-').pop(), command: 'test',
    newLineage: () => 'lineage-of-' + process.argv[2],
  });
  let acknowledged = 0;
  try {
    for (;;) {
      const address = 'product/p' + acknowledged;
      await opened.value.recorder.append([
        { type: 'intent', at: '', address, attempt: 1, inputs: {}, fingerprint: 'f' },
        { type: 'created', at: '', address, result: { id: 'x' } },
      ]);
      acknowledged++;
    }
  } catch (error) {
    console.log(JSON.stringify({ acknowledged, name: error.name, exit: error.exit }));
  }
  await opened.value.close();
`;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'campaign-full-'));
  script = path.join(folder, 'append.mjs');
  await fs.symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await build({
    stdin: { contents: SOURCE, resolveDir: process.cwd() },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
    external: ['fs-native-extensions'],
  });
});

afterAll(() => fs.rm(folder, { recursive: true, force: true }));

// Sizes that end in the first line of a pair, in the second, and at a line's end.
it.each([1200, 1300, 1400, 1500, 1600])('a file that cannot grow beyond %d bytes', async (size) => {
  const stateFile = path.join(folder, `at-${size}.state.jsonl`);
  const { stdout } = await promisify(execFile)('prlimit', [
    `--fsize=${size}`,
    process.execPath,
    script,
    stateFile,
    JSON.stringify(IDENTITY),
  ]);
  const { acknowledged, ...end } = JSON.parse(stdout) as { acknowledged: number; name: string; exit: number };
  expect(end).toEqual({ name: 'StateWriteError', exit: 74 });
  const opened = await openState({ mode: 'read', stateFile, identity: IDENTITY });
  if (!opened.ok) throw new Error(opened.error.detail);
  // What was acknowledged is there, and the short write was taken back: nothing else is.
  expect([...opened.value.state.objects.values()].map(({ status }) => status)).toEqual(
    Array.from({ length: acknowledged }, () => 'done'),
  );
  expect((await fs.readFile(stateFile, 'utf8')).endsWith('"}\n')).toBe(true);

  // Where there is room again, what could not be written is taken in: the last pair too.
  const again = await openState({ ...OPTIONS, mode: 'write', stateFile });
  if (!again.ok) throw new Error(again.error.detail);
  expect(again.value.warnings).toHaveLength(1);
  expect(again.value.state.objects.size).toBe(acknowledged + 1);
  await again.value.close();
});
