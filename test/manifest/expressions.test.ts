import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/manifest/expressions.ts';

const E = (name: string) => `\${{ matrix.${name} }}`;

describe('a template', () => {
  const value = {
    concept: E('a'),
    none: { left: [1, null, `${E('other')} \${{ broken`] },
    items: [{ text: `${E('b')}, ${E('b')}!` }, { both: `${E('a')}+${E('b')}` }],
  };
  const fill = compileTemplate(value, ['matrix.a', 'matrix.b', 'matrix.c']);

  it('is filled in with the texts of its names, and leaves other expressions as they are', () => {
    expect(fill(['1', '2', '3'])).toEqual({
      concept: '1',
      none: value.none,
      items: [{ text: '2, 2!' }, { both: '1+2' }],
    });
    expect(fill(['1', E('a'), '3']).items).toEqual([
      { text: `${E('a')}, ${E('a')}!` },
      { both: `1+${E('a')}` },
    ]);
  });

  it('gives the same part for the same texts of the names that the part uses', () => {
    const [one, other, third] = [fill(['1', '2', '3']), fill(['1', '2', '4']), fill(['5', '2', '3'])];
    expect(other.items).toBe(one.items);
    expect(third.items).not.toBe(one.items);
    expect(third.items[0]).toBe(one.items[0]);
    expect(third.none).toBe(value.none);
  });
});
