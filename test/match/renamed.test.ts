/** What a thing was before: a product, a concept, an item, a post plan, where the rules say something sharp. */
import { describe, expect, it } from 'vitest';
import { type Every, periodOf } from '../../src/model/period.ts';
import type { CampaignWords, ItemWords, PostWords } from '../support/campaign.ts';
import { agreed, gridOf, letGoIn, told, unasked } from './world/story.ts';

const TOTE = { photos: ['front', 'side'], description: 'Canvas' };
const MUG = { photos: ['cup'], description: 'Stoneware' };
const CAP = { photos: ['peak'], description: 'Wool' };

/** One post plan of the two products. */
function planOf(key: string, items: readonly ItemWords[], more: Partial<CampaignWords> = {}): CampaignWords {
  return {
    products: { tote: TOTE, mug: MUG },
    concepts: { morning: { description: 'Soft light' } },
    posts: { [key]: { items } },
    ...more,
  };
}

const KITCHEN: ItemWords = { key: 'kitchen', descriptions: ['On a chair'] };
const DESK: ItemWords = { key: 'desk', descriptions: ['On a desk'] };

describe('products', () => {
  it('a folder renamed together with one changed photo is the same product', () => {
    const log = agreed(gridOf({ tote: TOTE, mug: MUG }));
    const now = gridOf({ 'canvas-tote': { ...TOTE, photos: ['front', 'side=other'] }, mug: MUG });
    expect(told(now, log)).toEqual([
      '> grid/tote/1 → grid/canvas-tote/1',
      '> product/tote → product/canvas-tote',
      '? grid/canvas-tote/1: edit',
    ]);
  });

  it('tote becomes tote-2025 with another description, and a new tote comes', () => {
    const log = agreed(gridOf({ tote: TOTE, mug: MUG }));
    const now = gridOf({ tote: CAP, mug: MUG, 'tote-2025': { ...TOTE, description: 'Last year' } });
    expect(told(now, log)).toEqual([
      '> grid/tote/1 → grid/tote-2025/1',
      '> product/tote → product/tote-2025',
      // A number is never used again.
      '+ grid/tote/2',
      '? grid/tote-2025/1: edit',
    ]);
  });

  it('the first row of a table with numbered keys goes, and all others go on under another number', () => {
    const log = agreed(gridOf({ 1: TOTE, 2: MUG, 3: CAP }));
    const plan = told(gridOf({ 1: MUG, 2: CAP }), log);
    const moves = [
      '> grid/2/1 → grid/1/1',
      '> grid/3/1 → grid/2/1',
      '> product/2 → product/1',
      '> product/3 → product/2',
    ];
    expect(plan).toEqual(expect.arrayContaining(moves));
    expect(plan.filter((line) => !line.startsWith('>'))).toEqual([]);
  });

  it('two rows exchange their keys', () => {
    const log = agreed(gridOf({ a: TOTE, b: MUG }));
    const now = gridOf({ a: MUG, b: TOTE });
    expect(told(now, log)).toEqual([
      '> grid/a/1 → grid/b/1',
      '> grid/b/1 → grid/a/1',
      '> product/a → product/b',
      '> product/b → product/a',
    ]);
    expect(told(now, unasked(now, log))).toEqual([]);
  });

  it('two rows exchange their keys, and one has another description', () => {
    const log = agreed(gridOf({ a: TOTE, b: MUG }));
    expect(told(gridOf({ a: { ...MUG, description: 'Clay' }, b: TOTE }), log)).toEqual([
      '> grid/a/1 → grid/b/1',
      '> grid/b/1 → grid/a/1',
      '> product/a → product/b',
      '> product/b → product/a',
      '? grid/a/1: edit',
    ]);
  });

  it('a chart of sizes that every product shows makes none of them another one', () => {
    const shown = (own: string) => ({ photos: [own, 'chart'], description: own });
    const log = agreed(gridOf({ a: shown('a'), b: shown('b'), c: shown('c') }));
    expect(told(gridOf({ b: shown('b'), c: shown('c'), d: shown('d') }), log)).toEqual(['+ grid/d/1']);
  });

  it('all photos of a key were exchanged: it is the product of its key, and its posts are asked about', () => {
    const log = agreed(gridOf({ tote: TOTE, mug: MUG }));
    expect(told(gridOf({ tote: CAP, mug: MUG }), log)).toEqual(['? grid/tote/1: edit']);
  });

  it('two equal products are renamed in the order of their addresses', () => {
    const log = agreed(gridOf({ m: TOTE, s: TOTE }));
    expect(told(gridOf({ 'shirt-1': TOTE, 'shirt-2': TOTE }), log)).toEqual([
      '> grid/m/1 → grid/shirt-1/1',
      '> grid/s/1 → grid/shirt-2/1',
      '> product/m → product/shirt-1',
      '> product/s → product/shirt-2',
    ]);
  });

  it('a copied product is a new one, and what is named holds nothing up', () => {
    const log = agreed(gridOf({ tote: TOTE }));
    expect(told(gridOf({ tote: TOTE, twin: TOTE }), log)).toEqual(['+ grid/twin/1']);
  });
});

