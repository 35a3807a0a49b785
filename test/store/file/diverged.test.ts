import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../../src/model/run-summary.ts';
import {
  decodeCheckpoint,
  divergenceOf,
  encodeCheckpoint,
  type LogTrace,
} from '../../../src/store/file/checkpoint.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, read, write, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** Begins with all the events, as this machine knows them from then on. */
async function begun(): Promise<string> {
  const state = await written(file);
  await state.recorder.append(EVENTS);
  await state.close();
  return fs.readFile(file, 'utf8');
}

/** Refused for writing, left as it is, and a warning for a reader. */
async function refusal(): Promise<string> {
  const before = await fs.readFile(file, 'utf8');
  const toWrite = await write(file);
  if (toWrite.ok) throw new Error('it was opened');
  const { code, exit, summary, detail } = toWrite.error;
  expect([code, exit]).toEqual(['state-diverged', 76]);
  expect(await fs.readFile(file, 'utf8')).toBe(before);
  const toRead = await read(file);
  expect(toRead.ok && toRead.value.warnings).toEqual([
    `${summary}: what it lacks is taken for new, and commands that write refuse it (76) until the other copy is back or ` +
      `\`campaign state use ${file}\` decides that this one counts.`,
  ]);
  return `${summary}: ${detail}`;
}

describe('a copy of the state', () => {
  it('that is older than what was here is refused, with a way out', async () => {
    await begun();
    await fs.writeFile(file, linesOf(EVENTS.slice(0, 3), { run: 'run-2' }).join(''));
    expect(await refusal()).toBe(
      `The state is older than before: ${file} ends with record 3, and record 5 was here already. What is not in this ` +
        'copy would be made a second time. Bring the other one back, from a backup or from git (`git log --all ' +
        '--full-history -- FILE` lists the commits, `git checkout COMMIT -- FILE` brings one back). If this copy is ' +
        `to count from now on, \`campaign state use ${file}\` says so.`,
    );
  });

  it('that went its own way is refused', async () => {
    await begun();
    await fs.writeFile(file, linesOf([...EVENTS, ...EVENTS], { run: 'elsewhere' }).join(''));
    expect(await refusal()).toContain(`: ${file} has another record 5 than the one that was here last. `);
  });

  it('of another lineage is refused', async () => {
    await begun();
    await fs.writeFile(file, linesOf(EVENTS, { lineage: 'other' }).join(''));
    expect(await refusal()).toContain(`is the log other, and the one that was here last is ${LINEAGE}. `);
  });

  it('is taken where somebody says so, and is what is remembered from then on', async () => {
    await begun();
    await fs.writeFile(file, linesOf(EVENTS, { lineage: 'other' }).join(''));
    await taken();
    await (await written(file)).close();
  });

  it('stays refused where nobody says so in the end', async () => {
    await begun();
    const lock = path.join(folder, '.campaign', `${path.basename(file)}.lock`);
    const known = await fs.readFile(lock, 'utf8');
    for (const copy of [
      linesOf(EVENTS.slice(0, 3), { run: 'run-2' }),
      linesOf(EVENTS, { lineage: 'other' }),
      linesOf(EVENTS, { run: 'run-2', identity: { ...IDENTITY, environment: 'live' } }),
    ]) {
      await fs.writeFile(file, copy.join(''));
      const opened = await openState({
        ...OPTIONS,
        stateFile: file,
        mode: 'write',
        allow: ['diverged', 'foreign'],
      });
      if (!opened.ok) throw new Error(opened.error.detail);
      await opened.value.close('compact');
      expect(await fs.readFile(lock, 'utf8')).toBe(known);
      expect(await fs.readFile(file, 'utf8')).toBe(copy.join(''));
      expect((await write(file)).ok).toBe(false);
    }
  });

  it('may be taken where only its last record is another one', async () => {
    await begun();
    await fs.writeFile(file, linesOf(EVENTS, { run: 'elsewhere' }).join(''));
    expect(await refusal()).toContain(`: ${file} has another record 5 than the one that was here last. `);
    await taken();
    await (await written(file)).close();
  });

  it('that goes on from what was here is taken', async () => {
    const before = await begun();
    await fs.writeFile(file, linesOf([...EVENTS, ...EVENTS], { run: 'run-2' }).join(''));
    expect((await fs.readFile(file, 'utf8')).startsWith(before)).toBe(true);
    const state = await written(file);
    expect(state.warnings).toEqual([]);
    await state.close();
  });
});

