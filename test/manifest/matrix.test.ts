import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Matrix as MatrixEntry } from '../../src/manifest/generated/campaign-document.js';
import { expandMatrix } from '../../src/manifest/matrix.ts';
import { createProblems } from '../../src/document/problems.ts';
import { createSlug } from '../../src/util/slug.ts';

const slug = await createSlug([]);

function expanded(matrix: MatrixEntry) {
  const problems = createProblems();
  const lists = {
    products: ['tote', 'mug'],
    concepts: ['day'],
    complete: true,
  };
  const scope = { source: '#/posts/p/matrix', ...lists, slug, problems };
  const combinations = expandMatrix(matrix, scope);
  return {
    instances: combinations.map(({ instance }) => instance),
    codes: problems.all().map(({ code }) => code),
  };
}

describe('expandMatrix', () => {
  it('puts the slugs in the order of the sorted key names', () => {
    expect(expanded({ ratio: ['9:16'], concept: ['Day One'], product: ['mug', 'tote'] })).toEqual({
      instances: ['day-one+mug+9x16', 'day-one+tote+9x16'],
      codes: [],
    });
  });

  it('takes every product and concept for a star', () => {
    expect(expanded({ products: '*', concepts: '*' }).instances).toEqual(['day+tote', 'day+mug']);
    expect(expanded({ product: '*', concept: '*' }).instances).toEqual(['day+tote', 'day+mug']);
  });

  it('excludes what an entry names, the whole or a part of it', () => {
    const matrix = { a: [1, 2], b: ['x', 'y'], exclude: [{ a: 1, b: 'x' }, { b: 'y' }] };
    expect(expanded(matrix).instances).toEqual(['2+x']);
  });

  it('includes after excluding, with new values and with excluded ones', () => {
    const matrix = { a: [1, 2], exclude: [{ a: 1 }], include: [{ a: 1 }, { a: 3 }] };
    expect(expanded(matrix).instances).toEqual(['2', '1', '3']);
  });

  it('compares values as text', () => {
    expect(expanded({ a: [true, 1.5, 'true-ish'] }).instances).toEqual(['true', '1.5', 'true-ish']);
    expect(expanded({ a: [1, '1'] }).codes).toEqual(['duplicate-slug']);
  });

  it('makes 100,000 combinations and refuses one more before it makes any', () => {
    const list = (length: number) => Array.from({ length }, (_, index) => index);
    expect(expanded({ a: list(100), b: list(1000) }).instances).toHaveLength(100_000);
    expect(expanded({ a: list(100), b: list(1000), include: [{ a: 'x', b: 'y' }] })).toEqual({
      instances: [],
      codes: ['matrix-too-large'],
    });
    expect(expanded({ a: list(10_000), b: list(10_000), c: list(10_000) }).codes).toEqual([
      'matrix-too-large',
    ]);
  });

  it('makes every combination that is not excluded exactly once', () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(values, values, fc.integer({ min: 0, max: 4 }), (a, b, cut) => {
        const exclude = a.slice(0, cut).map((value) => ({ a: value }));
        const wanted = a.slice(cut).flatMap((x) => b.map((y) => `${x}+${y}`));
        const result = expanded({ a, b, ...(exclude.length > 0 ? { exclude } : {}) });
        expect(result.instances).toEqual(wanted);
        expect(result.codes).toEqual(wanted.length > 0 ? [] : ['empty-matrix']);
      }),
    );
  });
});
