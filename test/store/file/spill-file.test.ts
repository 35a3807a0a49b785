import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { createSpillFile } from '../../../src/store/file/spill-file.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { findSpillFiles } from '../../../src/store/file/import-spill.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { timed, intent, type Happening } from '../../log/fold-events.ts';
import { IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder } = await makePlace());
  file = path.join(folder, 'errored-run-1.jsonl');
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const { header } = encodeHeader(LINEAGE, IDENTITY);

const created = (address: string): Happening => ({ type: 'created', address, result: { id: 'x' } });

function open(): { keep: (events: readonly StateEvent[]) => Promise<string | undefined>; told: string[] } {
  const told: string[] = [];
  const log = createSpillFile(file, { header, run: 'run-1', after: () => ({ seq: 0, crc: 0 }) }, (lines) =>
    told.push(lines),
  );
  return {
    told,
    async keep(events) {
      const kept = await log.keep(events, []);
      await log.close();
      return kept;
    },
  };
}

it('an intent without an end gets one: it was never sent', async () => {
  const events = timed(
    intent('product/cap'),
    created('product/mug'),
    intent('product/tote'),
    created('product/tote'),
    intent('product/bag'),
    { type: 'learned', name: 'n', value: 'v' },
  );
  expect(await open().keep(events)).toBe(file);
  const [cap, mug, tote, made, bag, learned] = events as [StateEvent, ...StateEvent[]];
  const neverSent = (address: string, at: string) => ({
    type: 'not-sent',
    at,
    address,
    problem: { summary: 'the state could not be written', detail: 'The request was never sent.' },
  });
  const [found] = await findSpillFiles({ ...statePaths('x'), work: folder });
  expect(found?.records.map(({ event }) => event)).toEqual([
    cap,
    neverSent('product/cap', cap.at),
    mug,
    tote,
    made,
    bag,
    neverSent('product/bag', bag?.at ?? ''),
    learned,
  ]);
});

it('is one log, however often something is kept', async () => {
  const log = createSpillFile(
    file,
    { header, run: 'run-1', after: () => ({ seq: 0, crc: 0 }) },
    () => undefined,
  );
  const events = timed(created('product/a'), created('product/b'));
  // At once: the second one waits for the first.
  const kept = await Promise.all(events.map((event) => log.keep([event], [])));
  await log.close();
  expect(kept).toEqual([file, file]);
  expect(await fs.readFile(file, 'utf8')).toBe(linesOf(events).join(''));
});

it('begins with the intents that were under way when the log failed: without them an end says nothing', async () => {
  const log = createSpillFile(
    file,
    { header, run: 'run-1', after: () => ({ seq: 0, crc: 0 }) },
    () => undefined,
  );
  const [asked, made, other] = timed(intent('product/a'), created('product/a'), created('product/b'));
  await log.keep([made as StateEvent], [asked as StateEvent]);
  await log.keep([other as StateEvent], [asked as StateEvent]);
  await log.close();
  expect(await fs.readFile(file, 'utf8')).toBe(linesOf([asked, made, other] as StateEvent[]).join(''));
});

it('never goes into a file that is there already, and is told all the same', async () => {
  await fs.writeFile(file, 'something else');
  const { keep, told } = open();
  const events = timed(created('product/a'));
  expect(await keep(events)).toBeUndefined();
  expect(await fs.readFile(file, 'utf8')).toBe('something else');
  expect(told).toEqual([linesOf(events).join('')]);
});

it('makes no file where nothing is kept', async () => {
  await createSpillFile(
    file,
    { header, run: 'run-1', after: () => ({ seq: 0, crc: 0 }) },
    () => undefined,
  ).close();
  expect(await fs.readdir(folder)).toEqual([]);
});

it('what waits is found oldest first, by its events and not by its name', async () => {
  const [early, late] = timed(created('product/a'), created('product/b')) as [StateEvent, StateEvent];
  for (const [name, events] of [
    ['a', [late]],
    ['b', [early]],
    ['c', [late]],
    ['d', []],
  ] as const)
    await fs.writeFile(path.join(folder, `errored-${name}.jsonl`), linesOf(events).join(''));
  const found = await findSpillFiles({ ...statePaths('x'), work: folder });
  expect(found.map((one) => path.basename(one.file, '.jsonl').slice(-1)).join('')).toMatch(/^db(ac|ca)$/);
  expect(await findSpillFiles({ ...statePaths('x'), work: path.join(folder, 'nowhere') })).toEqual([]);
  await expect(
    findSpillFiles({ ...statePaths('x'), work: path.join(folder, 'errored-a.jsonl') }),
  ).rejects.toThrow('ENOTDIR');
});
