import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { brandBox } from '../support/media-samples.ts';
import { campaignFolder, loaded, problemsOf } from './campaign-folder.ts';

const HEAD = 'version: 1\nname: x\n';
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');

describe('what systems leave', () => {
  it('matches no glob and lies in no folder, at any depth', async () => {
    const left = [
      'photos/@eaDir/x/1.jpg',
      'photos/#recycle/1.jpg',
      'photos/__MACOSX/mug/._1.jpg',
      'photos/.@__thumb/1.jpg',

      'photos/mug/@eaDir/1.jpg',
      'photos/mug/__MACOSX/1.jpg',
      'photos/mug/._1.jpg',
      'photos/mug/Thumbs.db',
    ];
    const text = `${HEAD}product_folders: [photos/*]
products: { all: { images: "photos/**" }, thumbs: { images: ["photos/mug/1.jpg", "photos/.@*/*", "photos/mug/*"] } }
`;
    const files = [...left, 'photos/mug/1.jpg', 'photos/mug/.DS_Store'];
    expect(await problemsOf(text, { files, lint: true })).toContain('No image matches "photos/.@*/*"');
    const { products } = await loaded(text.replace('"photos/.@*/*", ', ''), { files });
    expect(
      products.map(({ key, images }) => [key, images.map((image) => 'file' in image && image.file)]),
    ).toEqual(['mug', 'all', 'thumbs'].map((key) => [key, ['photos/mug/1.jpg']]));
  });
});

describe('a picture that counts as none', () => {
  const files = {
    'photos/mug/2.jpg': JPEG,
    'photos/mug/1-front.jxl': 'x',
    'photos/mug/1-front': JPEG,
    'photos/mug/1-front.heics': brandBox('heic'),
    'photos/mug/1-front.txt': 'words',
    'photos/mug/3.bmp': 'x',
  };

  it('is told where it would have been the first of its folder', async () => {
    const told = await problemsOf(`${HEAD}product_folders: [photos/*]\n`, { files });
    expect(told.split('\n').filter((line) => line.startsWith('passed-over'))).toEqual(
      Array.from({ length: 3 }, () => 'passed-over campaign.yaml:3:19 «photos/*»'),
    );
    expect(told).toContain(
      '"photos/mug/1-front" is passed over: it is a picture (JPEG), but its name does not end in .jpg',
    );
    expect(told).toContain('So "2.jpg" comes first in its folder');
    expect(await problemsOf(`${HEAD}products: { mug: { images: photos/mug/2.jpg } }\n`, { files })).toBe('');
  });

  it('is told of wherever it lies by those who look for slips, once', async () => {
    const more = { ...files, 'photos/mug/.hidden.jpg': JPEG, 'photos/cup.psd': 'x' };
    const told = await problemsOf(`${HEAD}product_folders: [photos/*]\n`, { files: more, lint: true });
    const names = [...told.matchAll(/"photos\/(\S+)" is passed over/g)].map(([, name = '']) => name).sort();
    expect(names).toEqual(
      [
        'cup.psd',
        'mug/.hidden.jpg',
        'mug/1-front',
        'mug/1-front.heics',
        'mug/1-front.jxl',
        'mug/3.bmp',
      ].sort(),
    );
  });

  it('explains why a folder or a glob has none', async () => {
    const text = `${HEAD}products: { a: { images: photos }, b: { images: "photos/*" } }\n`;
    const told = await problemsOf(text, { files: { 'photos/scan.dng': 'x' } });
    expect(told.match(/"scan.dng" is passed over: the service takes no such files; export it/g)).toHaveLength(
      2,
    );
  });
});

describe('a photo that nothing names', () => {
  const text = `${HEAD}product_folders: [photos/mug]
products:
  tote: { images: [shots/tote-1.jpg] }
  hat: { images: hats/hat/1.jpg }
concepts: { c: { ref_images: shots/mood.jpg } }
`;
  const named = ['photos/mug/1.jpg', 'shots/tote-1.jpg', 'hats/hat/1.jpg', 'shots/mood.jpg'];
  const unnamed = [
    'photos/cup/1.jpg',
    'photos/mug/detail/1.jpg',
    'shots/tote-2.jpg',
    'shots/bag-1.jpg',
    'hats/hat/2.jpg',
    'photos/loose.jpg',
    'out/x/emulator/1.jpg',
    'elsewhere/1.jpg',
    'photos/@eaDir/1.jpg',
  ];

  it('is told of where photos of products lie, and nowhere else', async () => {
    const options = { files: [...named, ...unnamed], lint: true };
    const told = (await problemsOf(text, options))
      .split('\n')
      .filter((line) => /No product names/.test(line));
    expect(told.map((line) => line.trim().slice(0, 90))).toMatchInlineSnapshot(`
      [
        "No product names "photos/cup/1.jpg". \`campaign init --add\` makes products of photos that n",
        "No product names "photos/mug/detail/1.jpg". \`campaign init --add\` makes products of photos",
        "No product names "photos/loose.jpg". \`campaign init --add\` makes products of photos that n",
        "No product names "shots/bag-1.jpg". \`campaign init --add\` makes products of photos that no",
        "No product names "shots/tote-2.jpg", which looks like a photo of "tote". Add it to the \`im",
        "No product names "hats/hat/2.jpg", which looks like a photo of "hat". Add it to the \`image",
      ]
    `);
    expect(await problemsOf(text, { files: [...named, ...unnamed] })).not.toContain('No product names');
  });

  it('is none where a link names it', async () => {
    const { options, folder } = await campaignFolder(`${HEAD}products: { a: { images: shots/now.jpg } }\n`, [
      'shots/v2.jpg',
    ]);
    await symlink('v2.jpg', join(folder, 'shots/now.jpg'));
    await mkdir(join(folder, 'shots/empty.jpg'));
    const read = await loadManifest({ ...options, lint: true });
    expect(read.ok && read.value.warnings.filter(({ code }) => code === 'unnamed-photo')).toEqual([]);
  });
});
