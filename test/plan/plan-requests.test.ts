import { kindHas } from '../../src/model/kinds.ts';
import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { graphOf, heroOf } from '../support/campaign.ts';
import {
  after,
  applied,
  AT,
  downloads,
  outline,
  planOf,
  PROBLEM,
  stateAfter,
  listed,
} from '../support/play-plan.ts';

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const C = { descriptions: ['c'] };

describe('a request', () => {
  it('is for exactly the items without a kept result', () => {
    const plan = planOf(heroOf(A, B, C, { ...B, key: 'b' }), stateAfter(heroOf(A)));
    const request = listed(plan)[0];
    const items = graphOf(heroOf(A, B)).posts[0]?.items;
    expect(request).toMatchObject({
      address: 'media-config/hero@2',
      action: 'create',
      reasons: [],
      dependsOn: ['concept/morning', 'product/tote'],
      source: '#/posts/hero',
      payload: {
        post: 'hero',
        n: 2,
        concept: { address: 'concept/morning' },
        numberOfPosts: 3,
        nextItem: 4,
      },
    });
    if (!request || !kindHas(request, 'stored', 'request')) throw new Error('no request');
    expect(request.payload.items.map(({ item }) => item)).toEqual(['2', '3', 'b']);
    expect(request.payload.items[0]).toEqual({
      item: '2',
      fingerprint: items?.[1]?.fingerprint,
      inputs: items?.[1]?.inputs,
      payload: items?.[1]?.payload,
    });
  });

  it('brings its posts in, unless older takes of them are known or it waits for something', () => {
    const brings = (words: Parameters<typeof planOf>[0], state = emptyState()) =>
      planOf(words, state).nodes.listed.map((node) => `${node.kind} ${'takes' in node}`);
    expect(brings(heroOf(A)).slice(-1)).toEqual(['media-config true']);
    const edited = brings(heroOf(B), stateAfter(heroOf(A)));
    expect(edited).toEqual(['media-config false', 'media false', 'download false']);
    const stuck = stateAfter(heroOf(A), { 'product/tote': 'unknown' });
    expect(brings(heroOf(A), stuck)).toEqual(['media-config false', 'media false', 'download false']);
  });

  it('has its posts between itself and what follows, which the plan finds by their addresses', () => {
    const { nodes } = planOf(heroOf(A, B), emptyState());
    const all = [...nodes];
    const places = all.map(({ address }) => nodes.placed(address)?.place ?? NaN);
    expect(all.map(({ address }) => nodes.placed(address)?.node.address)).toEqual(
      all.map(({ address }) => address),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(all.length);
    expect(nodes.placed('media/hero/3@1')).toBeUndefined();
    expect(nodes.placed('upload/nowhere')).toBeUndefined();
  });

  it('leads to a medium and a download an item', () => {
    const [, medium, download] = listed(planOf(heroOf(A), emptyState())).slice(4);
    const place = { post: 'hero', item: '1', take: 1, request: 'media-config/hero@1' };
    expect(medium).toMatchObject({
      address: 'media/hero/1@1',
      kind: 'media',
      action: 'create',
      reasons: [{ summary: 'new' }],
      dependsOn: ['media-config/hero@1'],
      source: '#/posts/hero/items/0',
      payload: place,
      seen: false,
    });
    expect(download).toMatchObject({
      address: 'download/hero/1@1',
      kind: 'download',
      action: 'create',
      dependsOn: ['media/hero/1@1', 'media-config/hero@1'],
      payload: { ...place, path: 'out/hero/1-image', older: [] },
    });
  });

  it('has no downloads where nothing is to be written', () => {
    expect(downloads(planOf(heroOf(A), emptyState(), { outputs: false }))).toEqual([]);
  });

  it('depends on nothing where all is known by id', () => {
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const words = { posts: { hero: { concept: id, items: [{ products: [id] }] } } };
    expect(listed(planOf(words, emptyState()))[0]).toMatchObject({
      dependsOn: [],
      payload: { concept: { id } },
    });
  });

  it('names the files of older takes, so that they step aside', () => {
    const plan = planOf(heroOf(B), stateAfter(heroOf(A)));
    expect(listed(plan).at(-1)).toMatchObject({
      action: 'replace',
      payload: {
        take: 2,
        path: 'out/hero/1-image',
        older: [{ take: 1, files: [{ path: 'out/hero/1-image.png' }] }],
      },
    });
  });
});

describe('a request that did not succeed', () => {
  it.each(['rejected', 'not-sent'] as const)('is made anew where it was %s', (end) => {
    const state = stateAfter(heroOf(A, B), { 'media-config/hero@1': end });
    const plan = planOf(heroOf(A, B), state);
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/1@2', '+ media/hero/2@2']);
    expect(plan).toMatchObject({ failed: [], unknown: [], newPosts: 2 });
  });

  it.each(['unknown', 'interrupted'] as const)('is left to a person where it is %s', (end) => {
    const plan = planOf(heroOf(A, B), stateAfter(heroOf(A, B), { 'media-config/hero@1': end }));
    expect(outline(plan)).toEqual([]);
    expect(plan.unknown).toMatchObject([{ address: 'media-config/hero@1', counts: 2 }]);
    expect(plan.unchanged).toBe(4);
  });

  it('does not keep other items from being requested', () => {
    const plan = planOf(heroOf(A, B), stateAfter(heroOf(A), { 'media-config/hero@1': 'unknown' }));
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/2@2']);
    expect(plan.unknown).toHaveLength(1);
  });

  it('waits for what is blocked upstream, named once', () => {
    const words = heroOf(A);
    const state = stateAfter(words, { 'product/tote': 'unknown', 'concept/morning': 'unknown' });
    const plan = planOf(words, state);
    const waits = [{ summary: 'waits for concept/morning', address: 'concept/morning' }];
    expect(listed(plan).map(({ action, reasons }) => ({ action, reasons }))).toEqual([
      { action: 'blocked', reasons: waits },
      { action: 'blocked', reasons: waits },
      { action: 'blocked', reasons: waits },
    ]);
  });
});

describe('a generation that failed', () => {
  it.each(['failed', 'lost'] as const)('is noted and not requested again (%s)', (end) => {
    const plan = planOf(heroOf(A), stateAfter(heroOf(A), { 'media/hero/1@1': end }));
    expect(outline(plan)).toEqual([]);
    expect(plan.failed).toEqual([
      {
        address: 'media/hero/1',
        source: '#/posts/hero/items/0',
        counts: 1,
        problem: PROBLEM,
        recheck: 'media/hero/1@1',
        ...(end === 'lost' && { isGone: true }),
      },
    ]);
  });

  it('is requested again once its inputs changed, and after it was looked for', () => {
    const plan = planOf(heroOf(B), stateAfter(heroOf(A), { 'media/hero/1@1': 'failed' }));
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/1@2', '… media/hero/1@1']);
    expect(listed(plan)[0]?.after).toEqual(['media/hero/1@1']);
    expect(plan.failed).toEqual([]);
  });

  it('is kept where a person gave it up', () => {
    const failed = stateAfter(heroOf(A), { 'media/hero/1@1': 'failed' });
    const state = after(failed, { type: 'resolved', at: AT, address: 'media/hero/1@1', decision: 'skipped' });
    const plan = planOf(heroOf(A), state);
    expect(outline(plan)).toEqual([]);
    expect(plan).toMatchObject({ failed: [], unchanged: 5 });
  });
});

describe('replacements', () => {
  const state = stateAfter(heroOf(A, B));
  const edited = heroOf({ ...A, ratio: '4:5' }, B, C);

  it('go into one request with what is new', () => {
    const plan = planOf(edited, state);
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '-/+ media/hero/1@2', '+ media/hero/3@2']);
    expect(plan).toMatchObject({ newPosts: 2, held: [], unchanged: 5 });
  });

  it('can be held: the rest is requested', () => {
    const plan = planOf(edited, state, { replacements: 'hold' });
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '+ media/hero/3@2']);
    expect(plan).toMatchObject({ newPosts: 1, unchanged: 5 });
    expect(plan.held).toEqual([
      {
        address: 'media/hero/1',
        reasons: [
          {
            summary: 'changed',
            field: 'metadata.aspect_ratio',
            from: '1:1',
            to: '4:5',
            source: '#/posts/hero/items/0/metadata/aspect_ratio',
          },
        ],
        source: '#/posts/hero/items/0',
        again: { numberOfPosts: 1, items: [{ payload: { post_type: 'image' } }] },
        isKeepable: true,
      },
    ]);
  });

  it('that are held stay replacements', () => {
    const held = applied(planOf(edited, state, { replacements: 'hold' }), state);
    expect(outline(planOf(edited, held))).toEqual(['+ media-config/hero@3', '-/+ media/hero/1@3']);
  });

  it('goes without the items that show what is blocked, and the next one asks for them', () => {
    const words = {
      ...heroOf(),
      products: { tote: { photos: ['tote'] }, mug: { photos: ['mug'] } },
      posts: { hero: { items: [{ products: ['tote', 'mug'] }, { products: ['tote'] }] } },
    };
    const state = stateAfter(words, { 'product/mug': 'unknown' });
    const plan = planOf(words, state);
    expect(
      plan.nodes.filter(({ kind }) => kind !== 'download').map((node) => `${node.action} ${node.address}`),
    ).toEqual(['create media-config/hero@1', 'create media/hero/2@1', 'blocked media/hero/1@1']);
    expect([...plan.nodes][0]).toMatchObject({
      dependsOn: ['concept/morning', 'product/tote'],
      payload: { numberOfPosts: 1, items: [{ item: '2' }], nextItem: 3 },
    });
    expect([...plan.nodes].at(-1)?.reasons).toEqual([
      { summary: 'waits for product/mug', address: 'product/mug' },
    ]);
    expect(plan).toMatchObject({ newPosts: 1, unknown: [{ address: 'product/mug' }] });

    const made = applied(plan, state);
    const decided = after(made, {
      type: 'resolved',
      at: AT,
      address: 'product/mug',
      decision: 'not-created',
    });
    expect(outline(planOf(words, decided))).toEqual([
      '+ product/mug',
      '+ media-config/hero@2',
      '+ media/hero/3@2',
    ]);
    // The second item is known by the products that it shows: an edit of it is no first request.
    const edited = {
      ...words,
      posts: { hero: { items: [words.posts.hero.items[0] ?? {}, { products: ['tote'], ratio: '9:16' }] } },
    };
    expect(outline(planOf(edited, made, { replacements: 'hold' }))).toEqual([
      '! media-config/hero@2',
      '! media/hero/3@2',
    ]);
    expect(planOf(edited, made, { replacements: 'hold' }).held.map(({ address }) => address)).toEqual([
      'media/hero/2',
    ]);
  });
});
