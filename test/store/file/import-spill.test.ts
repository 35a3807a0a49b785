import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import {
  createSieve,
  findSpillFiles,
  lackingOf,
  sharedSpillName,
} from '../../../src/store/file/import-spill.ts';
import { loadLog } from '../../../src/store/file/load-log.ts';
import { encodeRecords } from '../../../src/store/file/record.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import type { WritableState } from '../../../src/store/store.ts';
import { StateWriteError } from '../../../src/store/write-error.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, read, write, written } from './state-place.ts';

let folder: string;
let file: string;
let told: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
  told = '';
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const aside = () => path.join(folder, '.campaign/campaign.stage.state.jsonl.replaced-run-2');

const errored = () => path.join(folder, '.campaign/errored-run-2.jsonl');

const intent = (address: string): StateEvent => ({
  type: 'intent',
  at: AT,
  address,
  attempt: 1,
  inputs: {},
  fingerprint: 'f',
});
const created = (address: string, id: string): StateEvent => ({
  type: 'created',
  at: AT,
  address,
  result: { id },
});

/** An open state with one create under way, whose file is then taken away from under it. */
async function replaced(): Promise<{ state: WritableState; log: string }> {
  const opened = await openState({
    ...OPTIONS,
    stateFile: file,
    mode: 'write',
    tellSpilled: (lines) => {
      told += lines;
    },
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  const state = opened.value;
  await state.recorder.append([...EVENTS.slice(0, 3), intent('product/mug')]);
  const log = await fs.readFile(file, 'utf8');
  await fs.rename(file, `${file}.gone`);
  await fs.writeFile(file, log);
  return { state, log };
}

describe('a state that is replaced during a run (scenario 7)', () => {
  it('is noticed with the next record; the ends of what was sent are kept beside it, and told', async () => {
    const { state, log } = await replaced();
    const failure = state.recorder.append([created('product/mug', 'm-1')]);
    await expect(failure).rejects.toMatchObject({
      name: 'StateWriteError',
      message:
        `The state cannot be written: ${file} was replaced during the run; as this run wrote it, it is kept in ` +
        `${aside()}: put that back in its place, then run again`,
      keptIn: errored(),
      exit: 74,
    });
    await expect(state.recorder.append([intent('product/cap')])).rejects.toThrow(StateWriteError);
    await state.close();
    expect(await fs.readFile(file, 'utf8')).toBe(log);
    const kept = await fs.readFile(errored(), 'utf8');
    expect(kept).toBe(told);
    expect((await fs.stat(errored())).mode & 0o777).toBe(0o600);
    const events = kept
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => (JSON.parse(line) as { event: StateEvent }).event);
    // The second create was never sent: its intent has an end that says so. The first one's intent stands before its end.
    expect(events).toEqual([
      intent('product/mug'),
      created('product/mug', 'm-1'),
      intent('product/cap'),
      {
        type: 'not-sent',
        at: AT,
        address: 'product/cap',
        problem: { summary: 'the state could not be written', detail: 'The request was never sent.' },
      },
    ]);
  });

  it('is noticed where it was changed by something else', async () => {
    const state = await written(file);
    await state.recorder.append(EVENTS.slice(0, 2));
    await fs.appendFile(file, 'x');
    await expect(state.recorder.append(EVENTS.slice(2, 3))).rejects.toThrow(
      `${file} was changed by something else during the run`,
    );
    await state.close();
  });

  it('is noticed where it was deleted, and is put back from where the run kept it', async () => {
    const state = await written(file);
    await state.recorder.append(EVENTS.slice(0, 3));
    const log = await fs.readFile(file, 'utf8');
    await fs.rm(file);
    await expect(state.recorder.append(EVENTS.slice(3, 4))).rejects.toThrow(
      `${file} was deleted during the run; as this run wrote it, it is kept in ${aside()}`,
    );
    await expect(state.recorder.append(EVENTS.slice(4, 5))).rejects.toThrow('deleted');
    await state.close();
    const gone = await write(file);
    expect(!gone.ok && gone.error).toMatchObject({
      code: 'state-vanished',
      detail: expect.stringMatching(
        new RegExp(` A log that goes on from there is kept in ${aside()}\\.$`),
      ) as string,
    });
    await fs.copyFile(aside(), file);
    expect((await fs.readFile(file, 'utf8')).startsWith(log)).toBe(true);
    const back = await written(file);
    expect(back.state.objects.get('product/tote')).toMatchObject({ status: 'done', result: { id: 'p-1' } });
    await back.close();
  });

  it('by an older copy is refused from then on, whether the run ended or was killed', async () => {
    const older = linesOf(EVENTS.slice(0, 1)).join('');
    await fs.writeFile(file, older);
    const state = await written(file);
    await state.recorder.append([intent('product/mug')]);
    const lock = path.join(folder, '.campaign', `${path.basename(file)}.lock`);
    const whenKilled = await fs.readFile(lock, 'utf8');
    await fs.rename(file, `${file}.gone`);
    await fs.writeFile(file, older);
    await expect(state.recorder.append([created('product/mug', 'm-1')])).rejects.toThrow('replaced');
    await state.close();
    const refused = await write(file);
    expect(!refused.ok && refused.error).toMatchObject({
      code: 'state-diverged',
      summary: 'The state is older than before',
      detail: expect.stringContaining(`kept in ${aside()}.`) as string,
    });
    // Readers are told in one sentence.
    const looked = await read(file);
    expect(looked.ok && looked.value.diverged?.detail).toContain(`kept in ${aside()}.`);
    await fs.rm(aside());
    const alone = await write(file);
    expect(!alone.ok && alone.error.detail).not.toContain('kept in');
    // The same from what the lock held when the process would have died.
    await fs.writeFile(lock, whenKilled);
    expect(await write(file)).toMatchObject({ ok: false, error: { code: 'state-diverged' } });
    // Where that copy is to count, what was kept is enough to know the create.
    const bound = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['diverged'] });
    if (!bound.ok) throw new Error(bound.error.detail);
    const { campaign, environment, baseUrl } = IDENTITY;
    await bound.value.recorder.append([
      { type: 'rebound', at: AT, campaign, environment, base_url: baseUrl },
    ]);
    await bound.value.close();
    const next = await written(file);
    expect(next.state.objects.get('product/mug')).toMatchObject({ status: 'done', result: { id: 'm-1' } });
    await next.close();
  });
});

