import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../src/util/json.ts';
import { packList, type PackedList, unpackList } from '../../src/util/packed-list.ts';

const asRead = (packed: PackedList) => JSON.parse(JSON.stringify(packed)) as PackedList;

it('writes columns, names each value once, and of a text only what is new', () => {
  const rows = [1, 2, 3, 4].map((n) => ({
    address: `media/hero/${n}`,
    type: 'image',
    pictures: n < 4 ? [n] : [],
  }));
  const packed = packList(rows);
  expect(packed).toEqual({
    fields: {
      address: { same: [0, 11, 11, 11], rest: ['media/hero/1', '2', '3', '4'] },
      type: { of: ['image'], length: 4 },
      pictures: { lengths: { each: [1, 1, 1, 0] }, members: { each: [1, 2, 3] } },
    },
  });
  expect(unpackList(asRead(packed))).toEqual(rows);
  const often = ['a', 'b', 'a', 'a', 'b', null, 'a', 'a', null, 'b', 'a', 'a'];
  expect(packList(often)).toEqual({ of: ['a', 'b', null], places: [0, 1, 0, 0, 1, 2, 0, 0, 2, 1, 0, 0] });
});

it('gives back any list, also by way of JSON text', () => {
  const rows = fc.record({
    name: fc.string({ unit: 'grapheme' }),
    of: fc.array(fc.nat(9)),
    cause: fc.constant(null),
  });
  const lists = fc.oneof(
    fc.array(rows),
    fc.array(fc.jsonValue()),
    fc.array(fc.constantFrom('a', 'ab', 1, null)),
  );
  fc.assert(
    fc.property(lists, (list) => {
      const given = JSON.parse(JSON.stringify(list)) as Json[];
      expect(unpackList(asRead(packList(given)))).toEqual(given);
    }),
    { numRuns: 500 },
  );
  // A field that is not there is no field; another order of the keys is kept.
  const odd = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }, { a: 1, b: undefined }] as Json[];
  expect(JSON.stringify(unpackList(asRead(packList(odd))))).toBe(JSON.stringify(odd));
  const hostile = JSON.parse('[{"__proto__":{"polluted":true}},{"__proto__":{"polluted":true}}]') as Json[];
  expect(JSON.stringify(unpackList(asRead(packList(hostile))))).toBe(JSON.stringify(hostile));
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