describe('moved:', () => {
  const stated = (words: CampaignWords) => ({
    ...words,
    moved: [{ from: 'product/tote', to: 'product/bag' }],
  });

  it('makes one product of what has nothing in common', () => {
    const log = agreed(gridOf({ tote: TOTE, mug: MUG }));
    expect(told(stated(gridOf({ bag: CAP, mug: MUG })), log)).toEqual([
      '> grid/tote/1 → grid/bag/1',
      '> product/tote → product/bag',
      '? grid/bag/1: edit',
    ]);
  });

  it('is passed over while the manifest names `from`, or once the state has `to`', () => {
    const named = agreed(gridOf({ tote: TOTE, mug: MUG }));
    expect(told(stated(gridOf({ tote: TOTE, mug: MUG, bag: CAP })), named)).toEqual(['+ grid/bag/1']);
    const both = agreed(gridOf({ tote: TOTE, bag: CAP }));
    expect(told(stated(gridOf({ bag: CAP })), both)).toEqual([]);
  });
});

describe('concepts', () => {
  const inLight = (concepts: NonNullable<CampaignWords['concepts']>): CampaignWords => ({
    products: { tote: TOTE },
    concepts,
    posts: Object.fromEntries(
      Object.keys(concepts).map((concept) => [`grid/${concept}`, { concept, items: [{}] }]),
    ),
  });
  const MORNING = { name: 'Morning', description: 'Soft light', refs: ['linen'] };

  it.each([
    ['description', { name: 'Dawn', description: 'Soft light', refs: ['wool'] }],
    ['references', { name: 'Dawn', description: 'Low sun', refs: ['linen'] }],
  ])('a concept with another key is known by the same %s', (_, dawn) => {
    const log = agreed(inLight({ morning: MORNING }));
    expect(told(inLight({ dawn }), log)).toEqual([
      '> concept/morning → concept/dawn',
      '> grid/morning/1 → grid/dawn/1',
      '? grid/dawn/1: edit',
    ]);
  });

  it('of two with the same description it is neither, and the posts of both hold the new one up', () => {
    const log = agreed(inLight({ a: { ...MORNING, name: 'A' }, b: { ...MORNING, name: 'B' } }));
    expect(told(inLight({ dawn: { description: 'Soft light' } }), log)).toEqual([
      '? grid/dawn/1: grid/a/1,grid/b/1',
    ]);
  });

  it('absent descriptions and references match nothing', () => {
    const log = agreed(inLight({ a: { name: 'A' } }));
    const plan = told(inLight({ b: { name: 'B' } }), log);
    expect(plan).toEqual(['? grid/b/1: grid/a/1']);
  });
});

