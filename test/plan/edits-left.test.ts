/** What an apply left as it was is found after the next edit, as if both had been made in one. */
import { describe, expect, it } from 'vitest';
import type { FoldState } from '../../src/log/fold-state.ts';
import { formatOf } from '../../src/log/format.ts';
import { periodOf } from '../../src/model/period.ts';
import { currentTake } from '../../src/model/run-state.ts';
import { acceptHeld } from '../../src/plan/accept.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import type { CampaignWords, ItemWords, PostWords } from '../support/campaign.ts';
import { after, applied, AT, draftOf, outline, planOf, stateAfter } from '../support/play-plan.ts';

const SHOP = {
  products: { tote: { photos: ['1'] }, mug: { photos: ['2'] } },
  concepts: { morning: { description: 'Soft' } },
};
const of = (
  posts: Readonly<Record<string, readonly ItemWords[]>>,
  rest: Partial<PostWords> = {},
): CampaignWords => ({
  ...SHOP,
  posts: Object.fromEntries(Object.entries(posts).map(([path, items]) => [path, { ...rest, items }])),
});
const hold = { replacements: 'hold' } as const;
/** After applies that left what they would have to pay for again. */
const left = (...all: readonly CampaignWords[]): FoldState =>
  all.reduce((state, words) => applied(planOf(words, state, hold), state), stateAfter(all[0] ?? of({})));
const editsIn = (words: CampaignWords, state: FoldState) =>
  planOf(words, state, hold).unnoted?.edits.map(({ address }) => address);

const X: ItemWords = { descriptions: ['x'] };
const Y: ItemWords = { descriptions: ['y'] };
const Z: ItemWords = { descriptions: ['z'], ratio: '4:5' };

describe('edits in several runs, of which each is left', () => {
  it.each<[string, readonly CampaignWords[], CampaignWords]>([
    [
      'the text, the format, and the name of the post plan',
      [of({ fest: [X] }), of({ fest: [Y] }), of({ fest: [{ ...Y, ratio: '4:5' }] })],
      of({ 'fest-2026': [{ ...Y, ratio: '4:5' }] }),
    ],
    [
      'the product and the name of the post plan',
      [of({ fest: [X] }), of({ fest: [{ ...X, products: ['mug'] }] })],
      of({ 'fest-2026': [{ ...X, products: ['mug'] }] }),
    ],
    [
      'the product and all else, and a key for the item',
      [of({ fest: [X] }), of({ fest: [{ ...Z, products: ['mug'] }] })],
      of({ 'fest-2026': [{ ...Z, products: ['mug'], key: 'k' }] }),
    ],
  ])('%s: nothing is bought', (_, before, edited) => {
    const state = left(...before);
    const plan = planOf(edited, state, hold);
    expect(plan).toMatchObject({ newPosts: 0, moves: { length: 1 }, held: { length: 1 }, leftAlone: [] });
    expect(planOf(edited, applied(plan, state), hold).unnoted).toBeUndefined();
    const never = planOf({ ...edited, posts: neverAgain(edited) }, state);
    expect([never.newPosts, never.kept.length]).toEqual([0, 1]);
  });

  it('of two items that were edited each is known by what was asked of it last', () => {
    const state = left(of({ fest: [X, Y] }), of({ fest: [Y, Z] }), of({ fest: [{ ...Z, ratio: '1:1' }, Z] }));
    const plan = planOf(of({ top: [Z, { ...Z, ratio: '1:1' }] }), state, hold);
    expect(plan.moves).toEqual([
      { from: 'media/fest/1', to: 'media/top/1' },
      { from: 'media/fest/2', to: 'media/top/2' },
    ]);
    expect([plan.newPosts, plan.held.length]).toEqual([0, 2]);
  });
});

function neverAgain({ posts = {} }: CampaignWords): Record<string, PostWords> {
  return Object.fromEntries(
    Object.entries(posts).map(([path, post]) => [path, { ...post, regenerate: 'never' }]),
  );
}

describe('an edit that was left and is taken back', () => {
  const state = left(of({ fest: [X] }), of({ fest: [Y] }));

  it('is noted once, and needs nothing', () => {
    expect(editsIn(of({ fest: [Y] }), state)).toBeUndefined();
    expect(editsIn(of({ fest: [X] }), state)).toEqual(['media/fest/1@1']);
    const back = left(of({ fest: [X] }), of({ fest: [Y] }), of({ fest: [X] }));
    expect(currentTake(back.media.get('media/fest/1') as never)).toEqual(
      currentTake(stateAfter(of({ fest: [X] })).media.get('media/fest/1') as never),
    );
  });

  it('under another name costs nothing, and what was asked for meanwhile is new', () => {
    expect(planOf(of({ fest: [Y], top: [X] }), state, hold)).toMatchObject({
      moves: [{ from: 'media/fest/1', to: 'media/top/1' }],
      held: [],
      newPosts: 1,
    });
  });

  it('belongs to the post that is that already', () => {
    const two = left(of({ fest: [X, X] }), of({ fest: [X, Y] }));
    const plan = planOf(of({ top: [Y, X] }), two, hold);
    expect(plan).toMatchObject({ newPosts: 0, moves: { length: 2 }, held: [{ address: 'media/top/2' }] });
    expect(plan.moves).toContainEqual({ from: 'media/fest/1', to: 'media/top/1' });
    const weekly = (day: string, item: ItemWords) => of({ fest: [item] }, { period: periodOf('week', day) });
    const next = left(weekly('2026-11-22', X), weekly('2026-11-29', X), weekly('2026-11-29', Y));
    const moved = planOf(
      { ...weekly('2026-11-29', X), posts: { top: weekly('2026-11-29', X).posts?.['fest'] as PostWords } },
      next,
      hold,
    );
    expect([moved.newPosts, moved.held]).toEqual([0, []]);
  });
});

describe('what an apply notes of edits', () => {
  const state = stateAfter(of({ fest: [X] }));

  it('is the edit that it leaves, in format 2, and not one of a product or concept, or one that it makes', () => {
    const { unnoted } = planOf(of({ fest: [Y] }), state, hold);
    expect(unnoted).toMatchObject({ addresses: [], again: [], edits: [{ address: 'media/fest/1@1' }] });
    const [edit] = unnoted?.edits ?? [];
    expect(edit && formatOf({ type: 'edit-left', at: AT, ...edit })).toBe(2);
    expect(
      editsIn({ ...of({ fest: [X] }), concepts: { morning: { description: 'Hard' } } }, state),
    ).toBeUndefined();
    expect(planOf(of({ fest: [Y] }), state).unnoted).toBeUndefined();
  });

  it('is gone with the next take, and where the edit was accepted', () => {
    const words = of({ fest: [Y] });
    const edited = left(of({ fest: [X] }), words);
    const made = applied(planOf(words, edited), edited);
    expect(currentTake(made.media.get('media/fest/1') as never)).not.toHaveProperty('editLeft');
    const accepted = acceptHeld(draftOf(words, edited), AT);
    expect(finishPlan(accepted.draft, 'hold').unnoted).toBeUndefined();
    const now = after(edited, ...accepted.events);
    expect(currentTake(now.media.get('media/fest/1') as never)).not.toHaveProperty('editLeft');
    expect(outline(planOf(words, now))).toEqual([]);
  });
});
