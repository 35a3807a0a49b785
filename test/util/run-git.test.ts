import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { type GitCall, runGit } from '../../src/util/run-git.ts';

/** A folder with a script in the place of git, and a pipe beside it that is read. */
async function standIn(script: string): Promise<{ folder: string; alive: fs.FileHandle }> {
  const folder = await fs.mkdtemp(path.join(tmpdir(), 'run-git-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  const pipe = path.join(folder, 'alive');
  await promisify(execFile)('mkfifo', [pipe]);
  const alive = await fs.open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => alive.close());
  const text = `#!/bin/sh\nPATH=/usr/bin:/bin\ncd '${folder}'\n${script}\n`;
  await fs.writeFile(path.join(folder, 'git'), text, { mode: 0o755 });
  return { folder, alive };
}

/** It holds the pipe `alive` as long as it lives. */
const CHILD = 'exec 3> alive\nsleep 1000 &\n';

/** Resolves once nobody holds the other end of a pipe, at once if nobody ever did. */
async function untilClosed(reader: fs.FileHandle): Promise<void> {
  const isOpen = () =>
    reader.read(Buffer.alloc(1)).then(
      () => false,
      (error: { code: string }) => error.code === 'EAGAIN',
    );
  while (await isOpen());
}

function ask(folder: string, more: Partial<GitCall> = {}) {
  let printed = '';
  const take = (bytes: Buffer) => void (printed += bytes.toString());
  const call = { folder, args: ['ls-tree'], env: { PATH: folder }, longestMs: 60_000, most: 1 << 20, take };
  return runGit({ ...call, ...more }).then((end) => ({ ...end, printed }));
}

it('what git prints is taken whole, also where it leaves a program that holds its pipes, which is ended', async () => {
  const { folder, alive } = await standIn(`${CHILD}echo said; echo words >&2; exit 3`);
  expect(await ask(folder)).toEqual({ type: 'ended', code: 3, stderr: 'words\n', printed: 'said\n' });
  await untilClosed(alive);
});

it('a program that has left the group and holds the pipes is not waited for', async () => {
  const { folder } = await standIn(
    "setsid sh -c 'echo $$ > pid; exec sleep 1000' &\nwhile [ ! -s pid ]; do :; done\necho said",
  );
  try {
    expect(await ask(folder)).toMatchObject({ type: 'ended', code: 0, printed: 'said\n' });
  } finally {
    process.kill(Number(await fs.readFile(path.join(folder, 'pid'), 'utf8')), 'SIGKILL');
  }
});

it('git that does not answer in time is ended, with the children of a wrapper', async () => {
  const { folder, alive } = await standIn(`${CHILD}wait`);
  const why = 'git did not answer in time';
  expect(await ask(folder, { longestMs: 200 })).toMatchObject({ type: 'failed', why });
  await untilClosed(alive);
});
