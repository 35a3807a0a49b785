import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasTool } from '../../support/has-tool.ts';
import { IDENTITY } from './sample-log.ts';
import { openState, OPTIONS } from './state-place.ts';

const itNeeds = it.skipIf(!hasTool('prlimit'));

let folder: string;
let script: string;

/** Appends products, at once or an event at a time, until it fails; prints how many were acknowledged and how it ended. */
const SOURCE = `
  import { openToWrite } from './src/store/file/open-to-write.ts';
  import { realClock } from './src/util/clock.ts';
  import { NO_WITNESSES } from './test/support/no-witnesses.ts';
  const opened = await openToWrite({
    stateFile: process.argv[2], identity: JSON.parse(process.argv[3]), lockTimeoutMs: 0,
    clock: realClock, runId: 'run-' + process.argv[2].split('-').pop(), command: 'test',
    newLineage: () => 'lineage-of-' + process.argv[2], witnesses: NO_WITNESSES,
  });
  let acknowledged = 0, intents = 0;
  const told = (name, exit) => console.log(JSON.stringify({ acknowledged, intents, name, exit }));
  if (!opened.ok) process.exit(told(opened.error.code, opened.error.exit));
  const { recorder } = opened.value;
  try {
    for (;;) {
      const address = 'product/p' + acknowledged;
      const intent = { type: 'intent', at: '', address, attempt: 1, inputs: {}, fingerprint: 'f' };
      const created = { type: 'created', at: '', address, result: { id: 'x' } };
      if (process.argv[4]) {
        await recorder.append([intent]);
        intents++;
        await recorder.append([created]);
      } else {
        await recorder.append([intent, created]);
      }
      acknowledged++;
    }
  } catch (error) {
    told(error.name, error.exit);
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

interface Appended {
  readonly acknowledged: number;
  readonly intents: number;
  readonly name: string;
  readonly exit: number;
}

async function appendWithin(size: number, stateFile: string, ...how: string[]): Promise<Appended> {
  const args = [`--fsize=${size}`, process.execPath, script, stateFile, JSON.stringify(IDENTITY), ...how];
  const { stdout } = await promisify(execFile)('prlimit', args);
  return JSON.parse(stdout) as Appended;
}

// Sizes that end in the first line of a pair, in the second, and at a line's end.
itNeeds.each([1200, 1300, 1400, 1500, 1600])('a file that cannot grow beyond %d bytes', async (size) => {
  const stateFile = path.join(folder, `at-${size}.state.jsonl`);
  const { acknowledged, name, exit } = await appendWithin(size, stateFile);
  expect([name, exit]).toEqual(['StateWriteError', 74]);
  const opened = await openState({ ...OPTIONS, mode: 'read', stateFile });
  if (!opened.ok) throw new Error(opened.error.detail);
  // What was acknowledged is there, and the short write was taken back: nothing else is.
  expect([...opened.value.state.objects.values()].map(({ status }) => status)).toEqual(
    Array.from({ length: acknowledged }, () => 'done'),
  );
  expect((await fs.readFile(stateFile, 'utf8')).endsWith('"}\n')).toBe(true);

  // Where there is no room yet, that is said, and nothing is lost.
  expect(await appendWithin(size, stateFile)).toMatchObject({ name: 'state-unwritable', exit: 74 });
  // Where there is room again, what could not be written is taken in: the last pair too.
  const again = await openState({ ...OPTIONS, mode: 'write', stateFile });
  if (!again.ok) throw new Error(again.error.detail);
  expect(again.value.warnings).toHaveLength(1);
  expect(again.value.state.objects.size).toBe(acknowledged + 1);
  await again.value.close();
});

// Sizes at which the file of what could not be written is itself cut, within a line and between two.
itNeeds.each([440, 520, 600, 680, 760, 840])(
  'nothing is unknown that was not sent, within %d bytes',
  async (size) => {
    const stateFile = path.join(folder, `sent-${size}.state.jsonl`);
    const { acknowledged, intents } = await appendWithin(size, stateFile, 'one by one');
    const again = await openState({ ...OPTIONS, mode: 'write', stateFile });
    if (!again.ok) throw new Error(again.error.detail);
    const all = [...again.value.state.objects.values()];
    const unknown = all.filter(({ status }) => status === 'unknown').length;
    expect(unknown).toBeLessThanOrEqual(intents - acknowledged);
    await again.value.close();
  },
);
