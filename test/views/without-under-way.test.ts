import { expect, it } from 'vitest';
import { withoutUnderWay } from '../../src/views/without-under-way.ts';
import { folded, intent, requested } from '../log/fold-events.ts';

it('leaves out what a run waits for, and nothing that was open before', () => {
  const before = folded(intent('product/a'));
  const { at } = before.objects.get('product/a') ?? {};
  const state = folded(intent('product/a'), requested(1, ['1', '2']));
  const shown = withoutUnderWay(state, at ?? '');
  expect([shown.objects.size, shown.requests.size, shown.media.size]).toEqual([0, 0, 0]);
  // A run that was killed earlier left these, and somebody has to decide about them.
  expect(withoutUnderWay(state, '9')).toBe(state);
});
