import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.ts';
import { lackOf } from '../../src/util/shape.ts';

const SHAPE = {
  name: 'text',
  count: 'a number',
  done: 'true or false',
  inputs: 'an object',
  versions: 'a list',
  files: [{ path: 'text', 'bytes?': 'a number' }],
  'note?': 'text',
} as const;

const WHOLE: JsonObject = {
  name: 'tote',
  count: 0,
  done: false,
  inputs: {},
  versions: [],
  files: [{ path: 'a', bytes: 1 }, { path: 'b' }],
};

describe('a shape', () => {
  it('fits what has all of it, and whatever else', () => {
    expect(lackOf(WHOLE, SHAPE)).toBeUndefined();
    expect(lackOf({ ...WHOLE, files: [], note: '', more: null }, SHAPE)).toBeUndefined();
    expect(lackOf({}, {})).toBeUndefined();
  });

  it.each([
    [{ name: undefined }, 'has no name'],
    [{ name: 7 }, 'has name, which is not text'],
    [{ name: null }, 'has name, which is not text'],
    [{ count: '7' }, 'has count, which is not a number'],
    [{ done: 'yes' }, 'has done, which is not true or false'],
    [{ inputs: [] }, 'has inputs, which is not an object'],
    [{ versions: {} }, 'has versions, which is not a list'],
    [{ files: undefined }, 'has no files'],
    [{ files: { path: 'a' } }, 'has files, which is not a list'],
    [{ files: ['a'] }, 'has files[0], which is not an object'],
    [{ files: [{ path: 'a' }, {}] }, 'has no files[1].path'],
    [{ files: [{ path: 'a', bytes: 'many' }] }, 'has files[0].bytes, which is not a number'],
    [{ note: 7 }, 'has note, which is not text'],
  ] as const)('names the first that %j lacks', (change, lack) => {
    expect(lackOf({ ...WHOLE, ...change }, SHAPE)).toBe(lack);
  });
});
