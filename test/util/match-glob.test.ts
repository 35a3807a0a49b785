import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesGlob } from '../../src/util/match-glob.ts';

it('matches whole texts, as a regular expression would', () => {
  const letters = fc.constantFrom('a', 'b', '/', '*', '?', '.', '[', '\n');
  const glob = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''));
  const text = fc
    .array(fc.constantFrom('a', 'b', '/', '.', '[', '\n'), { maxLength: 10 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(glob, text, (pattern, address) => {
      const source = pattern.replace(/[.[]/g, '\\$&').replace(/\*+/g, '.*').replaceAll('?', '.');
      expect(matchesGlob(pattern, address)).toBe(new RegExp(`^${source}$`, 's').test(address));
    }),
  );
});

it('ends soon for a glob of 100 kB, and for one that a regular expression would try for ever', () => {
  expect(matchesGlob('*a'.repeat(50_000), `media/${'a'.repeat(300)}b`)).toBe(false);
  expect(matchesGlob(`${'*a'.repeat(100)}*`, 'a'.repeat(300))).toBe(true);
});
