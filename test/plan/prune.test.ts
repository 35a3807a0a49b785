/** What `--prune` deletes and what stays, each sentence of the contract once. */
import { describe, expect, it } from 'vitest';
import { isDeletion, type Plan } from '../../src/model/plan.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { Verdicts } from '../../src/model/verdict.ts';
import { type CampaignWords, heroOf } from '../support/campaign.ts';
import { BOTH, ONE, PRUNE, prunedPlan } from './prune-sample.ts';
import { after, applied, AT, type Ends, outline, planOf, stateAfter } from '../support/play-plan.ts';

const UUID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

/** What stays, by address. */
const stays = ({ deletions }: Plan) =>
  Object.fromEntries((deletions?.stays ?? []).map(({ address, why }) => [address, why]));
const deletes = (plan: Plan) => plan.nodes.listed.filter(isDeletion).map(({ address }) => address);

describe('prune', () => {
  it('deletes media configurations, then products and concepts that nothing uses any more', () => {
    const plan = prunedPlan(ONE);
    expect(outline(plan)).toEqual(['- media-config/side@1', '- concept/night', '- product/mug']);
    expect(plan.leftAlone).toEqual([]);
    const [request, concept, product] = plan.nodes.listed.filter(isDeletion);
    expect(request?.payload).toMatchObject({
      id: 'id of media-config/side@1',
      posts: ['media/side/b@1', 'media/side/c@1'],
    });
    expect([concept?.dependsOn, product?.dependsOn]).toEqual([
      ['media-config/side@1'],
      ['media-config/side@1'],
    ]);
    // Until everything else is gone, the last product shows that the service is well.
    expect(product?.after).toEqual(['media-config/side@1', 'concept/night']);
  });

  it('is never done unasked, and nothing of a plan changes without it', () => {
    const plan = planOf(ONE, stateAfter(BOTH));
    expect(outline(plan)).toEqual([]);
    expect(plan).not.toHaveProperty('deletions');
    expect(plan.leftAlone).toHaveLength(4);
  });

  it('leaves nothing behind that it would delete again, and forgets nothing of what the manifest names', () => {
    const state = applied(prunedPlan(ONE), stateAfter(BOTH));
    const again = prunedPlan(ONE, state);
    expect([outline(again), again.leftAlone, again.deletions]).toEqual([[], [], { stays: [], withheld: [] }]);
    expect([...state.media.keys()]).toEqual(['media/hero/a']);
    expect(state.requests.get('media-config/side@1')).toMatchObject({ deleted: true, requestedAt: AT });
    expect([...state.gone]).toEqual(['id of media/side/b@1', 'id of media/side/c@1']);
  });

  it.each<[string, Ends, string]>([
    ['pending', { 'media/side/b@1': 'open' }, 'it is pending'],
    ['unknown', { 'media-config/side@1': 'interrupted' }, 'it is unknown'],
    ['not downloaded yet', { 'download/side/b@1': 'failed' }, 'it is not downloaded yet'],
  ])('leaves posts that are %s, and what they use', (_, ends, why) => {
    const plan = prunedPlan(ONE, stateAfter(BOTH, ends));
    expect(deletes(plan)).toEqual([]);
    expect(stays(plan)).toMatchObject({
      'media/side/b': why,
      'media/side/c': expect.stringMatching(
        /unknown|media-config\/side@1 also made media\/side\/b/,
      ) as string,
      'product/mug': 'media-config/side@1 stays, and uses it',
      'concept/night': 'media-config/side@1 stays, and uses it',
    });
  });

  it('leaves approved posts alone, and their verdict is about their newest take', () => {
    const verdicts = (id: string): Verdicts =>
      new Map([[id, { verdict: 'approved', note: undefined, source: '#' } as never]]);
    const plan = prunedPlan(ONE, stateAfter(BOTH), { verdicts: verdicts('id of media/side/c@1') });
    expect(deletes(plan)).toEqual([]);
    expect(stays(plan)).toMatchObject({ 'media/side/c': 'it is approved' });
  });

  it('leaves a request of which the manifest names one post', () => {
    const words = {
      ...BOTH,
      posts: { ...BOTH.posts, side: { concept: 'night', items: [{ key: 'b', products: ['mug'] }] } },
    };
    const plan = prunedPlan(words);
    expect(deletes(plan)).toEqual([]);
    expect(stays(plan)).toEqual({ 'media/side/c': 'media-config/side@1 also made media/side/b' });
  });

  it('leaves what was imported, and what that uses', () => {
    const imports = (address: string, request?: object) =>
      ({ type: 'imported', at: AT, address, inputs: {}, fingerprint: '', ...request }) as StateEvent;
    const product = after(stateAfter(BOTH), imports('product/mug', { result: { id: 'id of product/mug' } }));
    expect(stays(prunedPlan(ONE, product))).toEqual({ 'product/mug': 'it was imported' });
    const made = product.requests.get('media-config/side@1');
    const renamed = { request: { ...made?.payload, n: 2 }, result: made?.result };
    const request = after(stateAfter(BOTH), imports('media-config/side@2', renamed), {
      type: 'generated',
      at: AT,
      address: 'media/side/b@2',
      result: { id: 'm', urls: [] },
    });
    const plan = prunedPlan(ONE, request, { outputs: false });
    expect(deletes(plan)).toEqual(['media-config/side@1']);
    expect(stays(plan)).toMatchObject({ 'product/mug': 'media-config/side@2 stays, and uses it' });
  });

  it('leaves what the manifest names by its id, for an object or in a post', () => {
    const state = after(stateAfter(BOTH), {
      type: 'resolved',
      at: AT,
      address: 'product/mug',
      decision: 'created',
      result: { id: UUID },
    });
    const named = { ...ONE, products: { ...ONE.products, cup: { id: UUID } } };
    const inPost = {
      ...ONE,
      posts: {
        hero: {
          items: [
            { key: 'a', products: ['tote'] },
            { key: 'z', products: [UUID] },
          ],
        },
      },
    };
    for (const words of [named, inPost]) {
      const plan = prunedPlan(words, state);
      expect(deletes(plan)).toEqual(['media-config/side@1', 'concept/night']);
      expect(stays(plan)).toEqual({ 'product/mug': 'the manifest names its id' });
    }
  });

  it('deletes older takes that a newer one has replaced, and never the newest one that is finished', () => {
    const state = stateAfter(heroOf({ key: 'a' }));
    const edit = heroOf({ key: 'a', ratio: '4:5' });
    const replaced = planOf(edit, state, PRUNE);
    expect(deletes(replaced)).toEqual([]);
    const twice = applied(replaced, state);
    expect(deletes(planOf(edit, twice, PRUNE))).toEqual(['media-config/hero@1']);
    for (const ends of [
      { 'media/hero/a@2': 'open' },
      { 'media/hero/a@2': 'failed' },
      { 'download/hero/a@2': 'failed' },
    ] as const)
      expect(deletes(planOf(edit, applied(replaced, state, ends), PRUNE))).toEqual([]);
    const failed = applied(replaced, state, { 'media/hero/a@2': 'failed' });
    expect(deletes(planOf(edit, failed, { ...PRUNE, outputs: false }))).toEqual([]);
  });

  it('asks for files only where they are wanted', () => {
    const state = stateAfter(BOTH, { 'download/side/b@1': 'failed', 'download/side/c@1': 'failed' });
    expect(deletes(prunedPlan(ONE, state, { outputs: false }))).toHaveLength(3);
  });

  it('deletes posts that failed, and does not look for them once more', () => {
    const state = stateAfter(BOTH, { 'media/side/b@1': 'failed' });
    const now = Date.parse(AT);
    expect(outline(planOf(ONE, state, { now }))).toEqual(['… media/side/b@1']);
    expect(outline(prunedPlan(ONE, state, { now }))).toEqual([
      '- media-config/side@1',
      '- concept/night',
      '- product/mug',
    ]);
  });

  it('keeps to --only and --exclude', () => {
    const only = (...globs: string[]) => ({ selection: { only: globs, exclude: [] } });
    expect(deletes(prunedPlan(ONE, stateAfter(BOTH), only('product/mug')))).toEqual([]);
    expect(deletes(prunedPlan(ONE, stateAfter(BOTH), only('media/side/*')))).toEqual(['media-config/side@1']);
    expect(
      deletes(prunedPlan(ONE, stateAfter(BOTH), { selection: { only: [], exclude: ['concept/night'] } })),
    ).toEqual(['media-config/side@1', 'product/mug']);
  });

  it('knows what a request was sent with, also where that has another name since', () => {
    const renamed: CampaignWords = {
      products: { tote: { photos: ['front'] }, cup: { photos: ['cup'] } },
      concepts: BOTH.concepts ?? {},
      posts: { side: { concept: 'night', items: [{ key: 'b', products: ['cup'] }] } },
    };
    const moved = applied(planOf(renamed, stateAfter(BOTH)), stateAfter(BOTH));
    const { products: _, ...without } = renamed;
    const plan = planOf({ ...without, products: { tote: { photos: ['front'] } }, posts: {} }, moved, {
      ...PRUNE,
      verdicts: new Map([['id of media/side/b@1', { verdict: 'approved' } as never]]),
    });
    expect(stays(plan)).toMatchObject({ 'product/cup': 'media-config/side@1 stays, and uses it' });
  });

  it('neither lists nor deletes settled periods', () => {
    const week = (name: string, day: string) => ({ name, day, every: 'week' as const });
    const words = (period: ReturnType<typeof week>): CampaignWords => ({
      ...ONE,
      posts: { hero: { period, items: [{ key: 'a', products: ['tote'] }] } },
    });
    const first = stateAfter(words(week('2026-w08', '2026-02-18')));
    const plan = planOf(words(week('2026-w09', '2026-02-25')), first, PRUNE);
    expect([deletes(plan), plan.leftAlone]).toEqual([[], []]);
  });

  it('is held until somebody agrees', () => {
    const plan = prunedPlan(ONE, stateAfter(BOTH), { replacements: 'hold' });
    expect(outline(plan)).toEqual([]);
    expect(plan.leftAlone).toHaveLength(4);
    expect(plan.deletions?.because).toBe('unasked');
    expect(plan.deletions?.withheld.map(({ address }) => address)).toEqual(deletes(prunedPlan(ONE)));
  });

  it('deletes nothing where there is more than --max-deletes allows, by default 10', () => {
    const limited = (maxDeletes: number) => prunedPlan(ONE, stateAfter(BOTH), { prune: { maxDeletes } });
    expect(limited(2).deletions?.because).toBe('too-many');
    expect(outline(limited(2))).toEqual([]);
    expect(outline(limited(3))).toHaveLength(3);
    const eleven = Array.from({ length: 11 }, (_, n) => [
      `q${n}`,
      { items: [{ key: 'a', products: ['tote'] }] },
    ]);
    const many = {
      ...ONE,
      posts: { ...ONE.posts, ...(Object.fromEntries(eleven) as CampaignWords['posts']) },
    };
    expect(prunedPlan(ONE, stateAfter(many)).deletions?.because).toBe('too-many');
  });

  it('deletes nothing where most known products are gone, until a number is said', () => {
    const products = { ...BOTH.products, bag: { photos: ['bag'] } };
    const state = stateAfter({ ...BOTH, products });
    expect(prunedPlan(ONE, state).deletions?.because).toBe('most-products-gone');
    expect(outline(prunedPlan(ONE, state, { prune: { maxDeletes: 10 } }))).toHaveLength(4);
  });

  it('finds its way back: what is named again is made anew, under a number that was never used', () => {
    const state = applied(prunedPlan(ONE), stateAfter(BOTH));
    expect(outline(planOf(BOTH, state))).toEqual([
      '+ product/mug',
      '+ concept/night',
      '+ media-config/side@2',
      '+ media/side/b@2',
      '+ media/side/c@2',
    ]);
    const numbered = (...ratios: string[]) => heroOf(...ratios.map((ratio) => ({ ratio })));
    const two = stateAfter(numbered('4:5'), {}, stateAfter(numbered('1:1')));
    expect([...two.media.keys()]).toEqual(['media/hero/1']);
    const gone = applied(planOf({ ...heroOf(), posts: {} }, two, PRUNE), two);
    expect(outline(planOf(numbered('9:16'), gone))).toEqual(['+ media-config/hero@3', '+ media/hero/2@3']);
  });

  it('sends all of a product once more that is named again after its deletion was interrupted', () => {
    const state = after(stateAfter(BOTH), { type: 'deleting', at: AT, address: 'product/mug' });
    const [node, ...others] = planOf(BOTH, state).nodes.listed;
    expect([node?.action, node?.address, others]).toEqual(['update', 'product/mug', []]);
    expect(node?.reasons[0]?.summary).toBe('the last update did not succeed: the deletion was interrupted');
    expect(deletes(prunedPlan(ONE, state))).toContain('product/mug');
  });

  it('leaves what somebody forgot, or gave up without an id', () => {
    const forgotten = after(
      stateAfter(BOTH),
      ...['b', 'c'].map((item) => ({ type: 'forgotten' as const, at: AT, address: `media/side/${item}` })),
    );
    expect(deletes(prunedPlan(ONE, forgotten))).toEqual([]);
    const unknown = stateAfter(BOTH, { 'media-config/side@1': 'unknown' });
    const skipped = after(unknown, {
      type: 'resolved',
      at: AT,
      address: 'media-config/side@1',
      decision: 'skipped',
    });
    const plan = prunedPlan(ONE, skipped);
    expect(deletes(plan)).toEqual([]);
    expect(stays(plan)).toMatchObject({ 'media/side/b': 'media-config/side@1 is skipped' });
  });

  it('deletes surplus posts with their request, and leaves them while one of them is approved or pending', () => {
    const surplus: CampaignWords = {
      ...BOTH,
      posts: { side: { concept: 'night', numberOfPosts: 2, items: [{ key: 'b', products: ['mug'] }] } },
    };
    const state = stateAfter(surplus);
    expect([...state.media.keys()]).toEqual(['media/side/b', 'media/side/1']);
    const without = { ...ONE, posts: {} };
    expect(stays(prunedPlan(without, state))).toMatchObject({
      'media/side/b': 'media-config/side@1 also made media/side/1',
    });
    const address = 'media/side/1@1';
    const fetched = after(
      state,
      { type: 'generated', at: AT, address, result: { id: 'm-9', urls: [] } },
      { type: 'downloaded', at: AT, address: 'download/side/1@1', result: { media: 'm-9', files: [] } },
    );
    expect(deletes(prunedPlan(without, fetched))).toContain('media-config/side@1');
    expect(deletes(prunedPlan(surplus, state))).toEqual([]);
  });
});
