import * as fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Committed } from '../../../src/store/file/committed.ts';
import { NO_WITNESSES } from '../../support/no-witnesses.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { EVENTS, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const LINES = linesOf(EVENTS);
const CRC = Number.parseInt((LINES.at(-1) ?? '').trimEnd().slice(-10, -2), 16);

function committed(checkpoint: object): Committed {
  const known = { lineage: LINEAGE, last: { seq: 5, crc: CRC }, ...checkpoint };
  return { type: 'log', blob: 'b10b', checkpoint: known, isSettled: false };
}

const options = (head: Committed) => ({
  ...OPTIONS,
  stateFile: file,
  witnesses: { ...NO_WITNESSES, committed: () => Promise.resolve(head) },
});

const noted = () => fs.readFile(statePaths(file).committed, 'utf8').catch(() => undefined);

describe('a log that does not go on from the committed one', () => {
  it.each([
    [
      'another one',
      { lineage: 'other' },
      `is the log ${LINEAGE}, and the last commit (git's HEAD) has the log other`,
    ],
    [
      'older',
      { last: { seq: 7, crc: 1 } },
      "ends with record 5, and the last commit (git's HEAD) goes on to record 7",
    ],
    ['apart', { last: { seq: 4, crc: 1 } }, "has another record 4 than the last commit (git's HEAD)"],
  ])('is refused where it is %s, until somebody records that it counts', async (_, checkpoint, words) => {
    await fs.writeFile(file, LINES.join(''));
    const given = options(committed(checkpoint));
    const refused = await openState({ ...given, mode: 'write' });
    expect(refused).toEqual({
      ok: false,
      error: {
        code: 'state-diverged',
        exit: 76,
        summary: 'The state does not go on from the committed one',
        detail:
          `${file} ${words}. What is not in this copy would be made a second time. \`git checkout HEAD -- FILE\` brings ` +
          `the committed one back. If this copy is to count from now on, \`campaign state use ${file}\` says so.`,
      },
    });
    const read = await openState({ ...given, mode: 'read' });
    expect(read.ok && read.value.warnings).toHaveLength(1);
    const bound = await openState({ ...given, mode: 'write', allow: ['diverged'] });
    if (!bound.ok) throw new Error(bound.error.detail);
    expect(await noted()).toBeUndefined();
    await bound.value.recorder.append(EVENTS.slice(0, 1));
    await bound.value.close();
    expect(await noted()).toMatch(/^\{"blob":"b10b",.*"settled":true\}\n$/);
  });
});

it('a log that goes on from it, or one that was settled, is taken', async () => {
  await fs.writeFile(file, LINES.join(''));
  const settled = { ...committed({ lineage: 'other' }), isSettled: true } as Committed;
  for (const head of [committed({}), settled]) {
    const opened = await openState({ ...options(head), mode: 'write' });
    if (!opened.ok) throw new Error(opened.error.detail);
    expect(opened.value.warnings).toEqual([]);
    await opened.value.close();
  }
});

it('a log that is gone, and committed, is not begun anew by itself', async () => {
  const given = options(committed({}));
  const attempts = [openState({ ...given, mode: 'read' }), openState({ ...given, mode: 'write' })];
  for (const opened of await Promise.all(attempts)) {
    expect(!opened.ok && opened.error).toEqual({
      code: 'state-vanished',
      exit: 76,
      summary: 'The state is gone',
      detail:
        `${file} is not there, and the last commit (git's HEAD) has it: starting anew would make everything a second ` +
        'time. `git checkout HEAD -- FILE` brings it back. If it is to start anew, `campaign state new` says so.',
    });
  }
  const settled = await openState({
    ...options({ ...committed({}), isSettled: true } as Committed),
    mode: 'write',
  });
  expect(settled.ok).toBe(true);
  if (settled.ok) await settled.value.close();
  expect(await fs.readdir(folder)).toEqual(['.campaign']);
});

it('a new log that cannot be made says so before anything depends on it', async () => {
  const opened = await openState({ ...options({ type: 'none' }), mode: 'write' });
  if (!opened.ok) throw new Error(opened.error.detail);
  await fs.mkdir(statePaths(file).fresh);
  expect(await opened.value.begin()).toMatchObject({ code: 'state-unwritable', exit: 74 });
  await opened.value.close();
  await fs.rmdir(statePaths(file).fresh);
});
