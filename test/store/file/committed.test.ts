import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGit } from '../../../src/store/file/ask-git.ts';
import {
  checkpointIn,
  NOTHING_COMMITTED,
  readBlob,
  readCommitted,
  settleCommitted,
  unreadWarnings,
} from '../../../src/store/file/committed.ts';
import { readCommittedState } from '../../../src/store/file/committed-state.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
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

const GIT = createGit(ENV);

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
  expect(await readCommitted(statePaths(file), GIT)).toEqual(NOTHING_COMMITTED);
});

it('the committed log is remembered by its last record, and read once', async () => {
  await commit(linesOf(EVENTS).join(''));
  await fs.mkdir(path.join(folder, '.campaign'));
  const found = await readCommitted(statePaths(file), GIT);
  expect(found).toMatchObject({
    type: 'log',
    checkpoint: { lineage: LINEAGE, last: { seq: 5 } },
    isSettled: false,
  });
  expect(checkpointIn(found)).toMatchObject({ lineage: LINEAGE });
  const note = statePaths(file).committed;
  await fs.writeFile(note, (await fs.readFile(note, 'utf8')).replace(/"memory":"[^"]*"/, '"memory":"noted"'));
  const noted = await readCommitted(statePaths(file), GIT);
  expect(noted).toMatchObject({ type: 'log', checkpoint: { lineage: 'noted' } });
  if (noted.type !== 'log') throw new Error('nothing was noted');
  await settleCommitted(statePaths(file), noted);
  expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ isSettled: true });
  // A note that says nothing is as good as none.
  const { blob } = noted;
  const others = [{ blob: 7 }, { blob: 'x', memory: 'noted' }, { blob, memory: 7 }, { blob, memory: '' }];
  for (const content of ['', '7', ...others.map((other) => JSON.stringify(other))]) {
    await fs.writeFile(note, content);
    expect(await readCommitted(statePaths(file), GIT)).toEqual(found);
  }
  // A pipe in its place is not waited for.
  await fs.rm(note);
  await promisify(execFile)('mkfifo', [note]);
  expect(await readCommitted(statePaths(file), GIT)).toEqual(found);
  await git('commit', '--quiet', '--allow-empty', '--message', 'other');
  expect(await readCommitted(statePaths(file), GIT)).toEqual(found);
});

it('a committed pointer is noted with the time of the last decision about its log', async () => {
  const boundAt = '2026-03-02T10:00:00.000Z';
  const moved = { ...IDENTITY, movedTo: 'postgres://db.example.com/campaigns', boundAt } as const;
  await commit(encodeHeader(LINEAGE, moved, { seq: 9, crc: 7 }).line);
  await fs.mkdir(path.join(folder, '.campaign'));
  const found = await readCommitted(statePaths(file), GIT);
  expect(checkpointIn(found)).toEqual({ lineage: LINEAGE, last: { seq: 9, crc: 7 }, boundAt });
  expect(await fs.readFile(statePaths(file).committed, 'utf8')).toContain(boundAt);
  expect(await readCommitted(statePaths(file), GIT)).toEqual(found);
});

it('a repository that is gone between two questions gives nothing out', async () => {
  await commit(linesOf(EVENTS).join(''));
  const blob = (await git('rev-parse', `HEAD:${path.basename(file)}`)).stdout.trim();
  await fs.rm(path.join(folder, '.git'), { recursive: true });
  const pieces: Buffer[] = [];
  const question = { blob, git: GIT, take: (bytes: Buffer) => void pieces.push(bytes) };
  expect(await readBlob(statePaths(file), question)).toEqual({ why: 'there is no repository' });
  expect(pieces).toEqual([]);
});

it('a folder without a repository, a commit or the file has nothing', async () => {
  expect(await readCommitted(statePaths(file), createGit({}))).toEqual(NOTHING_COMMITTED);
  expect(checkpointIn(NOTHING_COMMITTED)).toBeUndefined();
  expect(unreadWarnings(NOTHING_COMMITTED)).toEqual([]);
  await git('init', '--quiet');
  expect(await readCommitted(statePaths(file), GIT)).toEqual(NOTHING_COMMITTED);
  await fs.symlink('elsewhere', file);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'a link');
  expect(await readCommitted(statePaths(file), GIT)).toEqual(NOTHING_COMMITTED);
  expect(await readCommitted(statePaths(path.join(folder, 'other.jsonl')), GIT)).toEqual(NOTHING_COMMITTED);
});

it('a repository that was emptied is one that does not answer', async () => {
  await fs.mkdir(path.join(folder, '.git'));
  expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ type: 'unasked' });
});

it('what is committed without its content is said, and is there', async () => {
  await commit('version https://git-lfs.github.com/spec/v1\n');
  const why = 'what is committed is no state that this version can read';
  expect(await readCommitted(statePaths(file), GIT)).toEqual({ type: 'unread', why });
  expect(unreadWarnings({ type: 'unread', why })).toHaveLength(1);
  await commit('');
  expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ type: 'unasked', isThere: true, why });
  const { stdout } = await git('rev-parse', `HEAD:${path.basename(file)}`);
  const blob = stdout.trim();
  await fs.rm(path.join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ type: 'unasked', isThere: true });
  await git('config', 'remote.origin.promisor', 'true');
  expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ type: 'unread' });
});