describe('items', () => {
  it('are the same under another key, where they ask for the same', () => {
    const log = agreed(planOf('hero', [KITCHEN, DESK]));
    const now = planOf('hero', [
      { ...KITCHEN, key: 'desk' },
      { ...DESK, key: 'kitchen' },
    ]);
    expect(told(now, log)).toEqual(['> hero/desk → hero/kitchen', '> hero/kitchen → hero/desk']);
  });

  it('with another key and another text are new, and held up', () => {
    const log = agreed(planOf('hero', [KITCHEN, DESK]));
    expect(told(planOf('hero', [{ key: 'floor', descriptions: ['On the floor'] }, DESK]), log)).toEqual([
      '? hero/floor: hero/kitchen',
    ]);
  });

  it('a keyless one that is inserted in front takes no number from another', () => {
    const log = agreed(planOf('hero', [{ descriptions: ['a'] }]));
    expect(told(planOf('hero', [{ descriptions: ['b'] }, { descriptions: ['a'] }]), log)).toEqual([
      '+ hero/2',
    ]);
  });

  it('keyless ones are matched by place among those of the same products before all others', () => {
    const log = agreed(planOf('hero', [{ products: ['tote'] }, { products: ['mug'] }]));
    const now = planOf('hero', [
      { products: ['mug'], ratio: '4:5' },
      { products: ['tote'], ratio: '4:5' },
      { products: ['tote', 'mug'] },
    ]);
    expect(told(now, log)).toEqual(['+ hero/3', '? hero/1: edit', '? hero/2: edit']);
  });

  it('1:1 became 16:9 by consent, and 1:1 is wanted beside it: the older take is it', () => {
    const wide = { key: 'wide', ratio: '16:9' };
    const log = agreed(planOf('hero', [wide]), agreed(planOf('hero', [{ key: 'wide' }])));
    const now = planOf('hero', [wide, { key: 'square' }]);
    expect(told(now, log)).toEqual(['> hero/wide@1 → hero/square']);
    expect(told(now, unasked(now, log))).toEqual([]);
  });

  it('a text that is taken back after it was bought is there as an older take', () => {
    const before = planOf('hero', [KITCHEN]);
    const log = agreed(planOf('hero', [{ ...KITCHEN, descriptions: ['On a table'] }]), agreed(before));
    const plan = told(before, log);
    expect(plan.filter((line) => !line.startsWith('>'))).toEqual([]);
  });

  it('an older take of what is approved as it is becomes a post of its own', () => {
    const log = agreed(planOf('hero', [{ ...KITCHEN, ratio: '4:5' }]), agreed(planOf('hero', [KITCHEN])));
    const verdicts = { 'id of media/hero/kitchen@2': 'approved' } as const;
    const keyless = planOf('hero', [{ descriptions: ['On a chair'] }]);
    expect(told(keyless, log, { verdicts })).toEqual(['> hero/kitchen@1 → hero/1']);
  });

  it('an older take that was rejected is not taken again', () => {
    const wide = { key: 'wide', ratio: '16:9' };
    const log = agreed(planOf('hero', [wide]), agreed(planOf('hero', [{ key: 'wide' }])));
    const verdicts = { 'id of media/hero/wide@1': 'rejected' } as const;
    expect(told(planOf('hero', [wide, { key: 'square' }]), log, { verdicts })).toEqual(['+ hero/square']);
  });
});

