import { expect, it } from 'vitest';
import { classifyStatus, provenStatuses } from '../../src/service/classify-status.ts';

const SURE = { ambiguous: false };
const DOUBTFUL = { ambiguous: true };

it.each([
  [100, { kind: 'refused', ...DOUBTFUL }],
  [301, { kind: 'refused', ...DOUBTFUL }],
  [399, { kind: 'refused', ...DOUBTFUL }],
  [401, { kind: 'unauthorized', ...SURE }],
  [429, { kind: 'throttled', ...SURE }],
  [500, { kind: 'server-error', ...DOUBTFUL }],
  [503, { kind: 'server-error', ...DOUBTFUL }],
])('%d', (status, meaning) => {
  expect(classifyStatus(status, provenStatuses())).toEqual(meaning);
});

it('takes these refusals for a proof that nothing was done, and no other', () => {
  const all = Array.from({ length: 500 }, (_, n) => 100 + n);
  const proofs = all.filter((status) => !classifyStatus(status, provenStatuses()).ambiguous);
  expect(proofs).toEqual([400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431]);
});

it('is certain where the manifest says so, and doubtful where it takes that away', () => {
  const proven = provenStatuses([409, 503, '!403']);
  expect(classifyStatus(503, proven)).toEqual({ kind: 'server-error', ...SURE });
  expect(classifyStatus(409, proven)).toEqual({ kind: 'refused', ...SURE });
  expect(classifyStatus(403, proven)).toEqual({ kind: 'refused', ...DOUBTFUL });
  expect(classifyStatus(500, proven)).toEqual({ kind: 'server-error', ...DOUBTFUL });
  expect(provenStatuses(['!403', 403]).has(403)).toBe(false);
});
