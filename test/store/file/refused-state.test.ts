import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENTS, IDENTITY, linesOf } from './sample-log.ts';
import { makePlace, openState, OPTIONS, read, write, written } from './state-place.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});

afterEach(() => fs.rm(folder, { recursive: true, force: true }));

/** What both ways of opening say, which must not differ, and that the state stays as it was. */
async function refusal() {
  const before = await fs.readFile(file).catch(() => undefined);
  const [toRead, toWrite] = [await read(file), await write(file)];
  expect(await fs.readFile(file).catch(() => undefined)).toEqual(before);
  if (toRead.ok || toWrite.ok) throw new Error('it was opened');
  expect(toRead.error).toEqual(toWrite.error);
  return toRead.error;
}

describe('a state that is not as it should be (scenarios 5, 7)', () => {
  it('is refused where it is damaged, by line', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join('').replace('product/mug', 'product/mud'));
    expect(await refusal()).toEqual({
      code: 'state-damaged',
      exit: 76,
      summary: 'The state is damaged',
      detail:
        `${file}, line 5 (byte 693): its checksum does not hold: it was changed, or belongs to another log. It may have ` +
        'recorded something that was made, so nothing was changed. Bring the file back from git or from a backup ' +
        'and run again.',
    });
  });

  // The second: both copies were compacted, and have another header each.
  it.each([2, 0])('is refused where git left a conflict, at line %d + 1, with the way out', async (at) => {
    const lines = linesOf(EVENTS);
    const before = lines.slice(0, at).join('');
    await fs.writeFile(file, [before, '<<<<<<< HEAD\n', ...lines.slice(at), '=======\n'].join(''));
    expect(await refusal()).toEqual({
      code: 'state-damaged',
      exit: 76,
      summary: 'The state is damaged',
      detail:
        `${file}, line ${at + 1} (byte ${before.length}): git left a conflict here: two copies of the state went their own ` +
        'ways. They cannot be merged, and nothing was changed. Take one of them whole: `git log --all --full-history ' +
        '-- FILE` lists the commits, `git checkout COMMIT -- FILE` brings one back. What only the other one knows ' +
        'would be made a second time.',
    });
  });

  it('is refused where its format is newer', async () => {
    await fs.writeFile(file, '{"format":3,"lineage":"x"}\n');
    expect(await refusal()).toEqual({
      code: 'state-newer-format',
      exit: 76,
      summary: 'The state was written by a newer campaign',
      detail: `${file}, line 1: its format is 3, which this version does not know. Install a newer version of campaign.`,
    });
  });

  it('is refused where it belongs to something else', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const identity = { ...IDENTITY, environment: 'production', baseUrl: 'https://visuals.example.com/api' };
    const opened = await openState({ ...OPTIONS, stateFile: file, identity, mode: 'read' });
    expect(!opened.ok && opened.error).toEqual({
      code: 'state-foreign',
      exit: 76,
      summary: 'The state belongs to something else',
      detail:
        `${file}, line 1: it is the state of environment stage, not production; of base URL ` +
        'https://stage.visuals.example.com/api, not https://visuals.example.com/api. What it knows does not exist here. ' +
        'Check --env and the base URL, or name another file with --state. If it is what belongs here, ' +
        `\`campaign state use ${file}\` makes it the state of this manifest and environment.`,
    });
  });

  it('is that of the same service where its address is only written in another way', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const identity = { ...IDENTITY, baseUrl: 'https://Stage.Visuals.example.com:443/api/' };
    expect(await openState({ ...OPTIONS, stateFile: file, identity, mode: 'read' })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['deleted', (target: string) => fs.rm(target)],
    ['emptied', (target: string) => fs.truncate(target)],
  ])('is refused where it was %s', async (_, remove) => {
    await (await written(file)).close();
    await remove(file);
    expect(await refusal()).toEqual({
      code: 'state-vanished',
      exit: 76,
      summary: 'The state is gone',
      detail:
        `${file} does not exist or is empty, though there was a state here: starting anew would make everything a ` +
        'second time. Bring the file back (from git, a backup, another branch). If it is to start anew, `campaign ' +
        'state new` says so.',
    });
    const anew = await openState({ ...OPTIONS, stateFile: file, mode: 'write', allow: ['vanished'] });
    if (!anew.ok) throw new Error(anew.error.detail);
    await anew.value.begin();
    await anew.value.close();
    expect((await read(file)).ok).toBe(true);
  });

  it('is refused as a symbolic link, even to a good one', async () => {
    const elsewhere = path.join(folder, 'elsewhere.jsonl');
    await fs.writeFile(elsewhere, linesOf(EVENTS).join(''));
    await fs.symlink(elsewhere, file);
    expect(await refusal()).toEqual({
      code: 'state-not-a-file',
      exit: 76,
      summary: 'The state cannot be trusted where it is',
      detail: `${file}: it is a symbolic link. The state must be a regular file of yours in a folder of yours. Name another place with --state.`,
    });
  });

  it('is refused as a FIFO and as a folder, without waiting', async () => {
    await promisify(execFile)('mkfifo', [file]);
    for (const opened of [await read(file), await write(file)]) {
      expect(!opened.ok && opened.error).toMatchObject({ code: 'state-not-a-file' });
      expect(!opened.ok && opened.error.detail).toContain('it is no file');
    }
    await fs.rm(file);
    await fs.mkdir(file);
    expect(await refusal()).toMatchObject({ code: 'state-not-a-file' });
  });

  it('is refused where its folder, or ours beside it, is a symbolic link', async () => {
    const link = path.join(folder, 'link');
    await fs.mkdir(path.join(folder, 'real'));
    await fs.symlink('real', link);
    const throughLink = await read(path.join(link, 'a.jsonl'));
    expect(!throughLink.ok && throughLink.error.detail).toMatch(/^\S+\/link: it is a symbolic link\./);
    await fs.symlink('real', path.join(folder, '.campaign'));
    const opened = await write(file);
    expect(!opened.ok && opened.error.detail).toMatch(/^\S+\/\.campaign: it is a symbolic link\./);
  });

  it('is refused where it cannot be written or read', async () => {
    const nowhere = path.join(folder, 'nowhere', 'a.jsonl');
    const [toRead, toWrite] = [await read(nowhere), await write(nowhere)];
    expect(!toRead.ok && toRead.error).toMatchObject({ code: 'state-unreadable', exit: 74 });
    expect(!toWrite.ok && toWrite.error).toMatchObject({ code: 'state-unwritable', exit: 74 });
    expect(!toWrite.ok && toWrite.error.detail).toContain(`${nowhere}: ENOENT: no such file or directory`);
    const long = path.join(folder, `${'x'.repeat(250)}.jsonl`);
    expect(!(await write(long)).ok).toBe(true);
  });

  it('gives the lock back', async () => {
    await fs.writeFile(file, 'hello\n');
    expect((await write(file)).ok).toBe(false);
    await fs.rm(file);
    await (await written(file)).close();
  });
});