describe('the next start', () => {
  it('takes in what was kept, once, and says so', async () => {
    const { state } = await replaced();
    await expect(state.recorder.append([created('product/mug', 'm-1')])).rejects.toThrow();
    await state.close();
    const waits = await read(file);
    expect(waits.ok && waits.value.warnings).toEqual([
      `A run could not write all that it did into the state: the rest waits in ${errored()}, and the next apply takes it in.`,
    ]);

    const next = await written(file);
    expect(next.warnings).toEqual([
      `What an earlier run could not write into the state was taken in from ${errored()}.`,
    ]);
    expect(next.state.objects.get('product/mug')).toMatchObject({ status: 'done', result: { id: 'm-1' } });
    await next.close();
    // The log that the run kept says nothing more than this one.
    expect((await fs.readdir(path.dirname(errored()))).sort()).toEqual([
      '.gitignore',
      'campaign.stage.state.jsonl.lock',
      'errored-run-2.jsonl.imported',
    ]);
    const log = await fs.readFile(file, 'utf8');
    const again = await written(file);
    expect([again.warnings, again.version]).toEqual([[], next.version]);
    expect(again.state.objects.get('product/mug')).toMatchObject({ status: 'done' });
    await again.close();
    expect(await fs.readFile(file, 'utf8')).toBe(log);
  });

  it('takes in only what the log does not have: a crash in the middle of it changes nothing', async () => {
    const { state } = await replaced();
    const late = [created('product/mug', 'm-1'), intent('product/cap')];
    for (const event of late) await expect(state.recorder.append([event])).rejects.toThrow();
    await state.close();
    const kept = await fs.readFile(errored(), 'utf8');
    await (await written(file)).close();
    const whole = (await fs.readFile(file, 'utf8')).split('\n');
    const lock = path.join(folder, '.campaign', `${path.basename(file)}.lock`);
    // The log at each point that a crash leaves behind, the file still there.
    for (let lines = 5; lines < whole.length; lines++) {
      await fs.writeFile(file, `${whole.slice(0, lines).join('\n')}\n`);
      await fs.writeFile(errored(), kept);
      await fs.writeFile(lock, `${LINEAGE}\n`);
      await (await written(file)).close();
      expect((await fs.readFile(file, 'utf8')).split('\n')).toEqual(whole);
    }
  });

  it('knows nothing of an end that was torn, and leaves what belongs to another state', async () => {
    await fs.writeFile(file, linesOf(EVENTS.slice(0, 2)).join(''));
    const other = linesOf([created('product/mug', 'x')], { lineage: 'other' })
      .join('')
      .replace('"x"', '"y"');
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    await fs.writeFile(path.join(folder, '.campaign/errored-other.jsonl'), other);
    const foreign = await read(file);
    expect(foreign.ok && foreign.value.warnings).toEqual([]);
    const [header = '', line = ''] = linesOf([created('product/tote', 'p-1')]);
    await fs.writeFile(errored(), header + line.slice(0, -20));
    const state = await written(file);
    expect(state.state.objects.get('product/tote')).toMatchObject({ status: 'unknown' });
    expect(state.state.objects.has('product/mug')).toBe(false);
    await state.close();
    expect(
      (await fs.readdir(path.join(folder, '.campaign'))).filter((name) => name.startsWith('err')),
    ).toEqual(['errored-other.jsonl', 'errored-run-2.jsonl.imported']);
  });

  it('is refused where the file is damaged, and touches nothing', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    await fs.writeFile(errored(), linesOf(EVENTS.slice(2, 4)).join('').replace('p-1', 'p-2'));
    const opened = await write(file);
    expect(!opened.ok && opened.error.detail).toMatch(
      new RegExp(`^${errored()}, line 2 \\(byte \\d+\\): its checksum does not hold`),
    );
    expect(await fs.readFile(file, 'utf8')).toBe(linesOf(EVENTS).join(''));
    expect(!opened.ok && opened.error).toMatchObject({
      code: 'state-damaged',
      exit: 76,
      summary: 'What an earlier run could not write into the state is damaged',
      detail: expect.stringMatching(
        / It holds ends of requests that may have been carried out, so nothing was changed\. If its content cannot be brought back, move it out of that folder: its creates are unknown then, and `campaign resolve` decides them\.$/,
      ) as string,
    });
    const looked = await read(file);
    if (!looked.ok || opened.ok) throw new Error('refused');
    expect(looked.value.diverged).toEqual(opened.error);
    expect(looked.value.warnings).toEqual([`${opened.error.summary}: ${opened.error.detail}`]);
    const newer = `{"format":3,"lineage":"${LINEAGE}"}\n`;
    await fs.writeFile(errored(), newer);
    const late = await write(file);
    expect(!late.ok && late.error.code).toBe('state-newer-format');
    expect(await fs.readFile(errored(), 'utf8')).toBe(newer);
  });

  it('leaves the file where the state belongs to something else, until that is settled', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    const waiting = linesOf([created('product/mug', 'm-1')]).join('');
    await fs.writeFile(errored(), waiting);
    const opened = await openState({
      ...OPTIONS,
      stateFile: file,
      identity: { ...IDENTITY, environment: 'production' },
      mode: 'write',
      allow: ['foreign'],
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    expect(opened.value.warnings).toEqual([]);
    expect(opened.value.state.objects.get('product/mug')).toMatchObject({ status: 'unknown' });
    await opened.value.close();
    expect(await fs.readFile(errored(), 'utf8')).toBe(waiting);
    // Nor is it the state that counts here from now on.
    expect(await fs.readFile(path.join(folder, '.campaign', `${path.basename(file)}.lock`), 'utf8')).toBe('');
  });

  it('is refused by a copy that lacks what the run had recorded, until somebody says that it counts', async () => {
    const { state } = await replaced();
    await expect(state.recorder.append([created('product/mug', 'm-1')])).rejects.toThrow();
    await state.close();
    // On another machine there is the file and an older copy, and no memory of either.
    await fs.rm(path.join(folder, '.campaign', `${path.basename(file)}.lock`));
    const older = linesOf(EVENTS.slice(0, 2), { run: 'run-2' }).join('');
    await fs.writeFile(file, older);
    const refused = await write(file);
    if (refused.ok) throw new Error('it was opened');
    expect(refused.error).toMatchObject({
      code: 'state-diverged',
      summary: 'The state lacks what an earlier run recorded',
      detail: expect.stringMatching(
        new RegExp(` A log that goes on from there is kept in ${aside()}\\.$`),
      ) as string,
    });
    const looked = await read(file);
    expect(looked.ok && looked.value.diverged).toEqual(refused.error);
    expect(await fs.readFile(file, 'utf8')).toBe(older);
    const agreed = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['diverged'] });
    if (!agreed.ok) throw new Error(agreed.error.detail);
    const { campaign, environment, baseUrl } = IDENTITY;
    await agreed.value.recorder.append([
      { type: 'rebound', at: AT, campaign, environment, base_url: baseUrl },
    ]);
    await agreed.value.close();
    const next = await written(file);
    expect(next.warnings).toHaveLength(1);
    expect(next.state.objects.get('product/mug')).toMatchObject({ status: 'done', result: { id: 'm-1' } });
    await next.close();
  });

  it('is not stopped by a file that was cut off before it held anything', async () => {
    await fs.writeFile(file, linesOf(EVENTS.slice(0, 2)).join(''));
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    await fs.writeFile(errored(), encodeHeader(LINEAGE, IDENTITY, { seq: 5, crc: 0xab }).line);
    const state = await written(file);
    expect(state.seq).toBe(2);
    await state.close();
  });

  it('takes in what several runs left, the oldest first', async () => {
    await fs.writeFile(file, linesOf(EVENTS.slice(0, 2)).join(''));
    await fs.mkdir(path.join(folder, '.campaign'), { mode: 0o700 });
    const later = { ...created('product/tote', 'p-2'), at: '2026-03-02T10:00:00.000Z' };
    await fs.writeFile(path.join(folder, '.campaign/errored-a.jsonl'), linesOf([later]).join(''));
    await fs.writeFile(
      path.join(folder, '.campaign/errored-b.jsonl'),
      linesOf([created('product/tote', 'p-1')]).join(''),
    );
    const state = await written(file);
    expect(state.warnings).toHaveLength(2);
    expect(state.state.objects.get('product/tote')).toMatchObject({ result: { id: 'p-2' } });
    await state.close();
  });
});

