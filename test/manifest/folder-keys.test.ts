import { describe, expect, it } from 'vitest';
import { folderKeys } from '../../src/manifest/folder-keys.ts';
import { createSlug } from '../../src/util/slug.ts';
import { loaded } from './campaign-folder.ts';

const slug = await createSlug(['ä']);
const keysOf = (...names: string[]) => Object.fromEntries(folderKeys(names, slug));

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
});

describe('folders of any name', () => {
  const text = `version: 1
name: x
product_folders: ['photos/*']
products: { mobel-gross: { description: Large } }
posts:
  grid:
    matrix: { product: '*', exclude: [{ product: bar }] }
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '1:1' }]
`;

  it('are products under their own names, and their keys stand in a manifest', async () => {
    const files = ['photos/🌵 Kaktus/a.jpg', 'photos/Bär/a.jpg', 'photos/Möbel (groß)/a.jpg'];
    const { products, posts } = await loaded(text, { files });
    expect(products.map(({ key, defaultName, description }) => [key, defaultName, description])).toEqual([
      ['bar', 'Bär', undefined],
      ['mobel-gross', 'Möbel (groß)', 'Large'],
      ['kaktus', '🌵 Kaktus', undefined],
    ]);
    expect(posts.map(({ instance }) => instance)).toEqual(['mobel-gross', 'kaktus']);
  });
});
