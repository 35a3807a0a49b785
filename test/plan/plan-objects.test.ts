import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { emptyState } from '../../src/log/fold.ts';
import { type CampaignWords, graphOf, heroOf, sha256, upload } from '../support/campaign.ts';
import {
  after,
  applied,
  AT,
  EVIDENCE,
  outline,
  planOf,
  PROBLEM,
  stateAfter,
  listed,
  plain,
} from '../support/play-plan.ts';

const TOTE: CampaignWords = { products: { tote: { photos: ['front', 'side'], description: 'Canvas' } } };
const MORNING: CampaignWords = { concepts: { morning: { description: 'Soft', refs: ['linen'] } } };

describe('a first plan', () => {
  it('uploads, creates and requests, dependencies first', () => {
    const plan = planOf(heroOf({}, { ratio: '4:5' }), emptyState());
    expect(outline(plan)).toEqual([
      '+ upload photos/front.jpg',
      '+ upload photos/side.jpg',
      '+ product/tote',
      '+ concept/morning',
      '+ media-config/hero@1',
      '+ media/hero/1@1',
      '+ media/hero/2@1',
    ]);
    expect(plan).toMatchObject({ unchanged: 0, newPosts: 2 });
  });

  it('hands over what a step needs', () => {
    const [front, , product] = planOf(TOTE, emptyState()).nodes;
    expect(front).toEqual({
      address: upload('front'),
      kind: 'upload',
      action: 'create',
      reasons: [{ summary: 'new' }],
      dependsOn: [],
      inputs: { sha256: sha256('front') },
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      source: '#/products/tote/images/0',
      payload: {
        file: 'photos/front.jpg',
        bytes: 1_500_000,
        sha256: sha256('front'),
        contentType: 'image/jpeg',
      },
    });
    expect(product).toEqual({
      address: 'product/tote',
      kind: 'product',
      action: 'create',
      reasons: [{ summary: 'new' }],
      dependsOn: [upload('front'), upload('side')],
      inputs: { description: 'Canvas', variant: 'plain', images: [sha256('front'), sha256('side')] },
      fingerprint: graphOf(TOTE).objects.get('product/tote')?.fingerprint,
      source: '#/products/tote',
      payload: {
        name: 'tote',
        description: 'Canvas',
        variant: 'plain',
        images: [{ upload: upload('front') }, { upload: upload('side') }],
      },
    });
  });

  it('leaves out what exists already', () => {
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const plan = planOf({ products: { mug: { id, photos: ['cup'] } } }, emptyState());
    expect(outline(plan)).toEqual([]);
  });
});

describe('an update', () => {
  it('of a product names the fields that changed, and the id', () => {
    const changed: CampaignWords = { products: { tote: { photos: ['new', 'side'], variant: 'worn' } } };
    const node = listed(planOf(changed, stateAfter(TOTE))).at(-1);
    expect(node).toMatchObject({
      action: 'update',
      id: 'id of product/tote',
      changed: ['description', 'images', 'variant'],
      reasons: [
        { summary: 'removed', field: 'description', from: 'Canvas', source: '#/products/tote/description' },
        {
          summary: 'changed',
          field: 'images[0]',
          from: sha256('front'),
          to: sha256('new'),
          source: '#/products/tote/images/0',
        },
        {
          summary: 'changed',
          field: 'variant',
          from: 'plain',
          to: 'worn',
          source: '#/products/tote/variant',
        },
      ],
    });
  });

  it('of a concept has no list of fields: it is put as a whole', () => {
    const changed: CampaignWords = { concepts: { morning: { description: 'Hard', refs: ['linen'] } } };
    const node = listed(planOf(changed, stateAfter(MORNING))).at(-1);
    expect(node).toMatchObject({ action: 'update', id: 'id of concept/morning' });
    expect(node).not.toHaveProperty('changed');
  });

  it('that failed is tried again from what exists', () => {
    const changed: CampaignWords = { concepts: { morning: { description: 'Hard', refs: ['linen'] } } };
    const state = stateAfter(changed, { 'concept/morning': 'failed' }, stateAfter(MORNING));
    const again = planOf(changed, state);
    expect(outline(again)).toEqual(['~ concept/morning']);
    expect(listed(again)[0]?.reasons).toMatchObject([
      { summary: 'the last update did not succeed: Said no' },
      { field: 'description', from: 'Soft', to: 'Hard' },
    ]);
  });

  it('that failed and was taken back is sent as a whole: nobody knows what the service has', () => {
    const changed: CampaignWords = { products: { tote: { photos: ['front', 'side'], description: 'Red' } } };
    const state = stateAfter(changed, { 'product/tote': 'failed' }, stateAfter(TOTE));
    const plan = planOf(TOTE, state);
    expect(outline(plan)).toEqual(['~ product/tote']);
    expect(listed(plan)[0]).not.toHaveProperty('changed');
  });

  it('that was interrupted is sent as a whole', () => {
    const state = after(stateAfter(TOTE), { type: 'updating', at: AT, address: 'product/tote' });
    expect(outline(planOf(TOTE, state))).toEqual(['~ product/tote']);
    const done = applied(planOf(TOTE, state), state);
    expect(plain(planOf(TOTE, done))).toMatchObject({ nodes: [], unchanged: 3 });
  });

  it('uploads only the photos that are not there', () => {
    const changed: CampaignWords = { products: { tote: { photos: ['front', 'side', 'back'] } } };
    expect(outline(planOf(changed, stateAfter(TOTE)))).toEqual([
      '+ upload photos/back.jpg',
      '~ product/tote',
    ]);
  });
});

