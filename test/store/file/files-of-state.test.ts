import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesOfState } from '../../../src/store/file/files-of-state.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

it('a state that is still to come has its place, and that of its decisions', async () => {
  expect(await filesOfState(path.relative('', file))).toEqual({
    state: file,
    decisions: path.join(folder, 'campaign.stage.decisions.yaml'),
    kept: [],
  });
});

it('what runs have kept belongs to it, and also what was taken in, because git has to learn that it is gone', async () => {
  const work = path.join(folder, '.campaign');
  const own = path.basename(file);
  await fs.mkdir(work);
  const names = [
    'errored-run-1.jsonl',
    'errored-run-2.jsonl.imported',
    'errored-run-3-0123abcd.jsonl',
    // Taken in, and then kept once more.
    'errored-run-4.jsonl',
    'errored-run-4.jsonl.imported',
    `${own}.replaced-run-1`,
    // Of this machine alone.
    `${own}.lock`,
    `${own}.git.json`,
    `${own}.torn-run-1`,
    'other.state.jsonl.replaced-run-1',
    'errored-run-5.jsonl.tmp',
    '.gitignore',
  ];
  for (const name of names) await fs.writeFile(path.join(work, name), '');
  const { kept } = await filesOfState(file);
  expect(kept.map((name) => path.relative(work, name))).toEqual([
    `${own}.replaced-run-1`,
    `${own}.replaced-run-2`,
    `${own}.replaced-run-4`,
    'errored-run-1.jsonl',
    'errored-run-2.jsonl',
    'errored-run-3-0123abcd.jsonl',
    'errored-run-4.jsonl',
  ]);
});

it('what says where the log is belongs to it', async () => {
  const pointer = path.join(folder, 'pointer.state.jsonl');
  expect(await filesOfState(file, pointer)).toMatchObject({ state: file, kept: [pointer] });
});
