import { expect, it } from 'vitest';
import { reasonLines } from '../../src/render/reason-text.ts';
import { PLAIN } from '../support/plain-style.ts';

it('says what differs where two texts look the same', () => {
  const [composed, decomposed] = ['Löffel'.normalize('NFC'), 'Löffel'.normalize('NFD')];
  const lines = (from: string, to: string) =>
    reasonLines([{ summary: 'changed', field: 'name', from, to }], () => undefined, PLAIN);
  expect(lines(composed, decomposed)).toEqual([
    `name: "${composed}" → "${decomposed}" (its accents are written with other characters)`,
  ]);
  expect(lines(composed, 'Loffel')).toEqual([`name: "${composed}" → "Loffel"`]);
});
