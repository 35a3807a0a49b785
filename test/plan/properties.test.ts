/** Rules that hold for every campaign: random small manifests and random edits of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { orderState } from '../../src/log/fold-state.ts';
import type { Plan } from '../../src/model/plan.ts';
import { acceptHeld } from '../../src/plan/accept.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import {
  after,
  applied,
  AT,
  draftOf,
  type End,
  type Ends,
  planOf,
  stateAfter,
  listed,
  plain,
} from '../support/play-plan.ts';
import { IS_FULL } from '../sweep/stride.ts';

const KEYS = ['tote', 'mug', 'cap'];
const MOODS = ['morning', 'night'];
const SEEDED = { numRuns: IS_FULL ? 100 : 40, seed: 20_260_101 };

const product = fc.record(
  {
    photos: fc.array(fc.constantFrom('front', 'side', 'https://cdn.example/1.jpg'), {
      minLength: 1,
      maxLength: 3,
    }),
    description: fc.constantFrom('Canvas', 'Stoneware'),
  },
  { requiredKeys: ['photos'] },
);
const concept = fc.record({ description: fc.constantFrom('Soft', 'Hard') }, { requiredKeys: [] });
const item = fc.record(
  {
    products: fc.subarray(KEYS, { minLength: 1 }),
    type: fc.constantFrom('image', 'carousel'),
    ratio: fc.constantFrom('1:1', '4:5'),
    descriptions: fc.array(fc.constantFrom('a', 'b'), { maxLength: 1 }),
  },
  { requiredKeys: ['products'] },
);

/** Some items get a key, each another one. */
const items = fc
  .array(fc.tuple(item, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.map(([words, hasKey], index): ItemWords => (hasKey ? { ...words, key: `k${index}` } : words)),
  );
const post = fc.record(
  { concept: fc.constantFrom(...MOODS), items, numberOfPosts: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: ['concept', 'items'] },
);
const campaign: fc.Arbitrary<CampaignWords> = fc.record({
  products: fc.record({ tote: product, mug: product, cap: product }),
  concepts: fc.record({ morning: concept, night: concept }),
  posts: fc.dictionary(fc.constantFrom('hero', 'grid/a', 'grid/b', 'top'), post, { maxKeys: 3 }),
});

/** Applies until nothing is left to do: posts that the service made unasked are finished by the next run. */
function settled(words: CampaignWords, before: FoldState = emptyState()): FoldState {
  const state = stateAfter(words, {}, before);
  return stateAfter(words, {}, state);
}

function shuffled(words: CampaignWords, seed: number): CampaignWords {
  const turn = <T>(list: readonly T[]) => {
    const by = seed % Math.max(1, list.length);
    return [...list.slice(by), ...list.slice(0, by)].reverse();
  };
  const members = <T>(record: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries(turn(Object.entries(record)));
  const posts = Object.entries(words.posts ?? {}).map(([path, words]) => [
    path,
    { ...words, items: turn(words.items) },
  ]);
  return {
    products: members(words.products),
    concepts: members(words.concepts),
    posts: members(Object.fromEntries(posts) as NonNullable<CampaignWords['posts']>),
  };
}

/** Files that move change places within their post where a post moves by way of another name. */
function inOrder(plan: Plan) {
  const fileMoves = plan.fileMoves.toSorted(({ from: a }, { from: b }) => (a < b ? -1 : 1));
  return { ...plain(plan), fileMoves };
}

const nothing = { nodes: [], moves: [], fileMoves: [], newPosts: 0, failed: [], unknown: [], held: [] };

describe('for every campaign', () => {
  it('a plan after an apply says nothing', () => {
    fc.assert(
      fc.property(campaign, (words) => {
        const plan = planOf(words, settled(words));
        expect(plain(plan)).toMatchObject({ ...nothing, leftAlone: [] });
      }),
      SEEDED,
    );
  });

  it('an edit is applied once', () => {
    fc.assert(
      fc.property(campaign, campaign, (before, after) => {
        const state = settled(after, settled(before));
        expect(plain(planOf(after, state))).toMatchObject(nothing);
      }),
      SEEDED,
    );
  });

  it('no address means two requests, whatever is edited', () => {
    fc.assert(
      fc.property(fc.array(campaign, { minLength: 2, maxLength: 4 }), (edits) => {
        let state = emptyState();
        for (const words of edits) {
          const plan = planOf(words, state);
          for (const { address, kind } of plan.nodes) {
            if (kind === 'media-config') expect(state.requests.has(address)).toBe(false);
          }
          expect(new Set(listed(plan).map(({ address }) => address)).size).toBe(listed(plan).length);
          state = applied(plan, state);
        }
      }),
      SEEDED,
    );
  });

  it('another order of products, concepts, posts and items sends nothing', () => {
    fc.assert(
      fc.property(campaign, fc.nat(10), (words, seed) => {
        const plan = planOf(shuffled(words, seed), settled(words));
        expect(plain(plan)).toMatchObject(nothing);
      }),
      SEEDED,
    );
  });

  it('two plans of one state are the same, byte for byte, and leave it as it was', () => {
    fc.assert(
      fc.property(campaign, campaign, (before, after) => {
        const state = settled(before);
        const copy = structuredClone(state);
        expect(JSON.stringify(planOf(after, state))).toBe(JSON.stringify(planOf(after, copy)));
        expect(state).toEqual(copy);
      }),
      SEEDED,
    );
  });

  it('a plan that accepts an edit is the plan after the edit was accepted', () => {
    fc.assert(
      fc.property(campaign, campaign, (before, edited) => {
        const state = settled(before);
        orderState(state);
        const { draft, events } = acceptHeld(draftOf(edited, state), AT);
        const later = after(state, ...events);
        orderState(later);
        const held = planOf(edited, later, { replacements: 'hold' });
        expect(inOrder(finishPlan(draft, 'hold'))).toEqual(inOrder(held));
      }),
      SEEDED,
    );
  });

  it('every node comes after all it depends on', () => {
    fc.assert(
      fc.property(campaign, campaign, (before, after) => {
        const state = settled(before);
        const plan = planOf(after, state);
        const later = new Set(listed(plan).map(({ address }) => address));
        for (const { address, dependsOn } of plan.nodes) {
          later.delete(address);
          for (const upstream of dependsOn) expect(later.has(upstream)).toBe(false);
        }
      }),
      SEEDED,
    );
  });

  it('what failed halfway is neither paid twice nor forgotten', () => {
    const ends = fc.array(fc.constantFrom<End | undefined>(undefined, 'failed', 'open', 'seen', 'lost'));
    fc.assert(
      fc.property(campaign, ends, (words, picks) => {
        const plan = planOf(words, emptyState());
        const media = plan.nodes.filter(({ kind }) => kind === 'media');
        const chosen = media.flatMap(({ address }, index): [string, End][] => {
          const end = picks[index];
          return end ? [[address, end]] : [];
        });
        const byEnd: Ends = Object.fromEntries(chosen);
        const again = planOf(words, applied(plan, emptyState(), byEnd));
        const open = chosen.filter(([, end]) => end === 'open' || end === 'seen');
        expect(again.newPosts).toBe(0);
        expect(again.failed).toHaveLength(chosen.length - open.length);
        const resumed = again.nodes.filter(({ kind }) => kind === 'media').map(({ address }) => address);
        expect(resumed).toEqual(expect.arrayContaining(open.map(([address]) => address)));
      }),
      SEEDED,
    );
  });
});
