import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forgetState, knownStates, noteState } from '../../../src/store/file/neighbours.ts';
import { IDENTITY } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const notes = async () =>
  (await fs.readdir(path.join(folder, '.campaign'))).filter((name) => name.startsWith('known-'));

it('a state is known until it is forgotten, wherever the folder lies by then', async () => {
  const elsewhere = path.resolve(folder, '../elsewhere.jsonl');
  await noteState(folder, { file, identity: IDENTITY });
  await noteState(folder, { file, identity: IDENTITY });
  await noteState(folder, { file: elsewhere, identity: { ...IDENTITY, environment: 'other' } });
  expect(await knownStates(folder)).toEqual(
    expect.arrayContaining([
      { file, identity: IDENTITY },
      { file: elsewhere, identity: { ...IDENTITY, environment: 'other' } },
    ]),
  );
  expect(await notes()).toHaveLength(2);
  const moved = `${folder}-moved`;
  await fs.rename(folder, moved);
  expect((await knownStates(moved)).map(({ file: one }) => one)).toContain(
    path.join(moved, path.basename(file)),
  );
  await fs.rename(moved, folder);
  await forgetState(folder, file);
  expect((await knownStates(folder)).map(({ file: one }) => one)).toEqual([elsewhere]);
});

it('where nothing was noted, nothing is known', async () => {
  expect(await knownStates(folder)).toEqual([]);
});

it('a note that says nothing is passed over', async () => {
  await fs.mkdir(path.join(folder, '.campaign'));
  const whole = { state: 'x', campaign: 'c', environment: 'e', base_url: 'u' };
  const contents = ['', '7', ...Object.keys(whole).map((name) => JSON.stringify({ ...whole, [name]: 1 }))];
  for (const [index, content] of contents.entries())
    await fs.writeFile(path.join(folder, '.campaign', `known-000000000000000${index}.json`), content);
  await fs.mkdir(path.join(folder, '.campaign', 'known-0000000000000009.json'));
  expect(await knownStates(folder)).toEqual([]);
});

it('a folder that takes no note stops nobody, nor does one that is a link', async () => {
  await fs.mkdir(path.join(folder, 'other'));
  await fs.symlink('other', path.join(folder, '.campaign'));
  await noteState(folder, { file, identity: IDENTITY });
  expect(await fs.readdir(path.join(folder, 'other'))).toEqual([]);
  await fs.rm(path.join(folder, '.campaign'));
  await noteState(path.join(folder, 'absent'), { file, identity: IDENTITY });
  expect(await knownStates(path.join(folder, 'absent'))).toEqual([]);
});

it('a pipe in the place of a note is not waited for', async () => {
  await noteState(folder, { file, identity: IDENTITY });
  const [note = ''] = await notes();
  const pipe = path.join(folder, '.campaign', note);
  await fs.rm(pipe);
  await promisify(execFile)('mkfifo', [pipe]);
  await noteState(folder, { file, identity: IDENTITY });
  expect(await knownStates(folder)).toEqual([]);
});