describe('what a process of a shared run kept', () => {
  const LATER = '2026-03-01T11:00:00.000Z';
  const KEPT: readonly StateEvent[] = [
    created('product/mug', 'm-1'),
    { ...intent('product/tote'), at: '2026-03-01T09:00:00.000Z' },
    { ...intent('product/cap'), at: LATER },
    { ...created('product/cap', 'c-1'), at: LATER },
    { ...intent('product/lamp'), at: LATER },
    { type: 'learned', at: LATER, name: 'n', value: 'v' },
  ];

  /** The events of the file that this log lacks, if the file was begun after that record. */
  async function lacking(kept: readonly StateEvent[], begunAfter: { seq: number; crc?: number }) {
    const folderOfRuns = path.join(folder, '.campaign');
    await fs.mkdir(folderOfRuns, { recursive: true });
    const { line, crc } = encodeHeader(LINEAGE, IDENTITY, begunAfter);
    const { lines } = encodeRecords(kept, 'run-2', { seq: begunAfter.seq, crc });
    await fs.writeFile(path.join(folderOfRuns, sharedSpillName('run-2', '0123abcd')), line + lines);
    const spills = await findSpillFiles(statePaths(file));
    const sieve = createSieve(spills);
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const handle = await fs.open(file);
    const log = await loadLog(handle, { file, visit: sieve.show });
    await handle.close();
    const [spill] = spills;
    if (!spill || !log.ok) throw new Error('no file');
    return lackingOf(spill, sieve, log.value).map(({ event }) => event);
  }

  it('gives an equally new log the answers alone: others went on meanwhile', async () => {
    const answered: StateEvent[] = [EVENTS[3] as StateEvent, ...KEPT];
    expect(await lacking(answered, { seq: 0 })).toEqual([created('product/mug', 'm-1')]);
  });

  it('gives a log that came back older the creates, too, but what is known newer', async () => {
    const answered: StateEvent[] = [EVENTS[3] as StateEvent, ...KEPT];
    expect(await lacking(answered, { seq: 9, crc: 0xab })).toEqual([KEPT[0], KEPT[2], KEPT[3], KEPT[4]]);
  });
});

describe('where nothing can be written at all', () => {
  it('the lines are told all the same', async () => {
    const { state } = await replaced();
    await fs.rm(path.dirname(errored()), { recursive: true });
    const failure = state.recorder.append([created('product/mug', 'm-1')]);
    await expect(failure).rejects.toMatchObject({ name: 'StateWriteError', keptIn: undefined });
    expect(told).toContain('"id":"m-1"');
    expect(told.startsWith(`{"format":1,"lineage":"${LINEAGE}","campaign":"${IDENTITY.campaign}"`)).toBe(
      true,
    );
    await state.close();
  });
});