describe('a photo whose URL is signed, so that the state does not hold it', () => {
  const signed = (address: string, url?: string): StateEvent => ({
    type: 'uploaded',
    at: AT,
    address,
    inputs: {},
    fingerprint: 'f',
    result: url === undefined ? {} : { url },
  });
  const state = after(stateAfter(TOTE), signed(upload('front')), signed(upload('side'), 'https://x/s?sig=1'));

  it('is left where it is as long as nothing needs it', () => {
    expect(plain(planOf(TOTE, state))).toMatchObject({ nodes: [], unchanged: 3 });
    const renamed: CampaignWords = { products: { tote: { photos: ['front', 'side'], description: 'Red' } } };
    expect(outline(planOf(renamed, state))).toEqual(['~ product/tote']);
  });

  it('is uploaded again, which costs nothing, for a product that is made or gets other images', () => {
    const changed: CampaignWords = { products: { tote: { photos: ['side', 'front'] } } };
    const plan = planOf(changed, state);
    expect(outline(plan)).toEqual([
      '+ upload photos/side.jpg',
      '+ upload photos/front.jpg',
      '~ product/tote',
    ]);
    expect(listed(plan)[0]?.reasons).toEqual([
      { summary: 'uploaded again: its URL is signed, and the state keeps none that is' },
    ]);
    const second: CampaignWords = { products: { ...TOTE.products, bag: { photos: ['front'] } } };
    expect(outline(planOf(second, state))).toEqual(['+ upload photos/front.jpg', '+ product/bag']);
  });

  it('is uploaded again for a concept that changed in anything: it is sent as a whole', () => {
    const words = (description: string): CampaignWords => ({
      concepts: { mood: { description, refs: ['front'] } },
    });
    const known = after(stateAfter(words('Soft')), signed(upload('front')));
    expect(listed(planOf(words('Soft'), known))).toEqual([]);
    expect(outline(planOf(words('Hard'), known))).toEqual(['+ upload photos/front.jpg', '~ concept/mood']);
  });
});

