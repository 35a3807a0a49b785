import { expect, it } from 'vitest';
import { classifyStatus, provenStatuses } from '../../src/service/classify-status.ts';

it.each([
  [100, 'unproven'],
  [301, 'unproven'],
  [399, 'unproven'],
  [400, 'refused'],
  [401, 'unauthorized'],
  [404, 'refused'],
  [408, 'passing'],
  [409, 'unproven'],
  [425, 'passing'],
  [429, 'throttled'],
  [500, 'server-error'],
  [503, 'server-error'],
])('%d', (status, came) => {
  expect(classifyStatus(status, provenStatuses())).toBe(came);
});

it('takes these refusals for a proof that nothing was done, and no other', () => {
  const proven = [400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431];
  expect([...provenStatuses()]).toEqual(proven);
  const all = Array.from({ length: 500 }, (_, n) => 100 + n);
  const proofs = all.filter((status) => classifyStatus(status, provenStatuses()) === 'refused');
  expect(proofs).toEqual(proven.filter((status) => status !== 401 && status !== 429));
  expect(
    all.filter((status) => /not-done|passing-refusal/.test(classifyStatus(status, provenStatuses()))),
  ).toEqual([]);
});

it('is certain where the manifest says so, and doubtful where it takes that away', () => {
  const proven = provenStatuses([408, 409, 503, '!403']);
  expect(classifyStatus(503, proven)).toBe('not-done');
  expect(classifyStatus(408, proven)).toBe('passing-refusal');
  expect(classifyStatus(409, proven)).toBe('refused');
  expect(classifyStatus(403, proven)).toBe('unproven');
  expect(classifyStatus(500, proven)).toBe('server-error');
  expect(provenStatuses(['!403', 403]).has(403)).toBe(false);
});
