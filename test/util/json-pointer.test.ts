import { expect, it } from 'vitest';
import { atPointer } from '../../src/util/json-pointer.ts';

const value = { a: [{ 'b/c': 1, '~': 2 }], '': 3 };

it.each([
  ['', value],
  ['/a/0/b~1c', 1],
  ['/a/0/~0', 2],
  ['/', 3],
  ['/a/1', undefined],
  ['/a/00', undefined],
  ['/a/-', undefined],
  ['/a/0/b~1c/x', undefined],
  ['/toString', undefined],
  ['a', undefined],
])('%s', (pointer, found) => {
  expect(atPointer(value, pointer)).toEqual(found);
});
