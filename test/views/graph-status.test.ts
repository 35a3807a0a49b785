import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/model/run-state.ts';
import { NO_VERDICTS, type Verdicts } from '../../src/model/verdict.ts';
import { draftPlan } from '../../src/plan/draft-plan.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { idKey } from '../../src/util/id-key.ts';
import { coverageOf } from '../../src/views/coverage.ts';
import { drawGraph } from '../../src/views/draw-graph.ts';
import { drawnState } from '../../src/views/graph-status.ts';
import { type CampaignWords, graphOf, heroOf, OUTPUTS, upload } from '../support/campaign.ts';
import { emptyState } from '../../src/log/fold.ts';
import { stateAfter } from '../support/play-plan.ts';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');

function drawn(words: CampaignWords, known: RunState, verdicts = NO_VERDICTS) {
  const graph = graphOf(words);
  const draft = draftPlan({ graph, state: known, outputs: OUTPUTS, now: NOW, verdicts });
  const plan = finishPlan(draft, 'make');
  const { posts, state } = draft.matched;
  return {
    coverage: coverageOf(graph, known, { plan, verdicts }),
    ...drawGraph(graph, drawnState({ plan, posts, state, verdicts })),
  };
}

const statusesOf = ({ nodes }: ReturnType<typeof drawn>) =>
  Object.fromEntries(nodes.map(({ address, status }) => [address, status]));

const WORDS = {
  products: {
    tote: { photos: ['front'] },
    mug: {},
    cup: {},
    pot: { id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' },
  },
  concepts: { morning: {} },
  posts: {
    hero: { items: [1, 2, 3, 4].map((n) => ({ descriptions: [`text ${n}`] })) },
    cups: { items: [{ key: 'a', products: ['mug'] }] },
    pots: { items: [{ products: ['cup'] }] },
    'grid/a': { items: [{}] },
  },
} satisfies CampaignWords;

describe('what has become of the nodes of a graph', () => {
  it('is missing before the first run, and done after it', () => {
    const before = drawn(WORDS, emptyState());
    expect(new Set(before.nodes.map(({ status }) => status))).toEqual(new Set(['missing', undefined]));
    const later = drawn(WORDS, stateAfter(WORDS));
    // Nothing is to be known of what exists already.
    expect(later.nodes.filter(({ status }) => status !== 'done').map(({ address }) => address)).toEqual([
      'product/pot',
    ]);
  });

  it('is what the state knows and the plan would do, and counts as `status` counts', () => {
    const state = stateAfter(WORDS, {
      'product/mug': 'unknown',
      'product/cup': 'rejected',
      'media/hero/1@1': 'failed',
      'media/hero/2@1': 'open',
      'media/hero/3@1': 'lost',
      'media-config/grid/a@1': 'unknown',
    });
    const found = drawn(WORDS, state);
    expect(statusesOf(found)).toEqual({
      [upload('front')]: 'done',
      'product/tote': 'done',
      'product/mug': 'unknown',
      'product/cup': 'failed',
      'product/pot': undefined,
      'concept/morning': 'done',
      'media-config/hero@1': 'pending',
      'media/hero/1': 'failed',
      'media/hero/2': 'pending',
      'media/hero/3': 'failed',
      'media/hero/4': 'done',
      'media-config/cups@1': 'blocked',
      'media/cups/a': 'blocked',
      'media-config/pots@1': 'missing',
      'media/pots/1': 'missing',
      'media-config/grid/a@1': 'unknown',
      'media/grid/a/1': 'unknown',
    });
    const { coverage, nodes } = found;
    const count = (...wanted: (string | undefined)[]) =>
      nodes.filter(({ kind, status }) => kind === 'media' && wanted.includes(status)).length;
    expect(coverage).toMatchObject({
      posts: count('done', 'out-of-date', 'rejected', 'pending', 'failed', 'unknown', 'missing', 'blocked'),
      done: count('done', 'out-of-date', 'rejected'),
      outdated: count('out-of-date'),
      pending: count('pending'),
      failed: count('failed'),
      missing: count('missing', 'blocked'),
      blocked: count('blocked'),
    });
  });

  it('tells what was edited and what was rejected, and finds items that moved', () => {
    const first = heroOf({ descriptions: ['a'] }, { descriptions: ['b'] }, { descriptions: ['c'] });
    const state = stateAfter(first);
    const id = state.media.get('media/hero/2')?.takes[0]?.result?.id ?? '';
    const verdicts: Verdicts = new Map([[idKey(id), { verdict: 'rejected', source: '#/decisions/0' }]]);
    const items = [{ descriptions: ['c'] }, { descriptions: ['b'] }, { descriptions: ['a!'] }];
    const found = drawn({ ...first, posts: { hero: { items } } }, state, verdicts);
    expect(found.nodes.filter(({ kind }) => kind === 'media')).toMatchObject([
      { address: 'media/hero/3', label: 'c', status: 'done' },
      { address: 'media/hero/2', label: 'b', status: 'rejected' },
      { address: 'media/hero/1', label: 'a!', status: 'out-of-date' },
    ]);
    expect(statusesOf(found)).toMatchObject({ 'media-config/hero@1': 'rejected' });
    const renamed = { ...first, products: { tote: { ...first.products.tote, description: 'Linen' } } };
    expect(statusesOf(drawn(renamed, state))).toMatchObject({
      'product/tote': 'out-of-date',
      'media/hero/1': 'out-of-date',
    });
  });

  it('says that a request was refused, while its posts are missing', () => {
    const state = stateAfter(WORDS, { 'media-config/grid/a@1': 'rejected' });
    expect(statusesOf(drawn(WORDS, state))).toMatchObject({
      'media-config/grid/a@1': 'failed',
      'media/grid/a/1': 'missing',
    });
  });
});
