import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

/** Posts `a` and `b` of two items each, and a grid, under names of this form. */
function collision(name: string, type = 'image'): Promise<string> {
  const items = `[{ key: one, post_type: ${type}, aspect_ratio: '1:1' }, { post_type: image, aspect_ratio: '1:1' }]`;
  return problemsOf(`version: 1
name: x
outputs: { name: '${name}' }
posts:
  a: { concept: ${ID}, items: ${items} }
  b: { concept: ${ID}, items: ${items} }
  grid:
    matrix: { n: [1, 2] }
    concept: ${ID}
    items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ matrix.n }}'] }]
`);
}

describe('names of files', () => {
  it.each([
    '{post}/{instance}/{item}-{post_type}',
    '{post}_{instance}_{item}',
    '{item}/{post}-{instance}.take{take}',
  ])('%s differ', async (name) => {
    expect(await collision(name)).toBe('');
  });

  it.each([
    ['all', '"out/x/none/all"', 'Put {item} into the name.'],
    ['{post}', '"out/x/none/a"', 'Put {item} into the name.'],
    ['{item}', '"out/x/none/one"', 'Put {post} into the name.'],
    ['{post}/{item}', '"out/x/none/grid/1"', 'Put {instance} into the name.'],
    ['{post}{instance}', '"out/x/none/a"', 'Put {item} into the name.'],
  ])('%s are one', async (name, path, advice) => {
    const problems = await collision(name);
    expect(problems).toContain('output-collision campaign.yaml:3:18');
    expect(problems).toContain(path);
    expect(problems).toContain(advice);
  });

  it('are told apart by more than where one ends and the other begins', async () => {
    const text = `version: 1
name: x
outputs: { name: '{post}{item}' }
posts:
  a: { concept: ${ID}, items: [{ key: bc, post_type: image, aspect_ratio: '1:1' }] }
  ab: { concept: ${ID}, items: [{ key: c, post_type: image, aspect_ratio: '1:1' }] }
`;
    expect(await problemsOf(text)).toContain('Separate the placeholders of the name with `/`.');
  });

  it('may not be those of the pages of a carousel', async () => {
    const text = (type: string) => `version: 1
name: x
outputs: { name: '{item}' }
posts:
  a: { concept: ${ID}, items: [{ key: tour, post_type: ${type}, aspect_ratio: '1:1' }, { key: tour-2, post_type: image, aspect_ratio: '1:1' }] }
`;
    expect(await problemsOf(text('carousel'))).toContain('output-collision');
    expect(await problemsOf(text('image'))).toBe('');
  });

  it('have whole placeholders', async () => {
    expect(await collision('{post}/{item')).toContain('unknown-placeholder');
  });
});

describe('the path of generated media', () => {
  it.each(['/media/{config.id}/{item.id}/', '/media/{concept.id}/{item.job.ref}', '/{item.a}/x-{item.b}/'])(
    'may be %s',
    async (template) => {
      expect(await problemsOf(`version: 1\nname: x\nservice: { media_path: '${template}' }\n`)).toBe('');
    },
  );

  it.each([
    '/media/{item.id}/',
    '/media/{config}/{item.id}/',
    '/media/{config.id}/{itm.id}/',
    '/media/a/b/c',
  ])('may not be %s', async (template) => {
    const text = `version: 1\nname: x\nservice: { media_path: '${template}' }\n`;
    expect(await problemsOf(text)).toMatch(/^(?:unknown-placeholder|invalid-value) campaign/);
  });
});

describe('a duration', () => {
  it('is one that can be counted', async () => {
    const limits = 'limits: { media_timeout: 99999999999999d }';
    const text = `version: 1\nname: x\n${limits}\nservice: { environments: { a: { base_url: https://a.example.com, ${limits} } } }\n`;
    expect((await problemsOf(text)).match(/^invalid-value campaign.yaml:\d/gm)).toEqual([
      'invalid-value campaign.yaml:3',
      'invalid-value campaign.yaml:4',
    ]);
  });
});