describe('the hold', () => {
  const BANNER = planOf('banner', [{ ...KITCHEN, ratio: '4:5' }, DESK]);
  const HERO = planOf('hero', [KITCHEN, DESK]);
  const HELD = ['> hero/desk → banner/desk', '? banner/kitchen: hero/kitchen'];
  const UNKNOWN = { 'media-config/hero@1': 'interrupted' } as const;

  it('a plan gets a new name and an edit', () => {
    expect(told(BANNER, agreed(HERO))).toEqual(HELD);
  });

  it('a plan gets a new name and an edit while its posts are pending', () => {
    const ends = { 'media/hero/kitchen@1': 'open', 'media/hero/desk@1': 'open' } as const;
    expect(told(BANNER, agreed(HERO, [], { ends }))).toEqual(HELD);
  });

  it('a plan gets a new name and an edit while nobody knows what became of its request', () => {
    expect(told(BANNER, agreed(HERO, [], { ends: UNKNOWN }))).toEqual(HELD);
  });

  it('an edit is asked about also where the post is pending or unknown', () => {
    const edited = planOf('hero', [{ ...KITCHEN, ratio: '4:5' }, DESK]);
    const pending = agreed(HERO, [], { ends: { 'media/hero/kitchen@1': 'open' } });
    expect(told(edited, pending)).toEqual(['? hero/kitchen: edit']);
    expect(told(edited, agreed(HERO, [], { ends: UNKNOWN }))).toEqual(['? hero/kitchen: edit']);
  });

  it('what failed or was rejected holds nothing up; what was approved does, and is kept through an edit', () => {
    const failed = agreed(HERO, [], { ends: { 'media/hero/kitchen@1': 'failed' } });
    const free = ['> hero/desk → banner/desk', '+ banner/kitchen'];
    expect(told(BANNER, failed)).toEqual(free);
    const log = agreed(HERO);
    const rejected = { 'id of media/hero/kitchen@1': 'rejected' } as const;
    expect(told(BANNER, log, { verdicts: rejected })).toEqual(free);
    const approved = { 'id of media/hero/kitchen@1': 'approved' } as const;
    expect(told(BANNER, log, { verdicts: approved })).toEqual(HELD);
    const edited = planOf('hero', [{ ...KITCHEN, ratio: '4:5' }, DESK]);
    expect(told(edited, log, { verdicts: approved })).toEqual([]);
  });

  it('is by products that contain the others, either way, and without products among themselves', () => {
    const showing = (key: string, products: readonly string[]) =>
      planOf('hero', [{ key, products, descriptions: [key] }]);
    const log = agreed(showing('old', ['tote', 'mug']));
    const held = ['? hero/new: hero/old'];
    expect(told(showing('new', ['mug']), log)).toEqual(held);
    expect(told(showing('new', ['mug', 'tote']), agreed(showing('old', ['mug'])))).toEqual(held);
    const bought = ['+ hero/new'];
    expect(told(showing('new', ['tote']), agreed(showing('old', ['mug'])))).toEqual(bought);
    expect(told(showing('new', []), log)).toEqual(bought);
    expect(told(showing('new', []), agreed(showing('old', [])))).toEqual(held);
  });

  it('is of all formats of a product that is another one by nothing but its photo', () => {
    // Two are gone that have this photo, so that rule 3 finds neither.
    const log = agreed(gridOf({ m: { ...TOTE, name: 'M' }, s: { ...TOTE, name: 'S' } }));
    expect(told(gridOf({ shirt: { ...TOTE, name: 'Shirt' } }), log)).toEqual([
      '? grid/shirt/1: grid/m/1,grid/s/1',
    ]);
  });
});

describe('letting go', () => {
  const SQUARE = { key: 'square' };
  const TALL = { key: 'tall', ratio: '9:16' };
  const WIDE = { key: 'wide', ratio: '16:9' };
  const before = agreed(planOf('hero', [SQUARE, TALL]));

  it('posts that were dropped long ago hold up no new format', () => {
    const dropped = unasked(planOf('hero', [SQUARE]), before);
    expect(letGoIn(dropped)).toEqual(['media/hero/tall']);
    expect(told(planOf('hero', [SQUARE, WIDE]), dropped)).toEqual(['+ hero/wide']);
    expect(told(planOf('hero', [SQUARE, WIDE]), before)).toEqual(['? hero/wide: hero/tall']);
  });

  it('an apply that held something up lets go of nothing, nor does one of a part', () => {
    const now = planOf('hero', [SQUARE, WIDE]);
    expect(letGoIn(unasked(now, before))).toEqual([]);
    expect(told(now, unasked(now, before))).toEqual(['? hero/wide: hero/tall']);
    expect(letGoIn(unasked(planOf('hero', [SQUARE]), before, { only: ['media/hero/square'] }))).toEqual([]);
  });

  it('each post that is bought by consent lets go of one, in the order of addresses', () => {
    const old = agreed(planOf('hero', [SQUARE, TALL, { ...KITCHEN, key: 'old' }]));
    const now = planOf('hero', [WIDE]);
    expect(told(now, old)).toEqual(['? hero/wide: hero/old,hero/square,hero/tall']);
    const log = agreed(now, old, { only: ['media/hero/wide'] });
    expect(letGoIn(log)).toEqual(['media/hero/old']);
    // Durably with its create: a crash after the answer has let go of it, too.
    const answer = log.findIndex(({ type }, index) => index >= old.length && type === 'created');
    expect(letGoIn(log.slice(0, answer + 1))).toEqual(['media/hero/old']);
    const more = planOf('hero', [WIDE, { key: 'new', descriptions: ['new'] }]);
    expect(told(more, log)).toEqual(['? hero/new: hero/square,hero/tall']);
  });

  it('what was let go comes back: as it was it is there, otherwise it is new', () => {
    const dropped = unasked(planOf('hero', [SQUARE]), before);
    expect(told(planOf('hero', [SQUARE, TALL]), dropped)).toEqual([]);
    expect(told(planOf('hero', [SQUARE, { ...TALL, key: 'story' }]), dropped)).toEqual([
      '> hero/tall → hero/story',
    ]);
    const edited = planOf('hero', [SQUARE, { ...TALL, descriptions: ['At noon'] }]);
    expect(told(edited, dropped)).toEqual(['+ hero/tall']);
    const again = unasked(planOf('hero', [SQUARE, TALL]), dropped);
    expect(letGoIn(again)).toEqual([]);
    expect(told(edited, again)).toEqual(['? hero/tall: edit']);
  });

  it('a product that was let go is known by its key, and not by its photos', () => {
    const all = agreed(gridOf({ tote: TOTE, mug: MUG }));
    const log = unasked(gridOf({ mug: MUG }), all);
    expect(told(gridOf({ mug: MUG, tote: { ...TOTE, description: 'Linen' } }), log)).toEqual([
      '+ grid/tote/2',
    ]);
    expect(told(gridOf({ mug: MUG, bag: { ...TOTE, description: 'Linen' } }), log)).toEqual(['+ grid/bag/1']);
  });
});

