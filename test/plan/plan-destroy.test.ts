import { describe, expect, it } from 'vitest';
import { isDeletion, type Plan } from '../../src/model/plan.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { planDestroy } from '../../src/plan/plan-destroy.ts';
import { type CampaignWords, graphOf, heroOf } from '../support/campaign.ts';
import { after, applied, AT, planOf, stateAfter } from '../support/play-plan.ts';
import { BOTH } from './prune-sample.ts';

const UUID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const destroyed = (state: RunState, words: CampaignWords = BOTH, files: 'go' | 'stay' = 'stay') =>
  planDestroy(graphOf(words), state, files);
const deletes = ({ nodes }: Plan) => nodes.listed.filter(isDeletion).map(({ address }) => address);
const stays = ({ deletions }: Plan) =>
  Object.fromEntries((deletions?.stays ?? []).map(({ address, why }) => [address, why]));

describe('destroy', () => {
  it('deletes everything that the state made, whether the manifest names it or not; uploads have no way', () => {
    const all = ['media-config/hero@1', 'media-config/side@1', 'concept/morning', 'concept/night'];
    expect(deletes(destroyed(stateAfter(BOTH)))).toEqual(
      [...all, 'product/tote', 'product/mug'].toSorted(order),
    );
    expect(deletes(destroyed(stateAfter(BOTH), {}))).toHaveLength(6);
    const after = applied(destroyed(stateAfter(BOTH)), stateAfter(BOTH));
    expect([...after.objects.keys()].every((address) => address.startsWith('upload/'))).toBe(true);
    expect([after.media.size, after.gone.size, deletes(destroyed(after))]).toEqual([0, 3, []]);
    expect([...after.requests.values()].map(({ deleted }) => deleted)).toEqual([true, true]);
  });

  it('deletes older takes, failed posts, and what somebody forgot or never downloaded', () => {
    const once = stateAfter(heroOf({ key: 'a' }), { 'download/hero/a@1': 'failed' });
    const twice = applied(planOf(heroOf({ key: 'a', ratio: '4:5' }), once), once, {
      'media/hero/a@2': 'failed',
    });
    const forgotten = after(twice, { type: 'forgotten', at: AT, address: 'media/hero/a' });
    for (const state of [twice, forgotten])
      expect(deletes(destroyed(state)).slice(0, 2)).toEqual(['media-config/hero@1', 'media-config/hero@2']);
  });

  it('leaves pending and unknown posts with what they use, and says so in its end', () => {
    const plan = destroyed(stateAfter(BOTH, { 'media/side/b@1': 'open' }));
    expect(deletes(plan)).toEqual(['media-config/hero@1', 'concept/morning', 'product/tote']);
    expect(stays(plan)).toEqual({
      'media/side/b': 'it is pending',
      'media/side/c': 'media-config/side@1 also made media/side/b',
      'product/mug': 'media-config/side@1 stays, and uses it',
      'concept/night': 'media-config/side@1 stays, and uses it',
    });
    expect([plan.deletions?.pending, plan.leftAlone.length]).toEqual([1, 4]);
    const unknown = destroyed(
      stateAfter(BOTH, { 'media-config/side@1': 'unknown', 'product/tote': 'unknown' }),
    );
    expect(unknown.unknown.map(({ address }) => address)).toEqual(['product/tote', 'media-config/side@1']);
    expect(deletes(unknown)).toEqual(['concept/morning']);
  });

  it('leaves what was imported, and what the manifest names by its id', () => {
    const state = after(
      stateAfter(BOTH),
      { type: 'resolved', at: AT, address: 'concept/night', decision: 'created', result: { id: UUID } },
      { type: 'imported', at: AT, address: 'product/mug', inputs: {}, fingerprint: '', result: { id: 'p' } },
    );
    const plan = destroyed(state, { ...BOTH, concepts: { ...BOTH.concepts, night: { id: UUID } } });
    expect(stays(plan)).toEqual({
      'product/mug': 'it was imported',
      'concept/night': 'the manifest names its id',
    });
  });

  it('removes files only where it is told to, each with its request', () => {
    const files = (plan: Plan) =>
      plan.nodes.listed.filter(isDeletion).flatMap(({ payload }) => payload.files ?? []);
    expect(files(destroyed(stateAfter(BOTH)))).toEqual([]);
    expect(files(destroyed(stateAfter(BOTH), BOTH, 'go'))).toHaveLength(3);
  });
});

/** Requests, then the others in the order of the state, a product last. */
function order(a: string, b: string): number {
  const places = [
    'media-config/hero@1',
    'media-config/side@1',
    'product/tote',
    'concept/morning',
    'concept/night',
  ];
  const place = (address: string) => (places.indexOf(address) + 7) % 7;
  return place(a) - place(b);
}
