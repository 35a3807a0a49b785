import { expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { createLiveRun } from '../../src/views/live-run.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';

const WORDS = {
  products: { tote: { photos: ['front'] } },
  concepts: { morning: { description: 'Soft' } },
  posts: { hero: { items: [{ key: 'a' }, { key: 'b' }] } },
};
const done = (kind: 'media-config' | 'media', address: string) =>
  ({ type: 'node-finished', kind, address, action: 'create', end: 'done', ms: 5 }) as const;

it('counts posts from the end of their request on, although none has been polled yet', () => {
  const run = createLiveRun(planOf(WORDS, emptyState()), { mediaInFlight: 200 }, 0);
  expect(run.at(1000).generating.posts).toBe(0);
  run.take(done('media-config', 'media-config/hero@1'), 2000);
  run.take({ type: 'node-started', kind: 'media', address: 'media/hero/b@1', attempt: 1 }, 7000);
  expect(run.at(9000).generating).toMatchObject({
    posts: 2,
    oldest: [
      { address: 'media/hero/a@1', ms: 7000 },
      { address: 'media/hero/b@1', ms: 7000 },
    ],
  });
  run.take(done('media', 'media/hero/a@1'), 9500);
  expect(run.at(9500).generating.posts).toBe(1);
});

it('counts posts that earlier runs have requested from the beginning', () => {
  const state = stateAfter(WORDS, { 'media/hero/a@1': 'open', 'media/hero/b@1': 'open' });
  expect(createLiveRun(planOf(WORDS, state), { mediaInFlight: 200 }, 0).at(1).generating.posts).toBe(2);
});
