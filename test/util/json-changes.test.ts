import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../src/util/json.ts';
import { jsonChanges, withChanges } from '../../src/util/json-changes.ts';

it('names what differs by its place', () => {
  const before = { posts: [{ a: 1, b: [1, 2, 3] }, { a: 2 }], note: 'x', gone: null };
  const after = { posts: [{ a: 1, b: [1, 4] }, { a: 2 }, { a: 3 }], note: { text: 'x' } };
  const changes = jsonChanges(before, after);
  expect(changes).toEqual([
    [['gone']],
    [['posts', 0, 'b', 'length'], 2],
    [['posts', 0, 'b', 1], 4],
    [['posts', 2], { a: 3 }],
    [['note'], { text: 'x' }],
  ]);
  const applied = withChanges(before, changes) as typeof before;
  expect(applied).toEqual(after);
  // What is as before is the same object, so that nothing of it has to be drawn again.
  expect(applied.posts[1]).toBe(before.posts[1]);
  expect(before.posts[0]?.b).toEqual([1, 2, 3]);
  expect(jsonChanges(after, after)).toEqual([]);
});

it('leads from any value to any other, also by way of JSON text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      const [from, to] = JSON.parse(JSON.stringify([before, after])) as [Json, Json];
      const changes = JSON.parse(JSON.stringify(jsonChanges(from, to))) as ReturnType<typeof jsonChanges>;
      expect(JSON.stringify(withChanges(from, changes))).toBeTypeOf('string');
      expect(withChanges(from, changes)).toEqual(to);
    }),
    { numRuns: 500 },
  );
  expect(withChanges({ valueOf: null }, jsonChanges({ valueOf: null }, {}))).toEqual({});
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Json;
  expect(JSON.stringify(withChanges({}, jsonChanges({}, hostile)))).toBe(JSON.stringify(hostile));
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
