import { expect, it } from 'vitest';
import { nextPieces } from '../../src/util/next-pieces.ts';

const WORDS = [
  'product/mug',
  'product/tote',
  'media/hero/1',
  'media/hero/1@2',
  'media/grid/a+x/1',
  'media/grid/b+x/1',
];

it.each([
  ['', ['product/', 'media/']],
  ['p', ['product/mug', 'product/tote']],
  ['product/', ['product/mug', 'product/tote']],
  ['media/', ['media/hero/', 'media/grid/']],
  ['media/hero', ['media/hero/1', 'media/hero/1@2']],
  ['media/hero/1', ['media/hero/1', 'media/hero/1@2']],
  ['media/grid/', ['media/grid/a+x/', 'media/grid/b+x/']],
  ['media/grid/a', ['media/grid/a+x/1']],
  ['concept/', []],
])('behind %j: %j', (typed, pieces) => {
  expect(nextPieces(WORDS, typed)).toEqual(pieces);
});

/** A product and a ratio each. */
const GRID = Array.from({ length: 300 }, (_, n) => `media/grid/p${n % 50}+${n}x1/1`);

it('cuts at `+` where a level has too many, and offers a level whole where it has not', () => {
  const instances = nextPieces(GRID, 'media/grid/');
  expect(instances).toHaveLength(50);
  expect(instances.slice(0, 2)).toEqual(['media/grid/p0+', 'media/grid/p1+']);
  expect(nextPieces(GRID, 'media/grid/p7+')).toEqual(
    [7, 57, 107, 157, 207, 257].map((n) => `media/grid/p7+${n}x1/`),
  );
});

it('goes letter by letter where there is nothing to cut at, and always as far as all words go', () => {
  const products = Array.from({ length: 10_000 }, (_, n) => `product/sku-${String(n).padStart(5, '0')}`);
  const digits = Array.from({ length: 10 }, (_, digit) => digit);
  expect(nextPieces(products, 'product/')).toEqual(digits.map((digit) => `product/sku-0${digit}`));
  expect(nextPieces(products, 'product/sku-012')).toHaveLength(100);
  // Every word can be reached by what is offered.
  const offered = nextPieces(products, '');
  expect(products.filter((word) => !offered.some((piece) => word.startsWith(piece)))).toEqual([]);
});