describe('periods', () => {
  const every = (length: Every, day: string, post: PostWords, key = 'hero') =>
    planOf(key, [], { posts: { [key]: { ...post, period: periodOf(length, day) } } });
  const ITEMS = { items: [KITCHEN] };
  const EDITED = { items: [{ ...KITCHEN, key: 'floor', ratio: '4:5' }] };

  it('settled ones hold nothing up, and follow their post plan', () => {
    const first = agreed(every('week', '2026-11-16', ITEMS));
    expect(told(every('week', '2026-11-23', EDITED), first, { day: '2026-11-23' })).toEqual([
      '+ hero/2026-w48/floor',
    ]);
    const log = agreed(every('week', '2026-11-23', ITEMS), first, { day: '2026-11-23' });
    expect(told(every('week', '2026-11-23', ITEMS, 'banner'), log, { day: '2026-11-23' })).toEqual([
      '> hero/2026-w47/kitchen → banner/2026-w47/kitchen',
      '> hero/2026-w48/kitchen → banner/2026-w48/kitchen',
    ]);
  });

  it('within the period that is now, an edit under another key is held up', () => {
    const log = agreed(every('week', '2026-11-16', ITEMS));
    expect(told(every('week', '2026-11-17', EDITED), log)).toEqual([
      '? hero/2026-w47/floor: hero/2026-w47/kitchen',
    ]);
  });

  it('adding, changing or taking away `every` moves the newest posts', () => {
    const none = agreed(planOf('hero', [KITCHEN]));
    const weekly = every('week', '2026-11-16', ITEMS);
    expect(told(weekly, none)).toEqual(['> hero/kitchen → hero/2026-w47/kitchen']);
    const log = agreed(weekly, none);
    expect(told(every('month', '2026-11-16', ITEMS), log)).toEqual([
      '> hero/2026-w47/kitchen → hero/2026-11/kitchen',
    ]);
    expect(told(planOf('hero', [{ ...KITCHEN, ratio: '4:5' }]), log)).toEqual([
      '> hero/2026-w47/kitchen → hero/kitchen',
      '? hero/kitchen: edit',
    ]);
  });

  it('a text that is taken back while its post goes on in a period is there as an older take', () => {
    const log = agreed(
      planOf('hero', [{ ...KITCHEN, descriptions: ['On a table'] }]),
      agreed(planOf('hero', [KITCHEN])),
    );
    const plan = told(every('week', '2026-11-16', { items: [KITCHEN] }), log);
    expect(plan).toContain('> hero/kitchen → hero/2026-w47/kitchen');
    expect(plan.filter((line) => !line.startsWith('>'))).toEqual([]);
  });
});
