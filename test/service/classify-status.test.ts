import { expect, it } from 'vitest';
import { classifyStatus } from '../../src/service/classify-status.ts';

const SURE = { ambiguous: false };
const DOUBTFUL = { ambiguous: true };

it.each([
  [100, { kind: 'refused', ...DOUBTFUL }],
  [301, { kind: 'refused', ...DOUBTFUL }],
  [399, { kind: 'refused', ...DOUBTFUL }],
  [400, { kind: 'refused', ...SURE }],
  [401, { kind: 'unauthorized', ...SURE }],
  [404, { kind: 'refused', ...SURE }],
  [408, { kind: 'refused', ...DOUBTFUL }],
  [409, { kind: 'refused', ...DOUBTFUL }],
  [425, { kind: 'refused', ...DOUBTFUL }],
  [429, { kind: 'throttled', ...SURE }],
  [499, { kind: 'refused', ...SURE }],
  [500, { kind: 'server-error', ...DOUBTFUL }],
  [503, { kind: 'server-error', ...DOUBTFUL }],
])('%d', (status, meaning) => {
  expect(classifyStatus(status, [])).toEqual(meaning);
});

it('is certain where the manifest says that nothing was done', () => {
  expect(classifyStatus(503, [409, 503])).toEqual({ kind: 'server-error', ...SURE });
  expect(classifyStatus(409, [409, 503])).toEqual({ kind: 'refused', ...SURE });
  expect(classifyStatus(500, [409, 503])).toEqual({ kind: 'server-error', ...DOUBTFUL });
});
