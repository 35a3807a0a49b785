import { expect, it } from 'vitest';
import { causeText, problemText } from '../../src/views/cause-words.ts';

const summary = 'The generation failed';

it.each([
  ['Status failed: content policy', 'content policy', 'The generation failed: content policy'],
  ['Status error: a: b', 'a: b', 'The generation failed: a: b'],
  ['Status cancelled', 'status cancelled', 'The generation failed: status cancelled'],
  ['Status failed: The generation failed.', 'the service gives no cause', 'The generation failed'],
  ['Status failed', 'the service gives no cause', 'The generation failed'],
  ['Too\ndark', 'Too dark', 'The generation failed: Too dark'],
  [undefined, 'the service gives no cause', 'The generation failed'],
])('of a generation that failed with %j, the cause is said once', (detail, behindFailed, whole) => {
  const problem = detail === undefined ? { summary } : { summary, detail };
  expect([causeText(problem), problemText(problem)]).toEqual([behindFailed, whole]);
});

it('of everything else, summary and detail are said', () => {
  const problem = { summary: 'Refused', detail: 'Status failed: 503' };
  expect([causeText(problem), problemText(problem)]).toEqual(Array(2).fill('Refused: Status failed: 503'));
  expect(problemText({ summary: 'Refused' })).toBe('Refused');
});
