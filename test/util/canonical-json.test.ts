import { expect, it } from 'vitest';
import { hashJson, hashWithMember } from '../../src/util/canonical-json.ts';

it.each([
  ['between others', { a: [1, { z: null, b: 'é"' }], z: undefined, n: 2 }],
  ['first', { n: 1 }],
  ['last', { a: 1 }],
  ['alone', {}],
])('a hash with a member %s is that of all members', (_, others) => {
  const hashOf = hashWithMember('k', others);
  for (const member of ['x', '', 'a"\u0000', 7])
    expect(hashOf(member)).toBe(hashJson({ ...others, k: member }));
});
