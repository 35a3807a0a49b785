/** What is added after an apply has left something alone is no edit of that. */
import { describe, expect, it } from 'vitest';
import type { FoldState } from '../../src/log/fold-state.ts';
import { heroOf, type CampaignWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const KITCHEN = { key: 'kitchen', descriptions: ['On a chair'] };
const TABLE = { key: 'table', descriptions: ['On a table'] };
const BEACH = { key: 'beach', descriptions: ['By the sea'] };
const both = heroOf(KITCHEN, TABLE);
const removed = heroOf(KITCHEN);
const grown = heroOf(KITCHEN, BEACH);
const hold = { replacements: 'hold' } as const;
const then = (state: FoldState, ...all: readonly CampaignWords[]) =>
  all.reduce((now, words) => applied(planOf(words, now, hold), now), state);
const asked = (words: CampaignWords, state: FoldState) => {
  const { newPosts, held } = planOf(words, state, hold);
  return { newPosts, asked: held.map(({ address }) => address) };
};

describe('an item that is added', () => {
  it('together with a removal is asked about, also after a run that left it', () => {
    const state = stateAfter(both);
    expect(asked(grown, state)).toEqual({ newPosts: 0, asked: ['media/hero/beach'] });
    expect(asked(grown, then(state, grown))).toEqual({ newPosts: 0, asked: ['media/hero/beach'] });
  });

  it('after a removal that was applied is new, with a key and without', () => {
    expect(outline(planOf(grown, then(stateAfter(both), removed)))).toContain('+ media/hero/beach@2');
    const unkeyed = ({ descriptions }: typeof KITCHEN) => ({ descriptions });
    const [kitchen, table, beach] = [unkeyed(KITCHEN), unkeyed(TABLE), unkeyed(BEACH)];
    const state = then(stateAfter(heroOf(kitchen, table)), heroOf(kitchen));
    expect(outline(planOf(heroOf(kitchen, beach), state))).toContain('+ media/hero/3@2');
    // The same content, and the same key, are the same post.
    expect(asked(heroOf(kitchen, table), state)).toEqual({ newPosts: 0, asked: [] });
    const edited = { ...TABLE, descriptions: ['On a desk'] };
    expect(asked(heroOf(KITCHEN, edited), then(stateAfter(both), removed)).asked).toEqual([
      'media/hero/table',
    ]);
  });

  it('is asked about where what was left alone had come back before', () => {
    const state = then(stateAfter(both), removed, both);
    expect(planOf(both, state).unnoted).toBeUndefined();
    expect(asked(grown, state)).toEqual({ newPosts: 0, asked: ['media/hero/beach'] });
  });
});

describe('what an apply notes', () => {
  const state = stateAfter(both);
  const table = 'media/hero/table';

  it('is noted once', () => {
    expect(planOf(removed, state).unnoted).toEqual({ addresses: [table], again: [], edits: [] });
    expect(planOf(removed, then(state, removed)).unnoted).toBeUndefined();
  });

  it.each([
    { only: ['media/hero/kitchen'], exclude: [] },
    { only: [], exclude: ['product/*'] },
  ])('by a run of a part is only what has a name again: %o', (selection) => {
    expect(planOf(removed, state, { selection }).unnoted).toBeUndefined();
    expect(planOf(both, then(state, removed), { selection }).unnoted).toEqual({
      addresses: [],
      again: [table],
      edits: [],
    });
  });
});
