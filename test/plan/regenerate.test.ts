import { describe, expect, it } from 'vitest';
import type { CampaignWords, PostWords } from '../support/campaign.ts';
import { heroOf } from '../support/campaign.ts';
import { loaded, problemsOf } from '../manifest/campaign-folder.ts';
import { outline, planOf, stateAfter } from '../support/play-plan.ts';

const KITCHEN = { key: 'kitchen', descriptions: ['a'] };
const SHELF = { key: 'shelf', descriptions: ['b'] };

const hero = (items: PostWords['items'], more: Partial<PostWords> = {}): CampaignWords => ({
  ...heroOf(),
  posts: { hero: { items, regenerate: 'never', ...more } },
});
const darker = (words: CampaignWords): CampaignWords => ({
  ...words,
  concepts: { morning: { description: 'Hard light' } },
});
const words = hero([KITCHEN, SHELF]);

describe('regenerate: never', () => {
  it('keeps what was generated, whatever changes, and says so', () => {
    const plan = planOf(darker(words), stateAfter(words));
    expect(outline(plan)).toEqual(['~ concept/morning']);
    expect(plan).toMatchObject({ newPosts: 0, held: [], unchanged: 5 });
    expect(plan.kept).toMatchObject(
      ['kitchen', 'shelf'].map((key) => ({
        address: `media/hero/${key}`,
        why: 'never',
        reasons: [{ summary: 'concept/morning changed' }],
      })),
    );
    expect(planOf(words, stateAfter(words)).kept).toEqual([]);
    const own = planOf(hero([{ ...KITCHEN, descriptions: ['c'] }, SHELF]), stateAfter(words));
    expect([outline(own), own.kept.map(({ address }) => address)]).toEqual([[], ['media/hero/kitchen']]);
  });

  it('keeps what is being generated, too', () => {
    const plan = planOf(darker(words), stateAfter(words, { 'media/hero/kitchen@1': 'open' }));
    expect(outline(plan)).toEqual(['~ concept/morning', '… media/hero/kitchen@1']);
  });

  it('requests what was not generated: new items, and failed ones that changed', () => {
    const failed = stateAfter(hero([KITCHEN]), { 'media/hero/kitchen@1': 'failed' });
    expect(planOf(darker(words), failed).newPosts).toBe(2);
  });

  it('gives way to --replace and to a rejection', () => {
    const state = stateAfter(words);
    expect(planOf(words, state, { replace: ['media/hero/shelf'] }).newPosts).toBe(1);
    const verdicts = new Map([
      ['id of media/hero/kitchen@1', { verdict: 'rejected', source: 'd#/decisions/0' } as const],
    ]);
    expect(planOf(darker(words), state, { verdicts }).newPosts).toBe(1);
  });

  it('ends with the word: then the posts are edited ones as any other', () => {
    const plan = planOf(darker(heroOf(KITCHEN, SHELF)), stateAfter(words), { replacements: 'hold' });
    expect(plan).toMatchObject({ kept: [], held: [{}, {}] });
  });

  it('of a post that is requested as a whole keeps it as a whole', () => {
    const whole = (...items: PostWords['items']) => hero(items, { numberOfPosts: 4 });
    const plan = planOf(whole(KITCHEN, SHELF), stateAfter(whole(KITCHEN)));
    expect(plan).toMatchObject({ newPosts: 0, failed: [{ address: 'media/hero/shelf' }] });
    expect(plan.failed[0]?.problem?.detail).toContain('one of those posts is kept (`regenerate: never`)');
    const replace = ['media/hero/kitchen'];
    expect(planOf(whole(KITCHEN, SHELF), stateAfter(whole(KITCHEN)), { replace }).newPosts).toBe(4);
  });

  it('is read from the manifest; on_change is the default', async () => {
    const text = (value: string) =>
      `version: 1\nname: x\nposts: { a: { concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, ${value}items: [{ post_type: image, aspect_ratio: '1:1' }] } }\n`;
    expect((await loaded(text('regenerate: never, '))).posts[0]?.regenerate).toBe('never');
    for (const value of ['regenerate: on_change, ', ''])
      expect((await loaded(text(value))).posts[0]).not.toHaveProperty('regenerate');
    expect(await problemsOf(text('regenerate: nver, '))).toContain('Did you mean "never"?');
  });
});
