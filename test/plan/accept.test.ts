import { describe, expect, it } from 'vitest';
import { acceptInputs } from '../../src/plan/accept.ts';
import { matchState } from '../../src/match/match-state.ts';
import { type CampaignWords, graphOf, heroOf, type ItemWords } from '../support/campaign.ts';
import { after, AT, type Ends, outline, planOf, stateAfter } from '../support/play-plan.ts';

const before = heroOf({ descriptions: ['a'] }, { descriptions: ['b'] });
const edited: CampaignWords = { ...before, concepts: { morning: { description: 'Hard light' } } };

function accepted(ends: Ends = {}, accepts: (address: string) => boolean = () => true) {
  const state = stateAfter(before, ends);
  return {
    state,
    ...acceptInputs(graphOf(edited), matchState(graphOf(edited), state), { accepts, at: AT }),
  };
}

describe('accepting the present inputs', () => {
  it('is an event for everything that exists and differs', () => {
    const { state, events } = accepted();
    const graph = graphOf(edited);
    const [item] = graph.posts[0]?.items ?? [];
    expect(events.map(({ address }) => address)).toEqual([
      'concept/morning',
      'media/hero/1@1',
      'media/hero/2@1',
    ]);
    expect(events[1]).toEqual({
      type: 'accepted',
      at: AT,
      address: 'media/hero/1@1',
      inputs: item?.inputs,
      fingerprint: item?.fingerprint,
    });
    expect(outline(planOf(edited, after(state, ...events)))).toEqual([]);
  });

  it('takes what was chosen only', () => {
    const { events } = accepted({}, (address) => address === 'media/hero/1');
    expect(events.map(({ address }) => address)).toEqual(['media/hero/1@1']);
  });

  it('takes nothing that does not exist, or may not', () => {
    expect(accepted({ 'concept/morning': 'rejected' }).events).toEqual([]);
    const unknown = accepted({ 'media-config/hero@1': 'unknown' });
    expect(unknown.events.map(({ address }) => address)).toEqual(['concept/morning']);
  });

  it('has nothing to take where nothing differs', () => {
    const state = stateAfter(before);
    expect(
      acceptInputs(graphOf(before), matchState(graphOf(before), state), { accepts: () => true, at: AT }),
    ).toEqual({ events: [], leftOut: [] });
  });

  it('leaves out what shows another product, and has nothing to take of what was let go of', () => {
    const words = { ...before, products: { ...before.products, mug: { photos: ['cup'] } } };
    const hero = (...items: readonly ItemWords[]) => ({ ...words, posts: { hero: { items } } });
    const state = stateAfter(hero({ key: 'a' }, { key: 'b', ratio: '4:5' }, { key: 'c', ratio: '9:16' }));
    const letGo = after(state, { type: 'let-go', at: AT, addresses: ['media/hero/c'], again: [] });
    const now = graphOf(
      hero({ key: 'a', products: ['mug'] }, { key: 'b', ratio: '16:9' }, { key: 'c', ratio: '2:1' }),
    );
    const { events, leftOut } = acceptInputs(now, matchState(now, letGo), { accepts: () => true, at: AT });
    expect(events.map(({ address }) => address)).toEqual(['media/hero/b@1']);
    expect(leftOut).toEqual(['media/hero/a']);
  });
});
