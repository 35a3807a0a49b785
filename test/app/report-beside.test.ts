import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeBeside } from '../../src/app/report-beside.ts';
import { findOwnOutputs } from '../../src/manifest/own-outputs.ts';
import { realDisk } from '../../src/util/disk.ts';

const NAMES = { name: 'small', environment: { name: 'production', baseUrl: '', gaps: {} } };

const shown = (...letters: readonly string[]) => ({
  pictures: letters.map((letter) => ({
    sha256: letter.repeat(64),
    width: 4,
    height: 5,
    path: null,
    thumbnail: null,
    kind: letter === 'f' ? ('video' as const) : ('image' as const),
    problem: null,
  })),
  thumbnails: letters.map((letter) =>
    letter === 'f' ? undefined : { width: 4, height: 5, bytes: 1, read: () => Buffer.from(letter) },
  ),
  previews: [],
});

it('thumbnails beside a report are those that it shows, and never count as photos', async () => {
  const home = await mkdtemp(join(tmpdir(), 'campaign-beside-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, 'report-thumbnails');
  const file = (letter: string) => `${letter.repeat(64)}.webp`;
  const first = await writeBeside(folder, shown('a', 'f', 'b'), NAMES);
  expect([0, 1, 2].map(first.pathOf)).toEqual([
    `report-thumbnails/${file('a')}`,
    null,
    `report-thumbnails/${file('b')}`,
  ]);
  await writeFile(join(folder, 'mine.webp'), 'mine');
  await writeBeside(folder, shown('b', 'c'), NAMES);
  expect((await readdir(folder)).sort()).toEqual([file('b'), file('c'), 'index.json', 'mine.webp']);
  expect(await readFile(join(folder, file('c')), 'utf8')).toBe('c');
  const known = findOwnOutputs({ disk: realDisk, folder: home, name: 'other', known: [] });
  expect(known.ofFolder(folder)).toMatchObject({ by: 'another' });

  const elsewhere = join(home, 'link-thumbnails');
  await symlink(folder, elsewhere);
  await expect(writeBeside(elsewhere, shown('a'), NAMES)).rejects.toThrow(
    'is a symbolic link in the place of',
  );
});
