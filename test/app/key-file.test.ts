import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readKeyFile } from '../../src/app/key-file.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-key-'));
  file = join(folder, 'key');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const read = () => readKeyFile(file, createHurriedClock({ speed: 10_000 }));
const mkfifo = () => promisify(execFile)('mkfifo', [file]);

it.each([
  ['as it is', 'canary-key'],
  ['with line ends of Windows', 'canary-key\r\n'],
  ['behind a byte order mark', '\uFEFFcanary-key\n'],
])('is the key %s', async (_, content) => {
  await writeFile(file, content);
  expect(await read()).toEqual({ ok: true, value: 'canary-key' });
});

it('may be a pipe whose writer comes later, and writes in pieces', async () => {
  await mkfifo();
  const reading = readKeyFile(file, createHurriedClock({ speed: 1 }));
  const writer = await open(file, 'w');
  await writer.write('canary-');
  await writer.write('key\n');
  await writer.close();
  expect(await reading).toEqual({ ok: true, value: 'canary-key' });
});

it('is not waited for for ever: a pipe without a writer, or with one that says nothing', async () => {
  await mkfifo();
  const error = 'is a pipe that gave no key within 60 seconds';
  expect(await read()).toEqual({ ok: false, error });
  const silent = await open(file, 'r+');
  expect(await read()).toEqual({ ok: false, error });
  await silent.close();
});

it('is a file that can be read, not empty, and no more than a key', async () => {
  expect(await read()).toEqual({ ok: false, error: 'cannot be read' });
  expect(await readKeyFile(folder, createHurriedClock())).toEqual({ ok: false, error: 'cannot be read' });
  await writeFile(file, ' \n');
  expect(await read()).toEqual({ ok: false, error: 'is empty' });
  expect(await readKeyFile('/dev/zero', createHurriedClock())).toEqual({
    ok: false,
    error: 'has more than 65536 bytes, and so is no key',
  });
});
