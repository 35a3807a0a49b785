import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { statesBeside } from '../../../src/store/file/states-beside.ts';
import { AT, EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const put = (name: string, content: string) => fs.writeFile(path.join(folder, name), content);
const log = (events: readonly StateEvent[] = EVENTS, identity = IDENTITY) =>
  linesOf(events, { identity }).join('');
const started = (manifest: string): StateEvent => ({
  type: 'run-started',
  at: AT,
  command: 'apply',
  version: '0.1.0',
  manifest,
});

it('states of the same campaign and environment are found, each with the manifest of its last run', async () => {
  await put('a.jsonl', log([...EVENTS, started('renamed.yaml')]));
  // Another service: a copied manifest may name another one.
  await put('b.jsonl', log(EVENTS, { ...IDENTITY, baseUrl: 'https://other.example.com' }));
  await put(path.basename(file), log());
  await fs.mkdir(path.join(folder, '.campaign'));
  await put('.campaign/c.jsonl', log());
  const folders = [folder, path.join(folder, 'absent'), folder, path.join(folder, '.campaign')];
  const own = path.relative('', file);
  expect(await statesBeside(own, IDENTITY, folders)).toEqual([
    { file: path.join(folder, 'a.jsonl'), manifest: 'renamed.yaml', home: folder },
    { file: path.join(folder, 'b.jsonl'), manifest: 'campaign.yaml', home: folder },
    { file: path.join(folder, '.campaign/c.jsonl'), manifest: 'campaign.yaml', home: folder },
  ]);
});

it('what is no such state, or says of no run, is passed over', async () => {
  await put('campaign.jsonl', log(EVENTS, { ...IDENTITY, campaign: 'other' }));
  await put('environment.jsonl', log(EVENTS, { ...IDENTITY, environment: 'other' }));
  await put('long.jsonl', log(EVENTS, { ...IDENTITY, baseUrl: 'x'.repeat(5000) }));
  await put('empty.jsonl', '');
  await put('cut-off.jsonl', log([]).trimEnd());
  await put('words.jsonl', 'what\n');
  await put('without-a-run.jsonl', log([]));
  await put('damaged.jsonl', log().replace('product/tote', 'product/toto'));
  await put('a.jsonl.bak', log());
  await put('a.json', log());
  await fs.mkdir(path.join(folder, 'folder.jsonl'));
  await fs.symlink('a.json', path.join(folder, 'link.jsonl'));
  // This name is no UTF-8, so that nothing is there by the name that is read.
  await fs.writeFile(
    Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.jsonl')]),
    log(),
  );
  expect(await statesBeside(file, IDENTITY, [folder])).toEqual([]);
});
