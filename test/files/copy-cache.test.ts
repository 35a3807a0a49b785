/** Copies of files by their SHA-256: only what is whole is found, and what was not used for the longest time goes first. */
import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCopyCache } from '../../src/files/copy-cache.ts';
import { createManualClock } from '../support/manual-clock.ts';

const shaOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function cacheOf(mostBytes = 100) {
  const workFolder = join(await mkdtemp(join(tmpdir(), 'campaign-copies-')), '.campaign');
  onTestFinished(() => rm(join(workFolder, '..'), { recursive: true, force: true }));
  const clock = createManualClock();
  const open = () => openCopyCache({ workFolder, clock, mostBytes });
  const folder = join(workFolder, 'stored');
  const keep = async (cache: Awaited<ReturnType<typeof open>>, text: string) => {
    const part = cache.part();
    await writeFile(part, text);
    await clock.advance(1_000);
    return cache.keep(part, { sha256: shaOf(text), bytes: text.length });
  };
  return { workFolder, folder, clock, open, keep };
}

it('finds what is whole, also in another process, and nothing that is not', async () => {
  const { folder, workFolder, open, keep } = await cacheOf();
  const cache = await open();
  expect(await cache.find(shaOf('a'))).toBeUndefined();
  const file = await keep(cache, 'a');
  expect(await readFile(file, 'utf8')).toBe('a');
  expect(await cache.find(shaOf('a'))).toBe(file);
  expect(await (await open()).find(shaOf('a'))).toBe(file);
  expect(await readFile(join(workFolder, '.gitignore'), 'utf8')).toBe('*\n');
  await truncate(file, 0);
  expect(await cache.find(shaOf('a'))).toBeUndefined();
  await rm(await keep(cache, 'a'));
  expect(await cache.find(shaOf('a'))).toBeUndefined();
  const part = cache.part();
  await writeFile(part, 'half');
  await cache.drop(part);
  expect(await readdir(folder)).toEqual([]);
});

it('removes what was not used for the longest time, and what a killed process left', async () => {
  const { folder, clock, open, keep } = await cacheOf(10);
  const cache = await open();
  for (const text of ['aaaa', 'bbbb']) await keep(cache, text);
  await clock.advance(1_000);
  await cache.find(shaOf('aaaa'));
  await keep(cache, 'cccc');
  expect(new Set(await readdir(folder))).toEqual(new Set(['aaaa', 'cccc'].map(shaOf)));
  await writeFile(join(folder, '1-1.part'), 'half');
  await utimes(join(folder, '1-1.part'), 1, 1);
  await writeFile(join(folder, '1-2.part'), 'half');
  await clock.advance(1_000);
  const later = await open();
  await keep(later, 'dddd');
  expect(new Set(await readdir(folder))).toEqual(new Set([...['cccc', 'dddd'].map(shaOf), '1-2.part']));
  // What is larger than all there may be is there as long as it is looked at.
  await keep(later, 'much too large');
  expect(await readdir(folder)).toEqual(['1-2.part', shaOf('much too large')].sort());
});

it('is nowhere else than in its folder', async () => {
  const { folder, workFolder, open } = await cacheOf();
  await mkdir(workFolder);
  await symlink(tmpdir(), folder);
  await expect(open()).rejects.toThrow('is a symbolic link in the place');
});
