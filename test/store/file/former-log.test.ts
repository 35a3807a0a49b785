import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyState } from '../../../src/log/fold.ts';
import { readFormerStates } from '../../../src/store/file/former-log.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

it('states under other names are read, but for those that are gone, refused, damaged or no files', async () => {
  const at = (name: string) => path.join(folder, name);
  await fs.writeFile(at('whole'), linesOf(EVENTS).join(''));
  await fs.writeFile(at('damaged'), linesOf(EVENTS).join('').replace('product/tote', 'product/toto'));
  await fs.mkdir(at('folder'));
  const names = ['whole', 'damaged', 'folder', 'absent', 'gone'];
  const found = names.map((name) => ({ file: at(name), identity: IDENTITY, isGone: name === 'gone' }));
  const witnesses = { ...NO_WITNESSES, neighbours: () => Promise.resolve({ found }) };
  const states = await readFormerStates({ stateFile: file, identity: IDENTITY, witnesses });
  expect(states.map(({ objects }) => [...objects.keys()])).toEqual([['product/tote', 'product/mug']]);
  const committed = { ...witnesses, committedState: () => Promise.resolve(emptyState()) };
  const all = await readFormerStates({ stateFile: file, identity: IDENTITY, witnesses: committed });
  expect(all.map(({ objects }) => objects.size)).toEqual([0, 2]);
});
