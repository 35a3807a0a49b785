import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileStore } from '../../../src/store/file/file-store.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { stateInFile, type Store } from '../../../src/store/store.ts';
import { EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;
let store: Store;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  store = createFileStore({ file, identity: IDENTITY, witnesses: NO_WITNESSES });
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const LOG = linesOf(EVENTS).join('');

function inFile() {
  const found = stateInFile(store);
  if (!found.ok) throw new Error(found.error.detail);
  return found.value;
}

it('a state is set aside with the folder that belongs to it', async () => {
  await fs.writeFile(file, LOG);
  const data = path.join(folder, 'data');
  const aside = (ending: string) => inFile().setAside(ending, { ...OPTIONS, folder: data });
  expect(await aside('.old')).toEqual({ ok: true, value: undefined });
  expect(await fs.readFile(`${file}.old`, 'utf8')).toBe(LOG);
  await fs.mkdir(data);
  await fs.writeFile(path.join(folder, 'data.older'), '');
  expect(await aside('.older')).toMatchObject({ ok: false, error: { code: 'state-unwritable', exit: 74 } });
  expect(await aside('.oldest')).toEqual({ ok: true, value: undefined });
  const kept = ['.campaign', `${path.basename(file)}.old`, 'data.older', 'data.oldest'];
  expect(await fs.readdir(folder)).toEqual(kept);
});

it('a state is not set aside while a run holds the lock', async () => {
  const holding = await store.write(OPTIONS);
  if (!holding.ok) throw new Error(holding.error.detail);
  expect(await store.holder()).toContain('`campaign apply`, process ');
  const aside = await inFile().setAside('.old', { ...OPTIONS, folder });
  for (const refused of [await store.write(OPTIONS), aside])
    expect(refused).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
  await holding.value.close();
  expect(await store.holder()).toBeUndefined();
  expect(await store.excludesOthers()).toBe(true);
});

it('another file is adopted under the name of the store', async () => {
  const from = path.join(folder, 'old.state.jsonl');
  await fs.writeFile(from, LOG);
  const adopted = await store.adopt(from, OPTIONS);
  if (!adopted.ok) throw new Error(adopted.error.detail);
  await adopted.value.recorder.append(EVENTS.slice(-1));
  await adopted.value.close();
  expect(await store.read()).toMatchObject({ value: { known: 2, seq: EVENTS.length + 1 } });
});
