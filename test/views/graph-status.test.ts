import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/model/run-state.ts';
import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { draftPlan } from '../../src/plan/draft-plan.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { coverageOf } from '../../src/views/coverage.ts';
import { drawGraph } from '../../src/views/draw-graph.ts';
import { drawnState } from '../../src/views/graph-status.ts';
import { type CampaignWords, graphOf, heroOf, OUTPUTS, upload } from '../support/campaign.ts';
import { emptyState } from '../../src/log/fold.ts';
import { stateAfter } from '../support/play-plan.ts';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');

function drawn(words: CampaignWords, known: RunState) {
  const verdicts = NO_VERDICTS;
  const graph = graphOf(words);
  const draft = draftPlan({ graph, state: known, outputs: OUTPUTS, now: NOW, verdicts });
  const plan = finishPlan(draft, 'make');
  return {
    coverage: coverageOf(graph, known, { plan, verdicts }),
    ...drawGraph(graph, drawnState(graph, known, { plan, verdicts, matched: draft.matched })),
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
    const missing = before.nodes.filter(({ status }) => status === 'missing');
    expect(missing).toHaveLength(before.nodes.length - 1);
    // It exists already.
    expect(statusesOf(before)).toMatchObject({ 'product/pot': 'done' });
    const later = drawn(WORDS, stateAfter(WORDS));
    expect(new Set(later.nodes.map(({ status }) => status))).toEqual(new Set(['done']));
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
      'product/pot': 'done',
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
      posts: count('done', 'outdated', 'pending', 'failed', 'unknown', 'missing', 'blocked'),
      done: count('done', 'outdated'),
      outdated: count('outdated'),
      pending: count('pending'),
      failed: count('failed'),
      missing: count('missing', 'blocked'),
      blocked: count('blocked'),
    });
  });

  it('tells what was edited, and finds items that moved', () => {
    const first = heroOf({ descriptions: ['a'] }, { descriptions: ['b'] }, { descriptions: ['c'] });
    const state = stateAfter(first);
    const items = [{ descriptions: ['c'] }, { descriptions: ['b'] }, { descriptions: ['a!'] }];
    const found = drawn({ ...first, posts: { hero: { items } } }, state);
    expect(found.nodes.filter(({ kind }) => kind === 'media')).toMatchObject([
      { address: 'media/hero/3', label: 'c', status: 'done' },
      { address: 'media/hero/2', label: 'b', status: 'done' },
      { address: 'media/hero/1', label: 'a!', status: 'outdated' },
    ]);
    expect(statusesOf(found)).toMatchObject({ 'media-config/hero@1': 'outdated' });
    const renamed = { ...first, products: { tote: { ...first.products.tote, description: 'Linen' } } };
    expect(statusesOf(drawn(renamed, state))).toMatchObject({
      'product/tote': 'outdated',
      'media/hero/1': 'outdated',
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
