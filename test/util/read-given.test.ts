import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readGiven } from '../../src/util/read-given.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-given-'));
  file = join(folder, 'key');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const read = () => readGiven(file, createHurriedClock({ speed: 10_000 }));
const mkfifo = () => promisify(execFile)('mkfifo', [file]);

it('reads a file', async () => {
  await writeFile(file, 'canary-key\n');
  expect(await read()).toEqual({ ok: true, value: 'canary-key\n' });
  await writeFile(file, '');
  expect(await read()).toEqual({ ok: true, value: '' });
});

it('reads a pipe whose writer comes later, and writes in pieces', async () => {
  await mkfifo();
  const reading = readGiven(file, createHurriedClock({ speed: 1 }));
  const writer = await open(file, 'w');
  await writer.write('canary-');
  await writer.write('key\n');
  await writer.close();
  expect(await reading).toEqual({ ok: true, value: 'canary-key\n' });
  // Whoever asks again gets it too: a pipe gives it once.
  expect(await read()).toEqual({ ok: true, value: 'canary-key\n' });
});

it('does not wait for ever for a pipe without a writer', async () => {
  await mkfifo();
  expect(await read()).toEqual({
    ok: false,
    error: 'is a pipe that nobody opened to write to it within 10 seconds',
  });
  // Whoever asks again is told the same, and does not wait again.
  expect(await readGiven(file)).toMatchObject({ ok: false });
});

it('does not wait for ever for a pipe with a writer that says nothing, nor longer than it may', async () => {
  await mkfifo();
  const silent = await open(file, 'r+');
  const second = join(folder, 'second');
  await promisify(execFile)('mkfifo', [second]);
  expect(await read()).toEqual({
    ok: false,
    error: 'is a pipe that did not give its content within 60 seconds',
  });
  await silent.close();
  expect(await readGiven(second, createHurriedClock({ speed: 10_000 }), 2_000)).toEqual({
    ok: false,
    error: 'is a pipe that nobody opened to write to it within 2 seconds',
  });
});

it.each([
  ['what is not there', () => file, 'cannot be read'],
  ['standard input by a dash', () => '-', 'is no file here: write /dev/stdin for standard input'],
  ['a folder', () => folder, 'cannot be read'],
  ['a device that never ends', () => '/dev/zero', 'is a device'],
])('does not read %s', async (_, at, error) => {
  expect(await readGiven(at())).toEqual({ ok: false, error });
});
