/** Which post is let go of for each that is held up, what is said of it, and when an apply lets go of what it left alone. */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/model/exit.ts';
import { periodOf } from '../../src/model/period.ts';
import { lettingGo } from '../../src/plan/hold.ts';
import { lettingGoEvents } from '../../src/plan/left-alone.ts';
import { heroOf, type ItemWords } from '../support/campaign.ts';
import { applied, AT, planOf, stateAfter } from '../support/play-plan.ts';

const WIDE: ItemWords = { ratio: '16:9', descriptions: ['Wide'] };
const plan = (name: string, ...items: readonly ItemWords[]) => ({
  ...heroOf(),
  posts: { [name]: { items } },
});
const hold = { replacements: 'hold' } as const;

describe('the post that is let go of', () => {
  it('is the first in the order of addresses that no other one has', () => {
    const heldBy = ['media/a/1', 'media/a/2'];
    const pairs = lettingGo([
      { address: 'media/b/2', heldBy },
      { address: 'media/b/1', heldBy },
      { address: 'media/b/3', heldBy },
    ]);
    expect([...pairs]).toEqual([
      ['media/b/1', 'media/a/1'],
      ['media/b/2', 'media/a/2'],
    ]);
  });

  it('is named in the line that says that both are the same post, each of them once', () => {
    const state = stateAfter(plan('hero', {}, { ratio: '4:5' }));
    const { held } = planOf(
      plan('top', WIDE, { ...WIDE, ratio: '2:1' }, { ...WIDE, ratio: '3:1' }),
      state,
      hold,
    );
    expect(held.map(({ heldBy, reasons }) => [heldBy?.length, reasons.at(-1)?.summary])).toEqual([
      [2, 'if it is the same post, write moved: [{ from: media/hero/1, to: media/top/1 }]'],
      [2, 'if it is the same post, write moved: [{ from: media/hero/2, to: media/top/2 }]'],
      [2, 'it may be what media/hero/1 or media/hero/2 was, which the manifest no longer names'],
    ]);
  });

  it('is named without the period, for which a move says nothing', () => {
    const period = periodOf('week', '2026-11-22');
    const weekly = (name: string, item: ItemWords) => ({
      ...heroOf(),
      posts: { [name]: { items: [item], period } },
    });
    const now = { now: Date.parse('2026-11-22') };
    const { held } = planOf(weekly('top', WIDE), stateAfter(weekly('hero', {})), { ...hold, ...now });
    expect(held[0]?.reasons.at(-1)?.summary).toContain('[{ from: media/hero/1, to: media/top/1 }]');
  });
});

describe('an apply lets go of what it left alone', () => {
  const state = stateAfter(plan('hero', {}));
  const gone = planOf(plan('hero'), state, hold);

  it.each([
    [EXIT.ok, 1],
    [EXIT.failed, 1],
    [EXIT.incomplete, 1],
    [EXIT.undecided, 1],
    [EXIT.needsConsent, 0],
    [EXIT.sigint, 0],
    [EXIT.unavailable, 0],
  ])('where it ended with %i: %i event', (exit, events) => {
    expect(lettingGoEvents(gone, exit, AT)).toHaveLength(events);
  });

  it('once, and then nothing new is held up', () => {
    const after = applied(gone, state);
    expect(planOf(plan('hero'), after, hold).letGo).toBeUndefined();
    expect(planOf(plan('top', WIDE), after, hold)).toMatchObject({ held: [], newPosts: 1 });
  });

  it.each([
    ['holds something up', plan('top', WIDE), {}],
    ['leaves an edit unasked', plan('hero', { ...WIDE, key: 'a' }), {}],
    ['looks at a part only', plan('hero'), { selection: { only: ['product/*'], exclude: [] } }],
  ])('but not where it %s', (_, words, options) => {
    const before = stateAfter(plan('hero', { key: 'a' }, { key: 'b', ratio: '4:5' }));
    expect(planOf(words, before, { ...hold, ...options }).letGo?.addresses ?? []).toEqual([]);
  });
});
