import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlug } from '../../src/util/slug.ts';

const slug = await createSlug(['ä']);

describe('slug', () => {
  it.each([
    ['9:16', '9x16'],
    ['Canvas Tote', 'canvas-tote'],
    ['Canvas  Tote (new)', 'canvas-tote-new'],
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['Möbel (groß)', 'mobel-gross'],
    ['日本', 'riben'],
    ['Ελλάδα', 'ellada'],
    ['🌵 Kaktus', 'kaktus'],
    ['1️⃣ Kaktus 👩🏽‍🌾', '1-kaktus'],
    ['Tote™ & Co', 'tote-co'],
    ['100 €', '100'],
    ['v1.2_b', 'v1.2_b'],
    ['🌵', 'x-eadd56'],
    ['---', 'x-cb3f91'],
    ['a'.repeat(40), 'a'.repeat(40)],
  ])('%s → %s', (name, expected) => {
    expect(slug(name)).toBe(expected);
  });

  it('cuts a long name with the hash of the whole, so that two stay two', () => {
    const [one, two] = [slug(`${'a'.repeat(50)}1`), slug(`${'a'.repeat(50)}2`)];
    expect(one).toBe('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-72c7bf');
    expect(two).not.toBe(one);
  });

  it('gives at most 40 characters that need no quoting, without a dash at either end, and its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const made = slug(name);
        return /^[a-z0-9._](?:[a-z0-9._-]{0,38}[a-z0-9._])?$/.test(made) && slug(made) === made;
      }),
    );
  });

  it('loads no table where no name needs one, and says the same', async () => {
    const plain = await createSlug(['Canvas Tote']);
    expect(plain('Canvas Tote')).toBe(slug('Canvas Tote'));
  });
});
