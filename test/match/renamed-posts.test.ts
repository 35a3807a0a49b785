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
