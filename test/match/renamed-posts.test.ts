import { describe, expect, it } from 'vitest';
import type { CampaignWords } from '../support/campaign.ts';
import { applied, outline, planOf, stateAfter } from '../support/play-plan.ts';

const square = { products: ['tote'] };

/** The instances of a matrix over one product. */
function wall(product: string, photo: string, moved?: CampaignWords['moved']): CampaignWords {
  const items = [{ products: [product] }, { products: [product], ratio: '4:5' }];
  return {
    products: { [product]: { photos: [photo] } },
    concepts: { morning: {}, night: { description: 'Neon' } },
    posts: {
      [`wall/morning+${product}`]: { items },
      [`wall/night+${product}`]: { concept: 'night', items },
    },
    ...(moved ? { moved } : {}),
  };
}

const before = wall('tote', 'front');
const MOVED = [{ from: 'product/tote', to: 'product/bag' }];

describe('posts that carry the key of a product', () => {
  it('follow it where the manifest says that it is renamed, though it changed as well', () => {
    const state = stateAfter(before);
    const after = wall('bag', 'new', MOVED);
    const plan = planOf(after, state);
    expect(outline(plan)).toEqual([
      '> product/tote → product/bag',
      '> media/wall/morning+tote/1 → media/wall/morning+bag/1',
      '> media/wall/morning+tote/2 → media/wall/morning+bag/2',
      '> media/wall/night+tote/1 → media/wall/night+bag/1',
      '> media/wall/night+tote/2 → media/wall/night+bag/2',
      '+ upload photos/new.jpg',
      '~ product/bag',
      '+ media-config/wall/morning+bag@2',
      '-/+ media/wall/morning+bag/1@2',
      '-/+ media/wall/morning+bag/2@2',
      '+ media-config/wall/night+bag@2',
      '-/+ media/wall/night+bag/1@2',
      '-/+ media/wall/night+bag/2@2',
    ]);
    expect(plan.leftAlone).toEqual([]);
    expect(outline(planOf(after, applied(plan, state)))).toEqual([]);
  });

  it('keep the pictures of older takes: each lies where the rename puts it before it steps aside', () => {
    const plan = planOf(wall('bag', 'new', MOVED), stateAfter(before));
    const first = plan.nodes.find(({ kind }) => kind === 'download');
    expect(plan.fileMoves[0]).toMatchObject({
      from: 'out/wall/morning+tote/1-image.png',
      to: 'out/wall/morning+bag/1-image.png',
    });
    expect(first?.payload).toMatchObject({
      path: 'out/wall/morning+bag/1-image',
      older: [
        {
          take: 1,
          path: 'out/wall/morning+bag/1-image.take1',
          files: [{ path: 'out/wall/morning+bag/1-image.png' }],
        },
      ],
    });
  });

  it('go along with it by what they show, where the manifest has their plan no more or with another matrix', () => {
    const state = stateAfter(before);
    const others: NonNullable<CampaignWords['posts']>[] = [
      {},
      { 'wall/night+4x5': { items: [{ products: ['bag'], ratio: '4:5' }] } },
    ];
    for (const posts of others) {
      const plan = planOf({ ...wall('bag', 'front'), posts }, state);
      expect(plan.moves.map(({ to }) => to)).toEqual(
        expect.arrayContaining(['media/wall/morning+bag/1', 'media/wall/night+bag/2']),
      );
    }
  });

  it('keep to the product that had to leave its key', () => {
    const [a, b, c] = [{ photos: ['a'] }, { photos: ['b'] }, { photos: ['c'] }];
    const rows = (products: NonNullable<CampaignWords['products']>): CampaignWords => ({
      products,
      concepts: { morning: {} },
      posts: Object.fromEntries(
        Object.keys(products).map((key) => [`wall/${key}`, { items: [{ products: [key] }] }]),
      ),
    });
    const first = stateAfter(rows({ n1: a, n2: b }));
    const second = applied(planOf(rows({ n1: b }), first), first);
    expect([...second.media.keys()]).toEqual(['media/wall/n1/1', 'media/wall/n1+1/1']);
    const plan = planOf(rows({ n1: c, n2: b }), second);
    expect(plan.moves).toEqual([
      { from: 'product/n1', to: 'product/n2' },
      { from: 'media/wall/n1/1', to: 'media/wall/n2/1' },
    ]);
    const back = planOf(rows({ n1: b, n3: a }), second);
    expect(back.moves).toEqual([
      { from: 'product/n1+1', to: 'product/n3' },
      { from: 'media/wall/n1+1/1', to: 'media/wall/n3/1' },
    ]);
  });

  it('are new posts where nobody says so', () => {
    const plan = planOf(wall('bag', 'new'), stateAfter(before));
    expect(plan.moves).toEqual([]);
    expect(plan.newPosts).toBe(4);
    expect(plan.leftAlone).toHaveLength(5);
  });

  it('are told apart by the rest of their address where their items are the same', () => {
    const twins = (product: string, photo: string, names: readonly string[]): CampaignWords => ({
      ...wall(product, photo, MOVED),
      posts: Object.fromEntries(names.map((name) => [name, { items: [{ ...square, products: [product] }] }])),
    });
    const state = stateAfter({ ...twins('tote', 'front', ['a/tote', 'b/tote']), moved: [] });
    const plan = planOf(twins('bag', 'new', ['a/bag', 'b/bag']), state);
    expect(plan.moves).toEqual([
      ...MOVED,
      { from: 'media/a/tote/1', to: 'media/a/bag/1' },
      { from: 'media/b/tote/1', to: 'media/b/bag/1' },
    ]);
    expect(plan.leftAlone).toEqual([]);
  });
});

describe('an older take', () => {
  it('keeps its own name where the new one is of another type', () => {
    const hero = (type: 'image' | 'carousel') => ({
      ...before,
      posts: { hero: { items: [{ ...square, type }] } },
    });
    const state = stateAfter(hero('image'));
    const plan = planOf(hero('carousel'), state);
    const after = planOf(hero('carousel'), applied(plan, state));
    expect(after.fileMoves).toEqual([]);
    expect(outline(after)).toEqual([]);
  });
});
