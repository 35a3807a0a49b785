/** A service may write its ids in capitals; the manifest's are compared with them all the same. */
import { describe, expect, it } from 'vitest';
import { isDeletion, type Plan } from '../../src/model/plan.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { planDestroy } from '../../src/plan/plan-destroy.ts';
import { idKey } from '../../src/util/id-key.ts';
import { graphOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';
import { BOTH, ONE, prunedPlan } from './prune-sample.ts';

const UUID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const CAPITALS = UUID.toUpperCase();

const deletes = (plan: Plan) => plan.nodes.listed.filter(isDeletion).map(({ address }) => address);
const stays = ({ deletions }: Plan) =>
  Object.fromEntries((deletions?.stays ?? []).map(({ address, why }) => [address, why]));

/** The mug has an id in capitals. */
const mug: StateEvent = {
  type: 'resolved',
  at: AT,
  address: 'product/mug',
  decision: 'created',
  result: { id: CAPITALS },
};

describe('ids in capitals', () => {
  it('are those that the manifest names', () => {
    const words = { ...ONE, products: { ...ONE.products, cup: { id: UUID } } };
    const state = after(stateAfter(BOTH), mug);
    expect(stays(prunedPlan(words, state))).toEqual({ 'product/mug': 'the manifest names its id' });
    const destroyed = planDestroy(graphOf(words), state, 'stay');
    expect(stays(destroyed)).toEqual({ 'product/mug': 'the manifest names its id' });
  });

  it('are those that a request was sent with', () => {
    const words = {
      ...BOTH,
      posts: { ...BOTH.posts, third: { items: [{ key: 'd', products: [UUID] }] } },
    };
    const state = after(stateAfter(words, { 'media/third/d@1': 'open' }), mug);
    const plan = prunedPlan(ONE, state);
    expect(deletes(plan)).toEqual(['media-config/side@1', 'concept/night']);
    expect(stays(plan)).toMatchObject({ 'product/mug': 'media-config/third@1 stays, and uses it' });
  });

  it('are those that somebody has approved', () => {
    const generated: StateEvent = {
      type: 'generated',
      at: AT,
      address: 'media/side/c@1',
      result: { id: CAPITALS, urls: [] },
    };
    const verdicts = new Map([[idKey(CAPITALS), { verdict: 'approved' as const, source: '#' as never }]]);
    const plan = prunedPlan(ONE, after(stateAfter(BOTH), generated), { verdicts });
    expect(deletes(plan)).toEqual([]);
    expect(stays(plan)).toMatchObject({ 'media/side/c': 'it is approved' });
  });
});
