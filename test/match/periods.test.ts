/** Post plans with `every`: what a week plans, and what it leaves alone. */
import { describe, expect, it } from 'vitest';
import { type Every, periodOf } from '../../src/model/period.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import { snapshotEvents } from '../../src/log/snapshot.ts';
import { settledPeriods } from '../../src/views/settled.ts';
import { type CampaignWords, graphOf, type ItemWords, type PostWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const SUNDAY = '2026-11-22';
const MONDAY = '2026-11-23';
const IN_W46 = '2026-11-12';

const OBJECTS = {
  products: { tote: { photos: ['front'] } },
  concepts: { morning: { description: 'Soft light' } },
};
const CHAIR: ItemWords = { descriptions: ['On a chair'] };
const TWO: readonly ItemWords[] = [CHAIR, { ratio: '9:16' }];

function repeated(day: string, post: Partial<PostWords> = {}, every: Every = 'week'): PostWords {
  return { items: TWO, period: periodOf(every, day), ...post };
}

const posts = (all: Readonly<Record<string, PostWords>>): CampaignWords => ({ ...OBJECTS, posts: all });
const hero = (day: string, every?: Every) => posts({ hero: repeated(day, {}, every) });
const PLAIN = posts({ hero: { items: TWO } });

/** Sets of `hero` that were made on these days. */
function madeOn(...days: readonly string[]): FoldState {
  return days.reduce((state, day) => stateAfter(hero(day), {}, state), emptyState());
}

function planned(words: CampaignWords, state: FoldState, now = SUNDAY) {
  const plan = planOf(words, state, { now: Date.parse(now) });
  return {
    does: outline(plan),
    newPosts: plan.newPosts,
    leftAlone: plan.leftAlone,
    after: applied(plan, state),
  };
}

const NEW_W48 = ['+ media-config/hero/2026-w48@1', '+ media/hero/2026-w48/1@1', '+ media/hero/2026-w48/2@1'];

describe('the next period', () => {
  it('is made anew, and is no move of the one before', () => {
    const state = madeOn(IN_W46, SUNDAY);
    expect(planned(hero(SUNDAY), state)).toMatchObject({ does: [], leftAlone: [] });
    const next = planned(hero(MONDAY), state);
    expect(next).toMatchObject({ does: NEW_W48, newPosts: 2, leftAlone: [] });
    expect(planned(hero(MONDAY), next.after)).toMatchObject({ does: [], leftAlone: [] });
  });

  it('has edits to itself: they replace nothing of the one before', () => {
    const both = madeOn(SUNDAY, MONDAY);
    const concepts = { morning: { description: 'Hard light' } };
    expect(planned({ ...hero(MONDAY), concepts }, both)).toMatchObject({
      does: [
        '~ concept/morning',
        '+ media-config/hero/2026-w48@2',
        '-/+ media/hero/2026-w48/1@2',
        '-/+ media/hero/2026-w48/2@2',
      ],
      leftAlone: [],
    });
    const changed = posts({ hero: repeated(MONDAY, { items: [{ ...CHAIR, ratio: '4:5' }] }) });
    const first = planned(changed, madeOn(SUNDAY));
    expect(first).toMatchObject({
      does: ['+ media-config/hero/2026-w48@1', '+ media/hero/2026-w48/1@1'],
      leftAlone: [],
    });
  });

  it('goes on fetching what was requested before', () => {
    const open = { 'media/hero/2026-w47/1@1': 'open' } as const;
    const state = stateAfter(hero(SUNDAY), open);
    expect(planned(hero(MONDAY), state).does).toEqual([...NEW_W48, '… media/hero/2026-w47/1@1']);
  });

  it('asks nothing about what failed before, and asks about what is unknown', () => {
    const failed = stateAfter(hero(SUNDAY), { 'media/hero/2026-w47/1@1': 'failed' });
    const later = { now: Date.parse('2027-01-20') };
    expect(planOf(hero('2027-01-20'), failed, { ...later, retryFailed: '*' })).toMatchObject({
      failed: [],
      newPosts: 2,
    });
    const unknown = stateAfter(hero(SUNDAY), { 'media-config/hero/2026-w47@1': 'unknown' });
    expect(planOf(hero(MONDAY), unknown).unknown).toMatchObject([
      { address: 'media-config/hero/2026-w47@1' },
    ]);
    expect(planned(hero(MONDAY), unknown).does).toEqual(NEW_W48);
  });

  it('lists what the manifest no longer names in the present period only', () => {
    const one = (day: string) => posts({ hero: repeated(day, { items: [CHAIR] }) });
    const state = madeOn(IN_W46, SUNDAY);
    expect(planned(one(SUNDAY), state).leftAlone).toEqual(['media/hero/2026-w47/2']);
    expect(planned(one(MONDAY), state).leftAlone).toEqual([]);
    expect(planned(posts({}), state).leftAlone).toEqual(['media/hero/2026-w47/1', 'media/hero/2026-w47/2']);
    expect(planned(posts({}), state, MONDAY).leftAlone).toEqual([]);
  });

  it('may be any, also one that was missed: the others stay as they are', () => {
    const { does, leftAlone } = planned(hero(IN_W46), madeOn(SUNDAY, MONDAY));
    expect(does[0]).toBe('+ media-config/hero/2026-w46@1');
    expect([does.length, leftAlone]).toEqual([3, []]);
  });

  it('is the same for what a compacted log keeps', () => {
    const state = madeOn(IN_W46, SUNDAY);
    const kept = [...snapshotEvents(state, [], SUNDAY)].reduce(fold, emptyState());
    expect(kept.media).toEqual(state.media);
    expect(planned(PLAIN, kept).does).toEqual(planned(PLAIN, state).does);
  });
});

it('what the service made beyond what was asked belongs to the period, too', () => {
  const three = (day: string) => posts({ hero: repeated(day, { numberOfPosts: 3 }) });
  const state = stateAfter(three(SUNDAY));
  expect([...state.media.values()].map(({ period, surplus }) => [period, surplus])).toEqual([
    ['2026-w47', false],
    ['2026-w47', false],
    ['2026-w47', true],
  ]);
  expect(planned(three(MONDAY), state)).toMatchObject({ newPosts: 3, leftAlone: [] });
});

it('what is open in settled periods is counted for each', () => {
  const open = { 'media/hero/2026-w46/1@1': 'open', 'media/hero/2026-w46/2@1': 'failed' } as const;
  const state = stateAfter(hero(IN_W46), open);
  const words = hero(MONDAY);
  expect(settledPeriods(graphOf(words), state, planOf(words, state))).toEqual([
    { post: 'hero', period: '2026-w46', pending: 1, failed: 1 },
  ]);
});

describe('`every`', () => {
  it('that is added moves the present posts', () => {
    const moved = planned(hero(SUNDAY), stateAfter(PLAIN));
    expect(moved).toMatchObject({
      does: ['> media/hero/1 → media/hero/2026-w47/1', '> media/hero/2 → media/hero/2026-w47/2'],
      newPosts: 0,
      leftAlone: [],
    });
    expect(planned(hero(SUNDAY), moved.after).does).toEqual([]);
    expect(planned(hero(MONDAY), moved.after).does).toEqual(NEW_W48);
  });

  it('that is added together with an edit moves them all the same', () => {
    const edited = posts({
      hero: repeated(SUNDAY, { items: [{ ratio: '9:16' }, { descriptions: ['On a table'] }] }),
    });
    expect(planned(edited, stateAfter(PLAIN))).toMatchObject({
      does: [
        '> media/hero/2 → media/hero/2026-w47/2',
        '> media/hero/1 → media/hero/2026-w47/1',
        '+ media-config/hero/2026-w47@2',
        '-/+ media/hero/2026-w47/1@2',
      ],
    });
  });

  it('that is taken away leaves the newest posts', () => {
    const moves = ['> media/hero/2026-w47/1 → media/hero/1', '> media/hero/2026-w47/2 → media/hero/2'];
    const state = madeOn(IN_W46, SUNDAY);
    const after = planned(PLAIN, state, '2027-03-01');
    expect(after).toMatchObject({ does: moves, newPosts: 0, leftAlone: [] });
    expect(planned(PLAIN, after.after, '2027-03-01')).toMatchObject({ does: [], leftAlone: [] });
    // What is added again goes on with the same posts.
    expect(planned(hero(MONDAY), after.after).does[0]).toBe('> media/hero/1 → media/hero/2026-w48/1');
  });

  it('that changes goes on with the set that today is in', () => {
    expect(planned(hero(SUNDAY, 'day'), madeOn(IN_W46, SUNDAY))).toMatchObject({
      does: [
        '> media/hero/2026-w47/1 → media/hero/2026-11-22/1',
        '> media/hero/2026-w47/2 → media/hero/2026-11-22/2',
      ],
      leftAlone: [],
    });
    expect(planned(hero(MONDAY, 'day'), madeOn(SUNDAY)).does[0]).toBe('+ media-config/hero/2026-11-23@1');
  });

  it('that becomes longer goes on with the newest set in it, also where today has none', () => {
    const [wednesday, thursday] = ['2026-11-18', '2026-11-19'].map((day) => hero(day, 'day'));
    const state = stateAfter(thursday ?? {}, {}, stateAfter(wednesday ?? {}));
    const after = planned(hero(SUNDAY), state);
    expect(after.does).toEqual([
      '> media/hero/2026-11-19/1 → media/hero/2026-w47/1',
      '> media/hero/2026-11-19/2 → media/hero/2026-w47/2',
    ]);
    expect(planned(hero(SUNDAY), after.after)).toMatchObject({ does: [], newPosts: 0 });
    expect(planned(hero(MONDAY), state).does).toEqual(NEW_W48);
  });
});

describe('a renamed post plan', () => {
  const HEROINE = posts({ heroine: repeated(SUNDAY) });

  it('takes its settled sets along', () => {
    const moved = planned(HEROINE, madeOn('2026-11-04', IN_W46, SUNDAY));
    expect(moved).toMatchObject({ newPosts: 0, leftAlone: [] });
    expect(moved.does).toEqual(
      ['w47', 'w45', 'w46'].flatMap((week) =>
        [1, 2].map((item) => `> media/hero/2026-${week}/${item} → media/heroine/2026-${week}/${item}`),
      ),
    );
    expect(planned(posts({ heroine: repeated(MONDAY) }), moved.after).newPosts).toBe(2);
    expect(
      [...moved.after.media.values()].map(({ period = '' }) => period).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['2026-w45', '2026-w46', '2026-w47'].flatMap((week) => [week, week]));
  });

  it('that has no set of this period yet is made anew', () => {
    const next = planned(posts({ heroine: repeated(MONDAY) }), madeOn(IN_W46, SUNDAY), MONDAY);
    expect(next).toMatchObject({ newPosts: 2, leftAlone: [] });
    expect(next.does.filter((line) => line.startsWith('>'))).toEqual([]);
  });

  it('that the manifest states moves in all periods', () => {
    const moved = [{ from: 'media/hero', to: 'media/heroine' }];
    const next = planned(
      { ...posts({ heroine: repeated(MONDAY, { items: [CHAIR] }) }), moved },
      madeOn(SUNDAY),
      MONDAY,
    );
    expect(next.does).toEqual([
      '> media/hero/2026-w47/1 → media/heroine/2026-w47/1',
      '> media/hero/2026-w47/2 → media/heroine/2026-w47/2',
      '+ media-config/heroine/2026-w48@1',
      '+ media/heroine/2026-w48/1@1',
    ]);
  });

  it('and an item that the manifest states moves in all periods', () => {
    const named = (key: string, day: string) =>
      posts({ hero: repeated(day, { items: [{ ...CHAIR, key }] }) });
    const state = stateAfter(named('chair', SUNDAY), {}, stateAfter(named('chair', IN_W46)));
    const moved = [{ from: 'media/hero/chair', to: 'media/hero/seat' }];
    expect(planned({ ...named('seat', SUNDAY), moved }, state).does).toEqual([
      '> media/hero/2026-w46/chair → media/hero/2026-w46/seat',
      '> media/hero/2026-w47/chair → media/hero/2026-w47/seat',
    ]);
  });

  it('with an item whose key was given on in this period keeps its post', () => {
    const keyed = (day: string, ...items: readonly ItemWords[]) => posts({ hero: repeated(day, { items }) });
    const chair = { ...CHAIR, key: 'a' };
    const state = stateAfter(keyed(SUNDAY, chair), {}, stateAfter(keyed(IN_W46, chair)));
    const next = planned(keyed(SUNDAY, { ...CHAIR, key: 'b' }, { key: 'a', ratio: '9:16' }), state);
    expect(next.newPosts).toBe(1);
    expect(next.does[0]).toBe('> media/hero/2026-w47/a → media/hero/2026-w47/b');
  });

  it('takes nothing of a post plan that is still there', () => {
    const next = planned(
      posts({ hero: repeated(MONDAY), other: { items: TWO } }),
      madeOn(SUNDAY, MONDAY),
      MONDAY,
    );
    expect(next).toMatchObject({
      does: ['+ media-config/other@1', '+ media/other/1@1', '+ media/other/2@1'],
      leftAlone: [],
    });
  });
});

describe('an item that goes to another post plan', () => {
  const NINE: ItemWords = { ratio: '9:16' };
  const weekly = (day: string, ...items: readonly ItemWords[]) => repeated(day, { items });

  it('leaves the posts of settled periods where they are', () => {
    const next = posts({ hero: weekly(MONDAY, CHAIR), other: { items: [NINE] } });
    expect(planned(next, madeOn(SUNDAY), MONDAY).newPosts).toBe(2);
  });
});

describe('an instance', () => {
  const grid = (day: string, ...products: readonly string[]): CampaignWords => ({
    ...OBJECTS,
    products: Object.fromEntries(products.map((key) => [key, { photos: [key.replace('bag', 'tote')] }])),
    posts: Object.fromEntries(
      products.map((key) => [`grid/${key}`, repeated(day, { items: [{ products: [key] }] })]),
    ),
  });

  it('whose product was renamed goes along in all periods', () => {
    const state = stateAfter(grid(SUNDAY, 'tote', 'mug'), {}, stateAfter(grid(IN_W46, 'tote', 'mug')));
    expect(planned(grid(SUNDAY, 'bag', 'mug'), state)).toMatchObject({
      does: [
        '> product/tote → product/bag',
        '> media/grid/tote+2026-w47/1 → media/grid/bag+2026-w47/1',
        '> media/grid/tote+2026-w46/1 → media/grid/bag+2026-w46/1',
      ],
      leftAlone: [],
    });
  });

  it('whose product was renamed before a period was made goes along in those before', () => {
    const state = stateAfter(grid(SUNDAY, 'tote', 'mug'));
    const plan = planned(grid(MONDAY, 'bag', 'mug'), state);
    expect(plan.does).toContain('> media/grid/tote+2026-w47/1 → media/grid/bag+2026-w47/1');
    const texts = posts({
      'grid/bag': repeated(SUNDAY, { items: [{ products: ['bag'], descriptions: ['A bag'] }] }),
    });
    const asked = planned({ ...grid(SUNDAY, 'bag'), posts: texts.posts ?? {} }, plan.after);
    expect(asked.does).toContain('-/+ media/grid/bag+2026-w47/1@2');
  });

  it('that is gone is listed until its period is over', () => {
    const state = stateAfter(grid(SUNDAY, 'tote', 'mug'));
    expect(planned(grid(SUNDAY, 'mug'), state).leftAlone).toEqual([
      'product/tote',
      'media/grid/tote+2026-w47/1',
    ]);
    expect(planned(grid(MONDAY, 'mug'), state).leftAlone).toEqual(['product/tote']);
  });
});
