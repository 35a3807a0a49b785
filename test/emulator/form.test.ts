import { describe, expect, it } from 'vitest';
import { readForm } from '../../src/emulator/requests/form.ts';

describe('a form', () => {
  it.each<[string, [string, string][], unknown]>([
    [
      'plain fields',
      [
        ['name', 'a'],
        ['variant', '{"x":1}'],
      ],
      { name: 'a', variant: '{"x":1}' },
    ],
    [
      'the last of a repeated field',
      [
        ['name', 'a'],
        ['name', 'b'],
      ],
      { name: 'b' },
    ],
    [
      'a repeated list',
      [
        ['variants', 'a'],
        ['variants', 'b'],
      ],
      { variants: ['a', 'b'] },
    ],
    [
      'an appended list',
      [
        ['variants[]', 'a'],
        ['variants[]', 'b'],
      ],
      { variants: ['a', 'b'] },
    ],
    ['an empty list', [['media_urls', '[]']], { media_urls: [] }],
    ['one object as JSON text', [['ref_images', '{"url":"u"}']], { ref_images: [{ url: 'u' }] }],
    [
      'a list in the order of its numbers',
      [
        ['variants[10]', 'b'],
        ['variants[9]', 'a'],
      ],
      { variants: ['a', 'b'] },
    ],
    ['integers', [['number_of_posts', '-3']], { number_of_posts: -3 }],
    ['what should be an integer', [['number_of_posts', 'three']], { number_of_posts: 'three' }],
    [
      'metadata as JSON text',
      [['items[0][metadata]', '{"aspect_ratio":"1:1"}']],
      { items: [{ metadata: { aspect_ratio: '1:1' } }] },
    ],
    [
      'names that are no brackets',
      [
        ['a[', '1'],
        ['[b]', '2'],
      ],
      { 'a[': '1', '[b]': '2' },
    ],
  ])('gives %s', (_what, entries, expected) => {
    expect(readForm(entries)).toEqual(expected);
  });

  it('is not read where it is deeper than anything that is meant', () => {
    const inside = (levels: number) => `items${'[a]'.repeat(levels)}`;
    expect(readForm([[inside(20), '1']])).toBeDefined();
    for (const levels of [65, 10_000, 300_000]) expect(readForm([[inside(levels), '1']])).toBeUndefined();
    expect(readForm([['items', `${'['.repeat(10_000)}${']'.repeat(10_000)}`]])).toBeUndefined();
  });

  it('does not touch the prototype', () => {
    const body = readForm([
      ['__proto__[polluted]', 'yes'],
      ['items[0][__proto__][polluted]', 'yes'],
    ]);
    expect(JSON.stringify(body)).toContain('polluted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
