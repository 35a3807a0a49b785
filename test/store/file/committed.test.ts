import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  checkpointIn,
  NOTHING_COMMITTED,
  readCommitted,
  settleCommitted,
  unreadWarnings,
} from '../../../src/store/file/committed.ts';
import { readCommittedState } from '../../../src/store/file/committed-state.ts';
import { statePaths } from '../../../src/store/file/work-folder.ts';
import { EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

let folder: string;
let file: string;

const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const git = (...args: readonly string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=S', '-c', 'user.email=s@example.com', ...args], {
    cwd: folder,
    env: ENV,
  });

async function commit(content: string): Promise<void> {
  await fs.writeFile(file, content);
  await git('init', '--quiet');
  await git('add', '--force', path.basename(file));
  await git('commit', '--quiet', '--message', 'state');
}

it('nothing is committed in a folder that is not there yet, as before the first rehearsal', async () => {
  const file = path.join(folder, '.campaign', 'm.emulator.state.jsonl');
  expect(await readCommitted(statePaths(file), ENV)).toEqual(NOTHING_COMMITTED);
});

it('the committed log is remembered by its last record, and read once', async () => {
  await commit(linesOf(EVENTS).join(''));
  await fs.mkdir(path.join(folder, '.campaign'));
  const found = await readCommitted(statePaths(file), ENV);
  expect(found).toMatchObject({
    type: 'log',
    checkpoint: { lineage: LINEAGE, last: { seq: 5 } },
    isSettled: false,
  });
  expect(checkpointIn(found)).toMatchObject({ lineage: LINEAGE });
  const note = statePaths(file).committed;
  await fs.writeFile(note, (await fs.readFile(note, 'utf8')).replace(/"memory":"[^"]*"/, '"memory":"noted"'));
  const noted = await readCommitted(statePaths(file), ENV);
  expect(noted).toMatchObject({ type: 'log', checkpoint: { lineage: 'noted' } });
  if (noted.type !== 'log') throw new Error('nothing was noted');
  await settleCommitted(statePaths(file), noted);
  expect(await readCommitted(statePaths(file), ENV)).toMatchObject({ isSettled: true });
  // A note that says nothing is as good as none.
  for (const content of ['', '7', '{"blob":7}', '{"blob":"x","memory":7}', '{"blob":"x","memory":""}']) {
    await fs.writeFile(note, content);
    expect(await readCommitted(statePaths(file), ENV)).toEqual(found);
  }
  // A pipe in its place is not waited for.
  await fs.rm(note);
  await promisify(execFile)('mkfifo', [note]);
  expect(await readCommitted(statePaths(file), ENV)).toEqual(found);
  await git('commit', '--quiet', '--allow-empty', '--message', 'other');
  expect(await readCommitted(statePaths(file), ENV)).toEqual(found);
});

it('a folder without a repository, a commit or the file has nothing', async () => {
  expect(await readCommitted(statePaths(file), {})).toEqual(NOTHING_COMMITTED);
  expect(checkpointIn(NOTHING_COMMITTED)).toBeUndefined();
  expect(unreadWarnings(NOTHING_COMMITTED)).toEqual([]);
  await git('init', '--quiet');
  expect(await readCommitted(statePaths(file), ENV)).toEqual(NOTHING_COMMITTED);
  await fs.symlink('elsewhere', file);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'a link');
  expect(await readCommitted(statePaths(file), ENV)).toEqual(NOTHING_COMMITTED);
  expect(await readCommitted(statePaths(path.join(folder, 'other.jsonl')), ENV)).toEqual(NOTHING_COMMITTED);
  // What looks like a repository and is none.
  await fs.rm(path.join(folder, '.git'), { recursive: true });
  await fs.mkdir(path.join(folder, '.git'));
  expect(await readCommitted(statePaths(file), ENV)).toEqual(NOTHING_COMMITTED);
});

it('what cannot be read is said', async () => {
  await commit('version https://git-lfs.github.com/spec/v1\n');
  const why = 'what is committed is no state that this version can read';
  expect(await readCommitted(statePaths(file), ENV)).toEqual({ type: 'unread', why });
  expect(unreadWarnings({ type: 'unread', why })).toHaveLength(1);
  expect(await readCommitted(statePaths(file), { PATH: '/nowhere' })).toEqual({
    type: 'unread',
    why: 'git is not installed',
  });
  const { stdout } = await git('rev-parse', `HEAD:${path.basename(file)}`);
  const blob = stdout.trim();
  await fs.rm(path.join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  expect(await readCommitted(statePaths(file), ENV)).toMatchObject({ type: 'unread' });
  const bin = path.join(folder, 'bin');
  await fs.mkdir(bin);
  await fs.writeFile(path.join(bin, 'git'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const silent = { type: 'unread', why: 'git ended with 3' };
  expect(await readCommitted(statePaths(file), { PATH: bin })).toEqual(silent);
  // Git that is gone between the two calls.
  const script = `#!/bin/sh\n/bin/rm '${bin}/git'\nprintf '100644 blob ${blob}\\tx\\0'\n`;
  await fs.writeFile(path.join(bin, 'git'), script, { mode: 0o755 });
  expect(await readCommitted(statePaths(file), { PATH: bin })).toMatchObject({
    type: 'unread',
    why: 'git is not installed',
  });
});

it('what the committed log says is known, if it is whole and of this campaign', async () => {
  const known = (identity = IDENTITY) => readCommittedState(statePaths(file), { env: ENV, identity });
  expect(await known()).toBeUndefined();
  await commit(linesOf(EVENTS).join(''));
  await fs.mkdir(path.join(folder, '.campaign'));
  expect([...((await known())?.objects.keys() ?? [])]).toEqual(['product/tote', 'product/mug']);
  expect(await known({ ...IDENTITY, campaign: 'another' })).toBeUndefined();
  expect(await known({ ...IDENTITY, baseUrl: 'https://other.example.com' })).toBeUndefined();
  // Its content is not here, as in a partial clone.
  const blob = (await git('rev-parse', `HEAD:${path.basename(file)}`)).stdout.trim();
  await fs.rm(path.join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect(await known()).toBeUndefined();
  await commit(linesOf(EVENTS).join('').replace('product/tote', 'product/toto'));
  expect(await known()).toBeUndefined();
});
