import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptLog } from '../../../src/store/file/adopt-state.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { acquireLock, readCheckpoint } from '../../../src/store/file/lock.ts';
import { witnessesOf } from '../../../src/store/file/witnesses.ts';
import { decisionsBeside, statePaths } from '../../../src/store/file/work-folder.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, OPTIONS, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const BOUND = { type: 'rebound', at: AT, campaign: 'c', environment: 'e', base_url: 'b' } as const;

/** Adopts the state; `meanwhile` happens between its opening and its closing. */
async function adopted(
  to: string,
  {
    env = {},
    meanwhile = () => Promise.resolve(),
  }: { env?: NodeJS.ProcessEnv; meanwhile?: () => Promise<void> } = {},
) {
  const witnesses = witnessesOf(path.join(folder, 'campaign.yaml'), { env, manifestsIn: () => [] });
  const opened = await adoptLog({ from: file, to }, { ...OPTIONS, witnesses });
  if (!opened.ok) return opened.error;
  const { from, succeeds } = opened.value;
  expect([from, opened.value.to]).toEqual([file, to]);
  await opened.value.recorder.append([BOUND]);
  await meanwhile();
  await opened.value.close();
  return succeeds;
}

it('gives a log another name, and what is remembered goes with it', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const to = path.join(folder, 'other/m.state.jsonl');
  await fs.mkdir(path.dirname(to));
  await fs.mkdir(path.join(folder, '.campaign'));
  const header = encodeHeader(LINEAGE, IDENTITY).line;
  await fs.writeFile(path.join(folder, '.campaign/errored-b.jsonl'), header.replace(LINEAGE, 'another'));
  const waiting = path.join(folder, '.campaign/errored-a.jsonl');
  expect(await adopted(to, { meanwhile: () => fs.writeFile(waiting, header) })).toBe(false);
  const paths = { from: statePaths(file), to: statePaths(to) };
  const lines = linesOf([...EVENTS, BOUND], { run: 'run-2' });
  const text = await fs.readFile(to, 'utf8');
  expect(text.split('\n').slice(0, -2)).toEqual(linesOf(EVENTS).map((line) => line.trimEnd()));
  expect(text).toContain('"type":"rebound"');
  expect(await fs.readdir(folder)).not.toContain(path.basename(file));
  expect(await readCheckpoint(paths.to.lock)).toMatchObject({
    lineage: LINEAGE,
    last: { seq: lines.length - 1 },
  });
  expect(await readCheckpoint(paths.from.lock)).toBeUndefined();
  expect(await fs.readdir(paths.to.work)).toContain('errored-a.jsonl');
  const left = await fs.readdir(paths.from.work);
  expect([left.includes('errored-a.jsonl'), left.includes('errored-b.jsonl')]).toEqual([false, true]);
});

it('says whether another state had the name before', async () => {
  const to = path.join(folder, 'm.state.jsonl');
  await (await written(to)).close();
  // Its own is no other one.
  await fs.rename(to, file);
  expect(await adopted(to)).toBe(false);
  await fs.rm(to);
  await fs.writeFile(file, linesOf(EVENTS, { lineage: 'another' }).join(''));
  expect(await adopted(to)).toBe(true);
});

it('is refused where nothing is there to be adopted, or a state is there already', async () => {
  const to = path.join(folder, 'm.state.jsonl');
  expect(await adopted(to)).toMatchObject({ code: 'state-vanished', exit: 76 });
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  expect(await adopted(file)).toMatchObject({ code: 'state-exists', exit: 64 });
  await fs.writeFile(to, 'mine');
  expect(await adopted(to)).toMatchObject({ code: 'state-exists', exit: 64 });
  await fs.rm(to);
  await fs.symlink(file, to);
  expect(await adopted(to)).toMatchObject({ code: 'state-not-a-file', exit: 76 });
});

it('takes the decisions about its posts along, and is refused where the new name has some', async () => {
  const to = path.join(folder, 'other.state.jsonl');
  const [before, after] = [decisionsBeside(file), decisionsBeside(to)];
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  await fs.writeFile(before, 'approved');
  await fs.writeFile(after, 'others');
  expect(await adopted(to)).toMatchObject({ code: 'decisions-exist', exit: 64 });
  await fs.rm(after);
  await adopted(to);
  expect([existsSync(before), await fs.readFile(after, 'utf8')]).toEqual([false, 'approved']);
});

const MEMORY = '/dev/shm';
const isOtherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(os.tmpdir()).dev;

it.skipIf(!isOtherDisk)('is refused on another disk, where no rename moves it', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const elsewhere = await fs.mkdtemp(path.join(MEMORY, 'campaign-state-'));
  const refused = await adopted(path.join(elsewhere, 'm.state.jsonl'));
  await fs.rm(elsewhere, { recursive: true });
  expect(refused).toMatchObject({ code: 'other-disk', exit: 74 });
});

it('is refused while another run holds the lock of either name', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const to = path.join(folder, 'm.state.jsonl');
  for (const name of [to, file]) {
    const lock = await acquireLock(statePaths(name), OPTIONS);
    expect(await adopted(to)).toMatchObject({ code: 'state-locked', exit: 75 });
    if (lock.ok) await lock.value.release();
  }
  expect(await adopted(to)).toBe(false);
});

it('leaves both locks free where the log cannot be read', async () => {
  await fs.writeFile(file, 'nothing');
  const to = path.join(folder, 'm.state.jsonl');
  for (const _ of [1, 2]) expect(await adopted(to)).toMatchObject({ code: 'state-damaged' });
});

it('never takes the place of a file', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const to = path.join(folder, 'm.state.jsonl');
  const meanwhile = () => fs.writeFile(to, 'mine');
  await expect(adopted(to, { meanwhile })).rejects.toThrow('was made meanwhile');
  expect(await fs.readFile(to, 'utf8')).toBe('mine');
  expect(await fs.readFile(file, 'utf8')).toContain(linesOf(EVENTS).join(''));
});

it('settles what is committed under the new name, where that is another log', async () => {
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=S', '-c', 'user.email=s@example.com', ...args], {
      cwd: folder,
    });
  const to = path.join(folder, 'm.state.jsonl');
  await git('init', '--quiet');
  for (const [lineage, isSettled] of [
    [LINEAGE, false],
    ['another', true],
  ] as const) {
    await fs.writeFile(to, linesOf(EVENTS, { lineage }).join(''));
    await git('add', '--force', path.basename(to));
    await git('commit', '--quiet', '--message', lineage);
    await fs.rm(to);
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    await adopted(to, { env: { PATH: process.env['PATH'] } });
    expect(JSON.parse(await fs.readFile(statePaths(to).committed, 'utf8'))).toMatchObject({
      settled: isSettled,
    });
    await fs.rm(to);
  }
});
