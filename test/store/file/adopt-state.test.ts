import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptState } from '../../../src/store/file/adopt-state.ts';
import { acquireLock, readMemory } from '../../../src/store/file/lock.ts';
import { makeWorkFolder, statePaths } from '../../../src/store/file/work-folder.ts';
import { realClock } from '../../../src/util/clock.ts';
import { EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const END = { seq: 5, crc: 7 };

async function adopted(to: string, env: NodeJS.ProcessEnv = {}) {
  const paths = { from: statePaths(file), to: statePaths(to) };
  const lock = async (one: typeof paths.from) => {
    await makeWorkFolder(one.work);
    const held = await acquireLock({
      paths: one,
      timeoutMs: 0,
      clock: realClock,
      command: 'campaign state adopt',
    });
    if (!held.ok) throw new Error(held.error.detail);
    return held.value;
  };
  const locks = { from: await lock(paths.from), to: await lock(paths.to) };
  await locks.from.remember(LINEAGE, END);
  try {
    const owner = { identity: IDENTITY, folder };
    await adoptState({ ...paths, locks, lineage: LINEAGE, end: END, owner, env });
  } finally {
    await locks.from.release();
    await locks.to.release();
  }
  return paths;
}

it('gives a log another name, and what is remembered goes with it', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const to = path.join(folder, 'other/m.state.jsonl');
  await fs.mkdir(path.dirname(to));
  await fs.mkdir(path.join(folder, '.campaign'));
  const waiting = (name: string, lineage: string) =>
    fs.writeFile(path.join(folder, '.campaign', name), linesOf(EVENTS, { lineage }).join(''));
  await waiting('errored-a.jsonl', LINEAGE);
  await waiting('errored-b.jsonl', 'another');
  const paths = await adopted(to);
  expect(await fs.readFile(to, 'utf8')).toBe(linesOf(EVENTS).join(''));
  expect(await fs.readdir(folder)).not.toContain(path.basename(file));
  expect(await readMemory(paths.to.lock)).toEqual({ lineage: LINEAGE, last: END });
  expect(await readMemory(paths.from.lock)).toBeUndefined();
  expect(await fs.readdir(paths.to.work)).toContain('errored-a.jsonl');
  const left = await fs.readdir(paths.from.work);
  expect([left.includes('errored-a.jsonl'), left.includes('errored-b.jsonl')]).toEqual([false, true]);
});

it('never takes the place of a file', async () => {
  await fs.writeFile(file, linesOf(EVENTS).join(''));
  const to = path.join(folder, 'm.state.jsonl');
  await fs.writeFile(to, 'mine');
  await expect(adopted(to)).rejects.toThrow('was made meanwhile');
  expect([await fs.readFile(to, 'utf8'), await fs.readFile(file, 'utf8')]).toEqual([
    'mine',
    linesOf(EVENTS).join(''),
  ]);
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
    const paths = await adopted(to, { PATH: process.env['PATH'] });
    expect(JSON.parse(await fs.readFile(paths.to.committed, 'utf8'))).toMatchObject({ settled: isSettled });
    await fs.rm(to);
  }
});
