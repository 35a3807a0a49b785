import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileStore } from '../../../src/store/file/file-store.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { stateInFile, type Store } from '../../../src/store/store.ts';
import { EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, OPTIONS } from './state-place.ts';

let folder: string;
/** Where version 0.1 kept it. */
let formerFile: string;
let file: string;
let store: Store;

beforeEach(async () => {
  ({ folder, file: formerFile } = await makePlace());
  file = path.join(folder, '.campaign', path.basename(formerFile));
  store = createFileStore({ file, formerFile, identity: IDENTITY, witnesses: NO_WITNESSES });
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const LOG = linesOf(EVENTS).join('');

function inFile() {
  const found = stateInFile(store);
  if (!found.ok) throw new Error(found.error.detail);
  return found.value;
}

describe('a state where version 0.1 kept it', () => {
  it('is read there, and moved by the first run that writes', async () => {
    await fs.writeFile(formerFile, LOG);
    expect(await store.read()).toMatchObject({ value: { known: 2, header: { lineage: LINEAGE } } });
    expect(await fs.readdir(folder)).toEqual([path.basename(formerFile)]);
    const written = await store.write(OPTIONS);
    expect(written).toMatchObject({ value: { known: 2 } });
    if (written.ok) await written.value.close();
    expect([await fs.readFile(file, 'utf8'), await fs.readdir(folder)]).toEqual([LOG, ['.campaign']]);
    expect(await store.read()).toMatchObject({ value: { known: 2 } });
  });

  it('is set aside where it lies', async () => {
    await fs.writeFile(formerFile, LOG);
    const data = path.join(folder, 'data');
    const aside = (ending: string) => inFile().setAside(ending, { ...OPTIONS, folder: data });
    expect(await aside('.old')).toEqual({ ok: true, value: undefined });
    expect(await fs.readFile(`${file}.old`, 'utf8')).toBe(LOG);
    await fs.mkdir(data);
    await fs.writeFile(path.join(folder, 'data.older'), '');
    expect(await aside('.older')).toMatchObject({ ok: false, error: { code: 'state-unwritable', exit: 74 } });
    expect(await aside('.oldest')).toEqual({ ok: true, value: undefined });
    expect(await fs.readdir(folder)).toEqual(['.campaign', 'data.older', 'data.oldest']);
  });

  it('is not moved while a run holds the lock', async () => {
    const holding = await store.write(OPTIONS);
    if (!holding.ok) throw new Error(holding.error.detail);
    await fs.writeFile(formerFile, LOG);
    expect(await store.holder()).toContain('`campaign apply`, process ');
    const aside = await inFile().setAside('.old', { ...OPTIONS, folder });
    for (const refused of [await store.write(OPTIONS), aside])
      expect(refused).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
    await holding.value.close();
    expect(await store.holder()).toBeUndefined();
    expect(await store.excludesOthers()).toBe(true);
  });

  it('is passed over where there is one in its place', async () => {
    await fs.writeFile(formerFile, 'nothing');
    await fs.mkdir(path.dirname(file));
    await fs.writeFile(file, LOG);
    expect(await store.read()).toMatchObject({ value: { known: 2 } });
  });
});

it('another file is adopted under the name of the store', async () => {
  const from = path.join(folder, 'old.state.jsonl');
  await fs.writeFile(from, LOG);
  await fs.mkdir(path.dirname(file));
  const adopted = await inFile().adopt(from, OPTIONS);
  if (!adopted.ok) throw new Error(adopted.error.detail);
  await adopted.value.recorder.append(EVENTS.slice(-1));
  await adopted.value.close();
  expect(await store.read()).toMatchObject({ value: { known: 2, seq: EVENTS.length + 1 } });
});