/** Opens a copy that went its own way, and says that it counts. */
async function taken(): Promise<void> {
  const opened = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['diverged'] });
  if (!opened.ok) throw new Error(opened.error.detail);
  const { campaign, environment, baseUrl } = IDENTITY;
  await opened.value.recorder.append([{ type: 'rebound', at: AT, campaign, environment, base_url: baseUrl }]);
  await opened.value.close();
}

describe('what is remembered', () => {
  it('survives its text, and a torn text still says that there was a state', () => {
    const last = { seq: 12, crc: 0xab };
    const text = encodeCheckpoint('a', last);
    expect(decodeCheckpoint(text)).toEqual({ lineage: 'a', last });
    expect(decodeCheckpoint(text.slice(0, -1))).toEqual({ lineage: 'a' });
    expect(decodeCheckpoint('a\n')).toEqual({ lineage: 'a' });
    expect(decodeCheckpoint('\n')).toBeUndefined();
    expect(decodeCheckpoint('\0'.repeat(30))).toBeUndefined();
    // Written over an older one and cut short: no record of the two.
    expect(
      decodeCheckpoint(`${text.slice(0, 5)}${encodeCheckpoint('a', { seq: 34, crc: 0xcd }).slice(5)}`),
    ).toEqual({
      lineage: 'a',
    });
    // Longer than what was written over it: the beginning counts.
    expect(decodeCheckpoint(`${text}7 00000001\n`)).toEqual({ lineage: 'a', last });
  });

  const run = (seq: number, crc: number): RunSummary => ({
    run: 'r',
    command: 'apply',
    version: '1',
    manifest: 'm.yaml',
    startedAt: '',
    by: 'anna@studio',
    last: { seq, crc },
  });
  const log: LogTrace = {
    lineage: 'a',
    base: { seq: 0, crc: undefined },
    end: { seq: 9, crc: 90 },
    crcAt: 50,
    runs: [],
  };
  const compacted: LogTrace = {
    ...log,
    base: { seq: 8, crc: 80 },
    crcAt: undefined,
    runs: [run(5, 50), run(7, 70)],
  };

  it.each([
    ['a log that has the record', { lineage: 'a', last: { seq: 5, crc: 50 } }, log, undefined],
    ['a log whose record is another', { lineage: 'a', last: { seq: 5, crc: 51 } }, log, 'apart'],
    ['a log that ends before', { lineage: 'a', last: { seq: 10, crc: 1 } }, log, 'older'],
    ['a new log', { lineage: 'a', last: { seq: 0, crc: 1 } }, log, undefined],
    ['a lineage alone', { lineage: 'a' }, log, undefined],
    ['the beginning of its lineage', { lineage: 'a' }, { ...log, lineage: 'ab' }, undefined],
    ['the end of its lineage', { lineage: 'b' }, { ...log, lineage: 'ab' }, 'other-lineage'],
    ['another lineage', { lineage: 'b', last: { seq: 5, crc: 50 } }, log, 'other-lineage'],
    [
      'a compacted log with that end of a run',
      { lineage: 'a', last: { seq: 5, crc: 50 } },
      compacted,
      undefined,
    ],
    [
      'a compacted log that was made of that end',
      { lineage: 'a', last: { seq: 8, crc: 80 } },
      compacted,
      undefined,
    ],
    [
      'a compacted log that was made of another end',
      { lineage: 'a', last: { seq: 8, crc: 81 } },
      compacted,
      'apart',
    ],
    [
      'a compacted log that begins right behind that end',
      { lineage: 'a', last: { seq: 7, crc: 70 } },
      compacted,
      undefined,
    ],
    [
      'a compacted log with another end there',
      { lineage: 'a', last: { seq: 5, crc: 51 } },
      compacted,
      'apart',
    ],
    [
      'a compacted log that knows no such end',
      { lineage: 'a', last: { seq: 4, crc: 50 } },
      compacted,
      'apart',
    ],
    [
      'a compacted log that has the record',
      { lineage: 'a', last: { seq: 9, crc: 50 } },
      { ...compacted, crcAt: 50 },
      undefined,
    ],
  ] as const)('against %s', (_, checkpoint, trace, expected) => {
    expect(divergenceOf(checkpoint, trace)?.type).toBe(expected);
  });
});
