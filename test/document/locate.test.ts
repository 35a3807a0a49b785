import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { campaignFolder, loaded, shown } from '../manifest/campaign-folder.ts';

const TEXT = `version: 1
name: x
concepts:
  day: &day
    name: Day
    description: |
      Soft light,
      linen
  "a.b": *day
posts:
  p:
    concept: day
    items:
      - post_type: image
        aspect_ratio: "1:1"
      - { post_type: video, aspect_ratio: "1:1" }
`;

describe('locate', () => {
  it.each([
    ['#', 1, 1],
    ['#/concepts', 3, 1],
    ['#/concepts/day', 4, 3],
    ['#/concepts/day/name', 5, 11],
    ['#/concepts/day/description', 6, 18],
    ['#/concepts/a.b', 9, 10],
    ['#/concepts/a.b/name', 5, 11],
    ['#/concepts/a.b/gone/deep', 9, 10],
    ['#/posts/p/items/0', 14, 9],
    ['#/posts/p/items/1', 16, 9],
    ['#/posts/p/items/1/aspect_ratio', 16, 43],
    ['#/posts/p/items/7', 13, 5],
    ['#/nowhere', 1, 1],
  ])('%s is %i:%i', async (source, line, column) => {
    const { locate } = await loaded(TEXT);
    expect(locate(source)).toMatchObject({ line, column });
  });

  it('knows no place in a file that was not read', async () => {
    const { locate } = await loaded(TEXT);
    expect(locate('photos/tote/product.yaml#/name')).toBeUndefined();
  });
});

describe('problems of image files', () => {
  it('get the places of the manifest that stand for the file', async () => {
    const text = `version: 1
name: x
products:
  a: { images: s }
  b: { images: [https://a.example.com/x.jpg, s/a.jpg] }
concepts:
  c: { ref_images: s/b.jpg }
`;
    const { options } = await campaignFolder(text, ['s/a.jpg', 's/b.jpg']);
    const result = await loadManifest(options);
    if (!result.ok) throw new Error('the manifest is right');
    const { diagnose } = result.value;
    const found = [
      { file: 's/a.jpg', code: 'not-an-image', summary: '', detail: 'It is empty.' },
      { file: 'other.jpg', code: 'not-an-image', summary: '', detail: '' },
    ] as const;
    expect(diagnose(found).map(shown)).toEqual([
      'not-an-image campaign.yaml:4:16 «s»\n  It is empty.',
      'not-an-image campaign.yaml:5:46 «s/a.jpg»\n  It is empty.',
    ]);
  });
});
