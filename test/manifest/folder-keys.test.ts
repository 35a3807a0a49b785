import { describe, expect, it } from 'vitest';
import { folderKeys, keysOfVersion01 } from '../../src/manifest/folder-keys.ts';
import { createSlug } from '../../src/util/slug.ts';
import { loaded, problemsOf } from './campaign-folder.ts';

const slug = await createSlug(['ä']);
const keysOf = (...names: string[]) =>
  Object.fromEntries([...folderKeys(names, slug)].map(([name, { key }]) => [name, key]));

describe('the keys of folders', () => {
  it('are those of six products under six names', () => {
    expect(keysOf('Kaktus', '🌵 Kaktus', 'Bär', 'Bör', '日本', 'Möbel (groß)')).toEqual({
      Kaktus: 'kaktus',
      '🌵 Kaktus': 'kaktus-de6fd4',
      Bär: 'bar',
      Bör: 'bor',
      日本: 'riben',
      'Möbel (groß)': 'mobel-gross',
    });
  });

  it('stay with the name that lost least, and with none where that is more than one', () => {
    expect(keysOf('bar', 'Bar', 'Bär')['bar']).toBe('bar');
    expect(keysOf('Bar', 'Bär')['Bar']).toBe('bar');
    expect(Object.values(keysOf('BAR', 'Bar', 'Bär')).every((key) => /^bar-[0-9a-f]{6}$/.test(key))).toBe(
      true,
    );
  });

  it('remember what they were in version 0.1, and would be alone', () => {
    const keys = folderKeys(['Kaktus', '🌵 Kaktus', 'tote'], slug);
    expect(keys.get('🌵 Kaktus')?.formerKeys).toEqual(['-kaktus', 'kaktus']);
    expect(keys.get('tote')?.formerKeys).toBeUndefined();
  });
});

describe('keys of version 0.1 in a manifest', () => {
  const folders = [
    { key: 'creme-co', name: 'Crème & Co' },
    { key: 'tote', name: 'tote' },
  ];

  it('stand for the present ones', () => {
    expect([...keysOfVersion01(folders, { 'cr-me-co': {} })]).toEqual([['cr-me-co', 'creme-co']]);
  });

  it('stand for nothing where two folders had them, or others have them', () => {
    const bears = [
      { key: 'bar', name: 'Bär' },
      { key: 'bor', name: 'Bör' },
    ];
    expect(keysOfVersion01(bears, {}).size).toBe(0);
    expect(keysOfVersion01([...folders, { key: 'cr-me-co', name: 'cr-me-co' }], {}).size).toBe(0);
    expect(keysOfVersion01(folders, { 'cr-me-co': {}, 'creme-co': {} }).size).toBe(0);
  });
});

describe('folders of any name', () => {
  const FOLDERS = ['Kaktus', '🌵 Kaktus', 'Bär', 'Bör', '日本', 'Möbel (groß)'];
  const files = FOLDERS.map((name) => `photos/${name}/a.jpg`);
  const grid = (matrix: string) => `version: 1
name: x
product_folders: ['photos/*']
products: { m-bel-gro-: { description: Large } }
moved: [{ from: product/old, to: product/b-r }, { from: media/grid/old/1, to: media/grid/-kaktus/1 }]
posts:
  grid:
    matrix: ${matrix}
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '1:1' }]
`;

  it('are products under their own names, and keys of version 0.1 still name them', async () => {
    const some = ['photos/🌵 Kaktus/a.jpg', 'photos/Bär/a.jpg', 'photos/Möbel (groß)/a.jpg'];
    const { products, posts, moved } = await loaded(grid(`{ product: '*', exclude: [{ product: b-r }] }`), {
      files: some,
    });
    expect(products.map(({ key, defaultName, description }) => [key, defaultName, description])).toEqual([
      ['bar', 'Bär', undefined],
      ['mobel-gross', 'Möbel (groß)', 'Large'],
      ['kaktus', '🌵 Kaktus', undefined],
    ]);
    expect(posts.map(({ instance, formerInstance }) => [instance, formerInstance])).toEqual([
      ['mobel-gross', 'm-bel-gro-'],
      ['kaktus', '-kaktus'],
    ]);
    expect(moved).toEqual([
      { from: 'product/old', to: 'product/bar' },
      { from: 'media/grid/old/1', to: 'media/grid/kaktus/1' },
    ]);
  });

  it('have one address, whichever key a matrix has', async () => {
    const text = grid(`{ product: [m-bel-gro-, mobel-gross] }`).replace(/moved.*\n/, '');
    expect(await problemsOf(text, { files })).toContain('duplicate-slug');
  });
});