/** What may happen to a repository, by a command of the shell in its folder. */
const DAMAGES = [
  'find .git/objects -type f -exec chmod u+w {} + -exec truncate -s 3 {} +',
  'rm -r .git/objects',
  'rm -r .git/refs',
  'rm .git/refs/heads/*',
  'rm .git/HEAD',
  'echo "[" > .git/config',
  'rm -r .git && echo "gitdir: /nowhere" > .git',
  'rm -r .git && ln -s nowhere .git',
  // A repository above it does not answer in its place.
  'rm .git/HEAD && git -C .. init --quiet && git -C .. commit --quiet --allow-empty -m x && git -C .. log -1 --format=',
];

it.each(DAMAGES)('a repository after `%s` cannot be asked', async (damage) => {
  const above = folder;
  ({ folder, file } = { folder: path.join(above, 'in'), file: path.join(above, 'in', path.basename(file)) });
  try {
    await fs.mkdir(folder);
    await commit(linesOf(EVENTS).join(''));
    const by = {
      GIT_AUTHOR_NAME: 'S',
      GIT_AUTHOR_EMAIL: 's',
      GIT_COMMITTER_NAME: 'S',
      GIT_COMMITTER_EMAIL: 's',
    };
    await promisify(execFile)('sh', ['-c', damage], { cwd: folder, env: { ...ENV, ...by } });
    expect(await readCommitted(statePaths(file), GIT)).toMatchObject({ type: 'unasked' });
  } finally {
    folder = above;
  }
});

it.each([
  ['exit 3', 'git ended with 3'],
  ['exit 0', 'what git printed is no answer'],
  ['echo hello', 'what git printed is no answer'],
  ['exec yes', 'git printed without end'],
  ['kill -9 $$', 'git was ended by SIGKILL'],
  // It is gone between the two questions.
  ['rm "$0"; printf "100644 blob %040d\\tx\\0" 7', 'git is not installed'],
])('a program that does `%s` in the place of git cannot be asked', async (script, why) => {
  await git('init', '--quiet');
  const bin = path.join(folder, 'bin');
  await fs.mkdir(bin);
  await fs.writeFile(path.join(bin, 'git'), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  const found = await readCommitted(statePaths(file), createGit({ PATH: bin }));
  expect(found).toMatchObject({ type: 'unasked', why });
});

it('what cannot be asked says what to do, and one that does not answer is asked once', async () => {
  await git('init', '--quiet');
  expect(await readCommitted(statePaths(file), createGit({ PATH: '/nowhere' }))).toEqual({
    type: 'unasked',
    why: 'git is not installed',
    remedy: 'Install git (for a container: in its image) or name its folder in PATH, then run again',
  });
  const bin = path.join(folder, 'bin');
  await fs.mkdir(bin);
  await fs.writeFile(path.join(bin, 'git'), '#!/bin/sh\n/bin/sleep 100\nexit 1\n', { mode: 0o755 });
  const silent = createGit({ PATH: bin }, 300);
  const late = { why: 'git did not answer in time', remedy: 'Run again when git answers' };
  expect(await readCommitted(statePaths(file), silent)).toMatchObject(late);
  const refusing = "#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n";
  await fs.writeFile(path.join(bin, 'git'), refusing, { mode: 0o755 });
  expect(await readCommitted(statePaths(file), silent)).toMatchObject(late);
  expect(await readCommitted(statePaths(file), createGit({ PATH: bin }))).toMatchObject({
    remedy: `\`git config --global --add safe.directory ${await fs.realpath(folder)}\` lets git read it; then run again`,
  });
});

it('a git that lists nothing and then fails does not say that nothing is committed', async () => {
  await git('init', '--quiet');
  const bin = path.join(folder, 'bin');
  await fs.mkdir(bin);
  const failing = "#!/bin/sh\ncase $* in *rev-parse*) echo 'fatal: broken' >&2; exit 128;; esac\n";
  await fs.writeFile(path.join(bin, 'git'), failing, { mode: 0o755 });
  const found = await readCommitted(statePaths(file), createGit({ PATH: `${bin}:${ENV.PATH}` }));
  expect(found).toMatchObject({ type: 'unasked', why: expect.stringContaining('broken') as string });
});

it('a git that reads another repository does not say that nothing is committed', async () => {
  await commit(linesOf(EVENTS).join(''));
  const other = path.join(folder, 'other');
  const bin = path.join(folder, 'bin');
  await fs.mkdir(bin);
  await git('init', '--quiet', other);
  const wrapper = `#!/bin/sh\nPATH='${ENV.PATH}' GIT_DIR='${other}/.git' exec git "$@"\n`;
  await fs.writeFile(path.join(bin, 'git'), wrapper, { mode: 0o755 });
  const liar = createGit({ ...ENV, PATH: `${bin}:${ENV.PATH}` });
  expect(await readCommitted(statePaths(file), liar)).toMatchObject({ type: 'unasked' });
  await git('-C', other, 'commit', '--quiet', '--allow-empty', '--message', 'elsewhere');
  expect(await readCommitted(statePaths(file), liar)).toMatchObject({
    type: 'unasked',
    why: `it read another repository, ${await fs.realpath(path.join(other, '.git'))}`,
  });
  // A second working copy of the right one has its folder of git elsewhere.
  await git('-C', other, 'worktree', 'add', '--quiet', '../second');
  const second = statePaths(path.join(folder, 'second', path.basename(file)));
  expect(await readCommitted(second, GIT)).toEqual(NOTHING_COMMITTED);
});

it('what the committed log says is known, if it is whole and of this campaign', async () => {
  const known = (identity = IDENTITY) => readCommittedState(statePaths(file), { git: GIT, identity });
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