describe('a create that did not succeed', () => {
  it('is tried again where it was rejected, with the cause', () => {
    const state = stateAfter(TOTE, { 'product/tote': 'rejected' });
    const plan = planOf(TOTE, state);
    expect(outline(plan)).toEqual(['+ product/tote']);
    expect(listed(plan)[0]?.reasons).toEqual([{ summary: 'tried again: Said no' }]);
    expect(plan.unchanged).toBe(2);
  });

  it('is tried again where its upload failed', () => {
    const plan = planOf(TOTE, stateAfter(TOTE, { [upload('front')]: 'failed' }));
    expect(outline(plan)).toEqual(['+ upload photos/front.jpg', '+ product/tote']);
    expect(listed(plan).map(({ reasons }) => reasons)).toEqual([
      [{ summary: 'tried again: Said no' }],
      [{ summary: 'new' }],
    ]);
  });

  it.each(['unknown', 'interrupted'] as const)('is held back where it is %s', (end) => {
    const plan = planOf(heroOf({}), stateAfter(heroOf({}), { 'product/tote': end }));
    expect(outline(plan)).toEqual(['! media-config/hero@1', '! media/hero/1@1']);
    expect(listed(plan)[0]?.reasons).toEqual([
      { summary: 'waits for product/tote', address: 'product/tote' },
    ]);
    expect(plan.unknown).toMatchObject([{ address: 'product/tote', source: '#/products/tote', counts: 1 }]);
    expect(plan.newPosts).toBe(0);
  });

  it('keeps its evidence', () => {
    const state = stateAfter(TOTE, { 'product/tote': 'unknown' });
    expect(planOf(TOTE, state).unknown[0]?.evidence).toEqual(EVIDENCE);
  });

  it('is held back where a person gave it up, but is not unknown any more', () => {
    const unknown = stateAfter(heroOf({}), { 'concept/morning': 'unknown' });
    const state = after(unknown, {
      type: 'resolved',
      at: AT,
      address: 'concept/morning',
      decision: 'skipped',
    });
    const plan = planOf(heroOf({}), state);
    expect(outline(plan)).toEqual(['! media-config/hero@1', '! media/hero/1@1']);
    expect(plan.unknown).toEqual([]);
  });

  it('that was given up is made after all once it changes', () => {
    const state = after(stateAfter(TOTE, { 'product/tote': 'unknown' }), {
      type: 'resolved',
      at: AT,
      address: 'product/tote',
      decision: 'skipped',
    });
    expect(plain(planOf(TOTE, state))).toMatchObject({
      nodes: [],
      failed: [{ address: 'product/tote', problem: { summary: 'given up by `resolve --skip`' } }],
    });
    const changed: CampaignWords = { products: { tote: { photos: ['front', 'side'], description: 'Red' } } };
    expect(outline(planOf(changed, state))).toEqual(['+ product/tote']);
  });

  it('is unknown as well when the manifest no longer names it', () => {
    const state = stateAfter(TOTE, { 'product/tote': 'unknown' });
    expect(planOf({}, state).unknown).toEqual([{ address: 'product/tote', counts: 1, evidence: EVIDENCE }]);
  });

  it('is sent again where on_unknown says so, and only for that kind', () => {
    const words = { ...TOTE, ...MORNING };
    const state = stateAfter(words, { 'product/tote': 'unknown', 'concept/morning': 'unknown' });
    const plan = planOf(words, state, { retryUnknown: ['product'] });
    expect(outline(plan)).toEqual(['+ product/tote']);
    expect(listed(plan)[0]?.reasons).toEqual([
      { summary: 'sent again though the last outcome is unknown (on_unknown: retry)' },
    ]);
    expect(plan.unknown.map(({ address }) => address)).toEqual(['concept/morning']);
    expect(outline(planOf(words, applied(plan, state), { retryUnknown: ['product'] }))).toEqual([]);
  });

  it('goes on once a person said what became of it', () => {
    const unknown = stateAfter(TOTE, { 'product/tote': 'unknown' });
    const resolved = { type: 'resolved' as const, at: AT, address: 'product/tote' };
    const made = after(unknown, { ...resolved, decision: 'created', result: { id: 'p' } });
    expect(outline(planOf(TOTE, made))).toEqual([]);
    const notMade = after(unknown, { ...resolved, decision: 'not-created' });
    expect(outline(planOf(TOTE, notMade))).toEqual(['+ product/tote']);
  });
});

describe('what the manifest no longer names', () => {
  it('is left alone and listed, uploads not', () => {
    const plan = planOf({}, stateAfter(heroOf({})));
    expect(outline(plan)).toEqual([]);
    expect(plan.leftAlone).toEqual(['product/tote', 'concept/morning', 'media/hero/1']);
  });

  it('is not listed where nothing exists of it', () => {
    const state = after(emptyState(), {
      type: 'failed',
      at: AT,
      address: 'product/tote',
      problem: PROBLEM,
    });
    expect(planOf({}, state).leftAlone).toEqual([]);
  });
});
