import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { outputPath } from '../../src/model/output-path.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type CampaignWords, heroOf, OUTPUTS } from '../support/campaign.ts';
import {
  applied,
  AT,
  downloads,
  outline,
  planOf,
  PROBLEM,
  stateAfter,
  listed,
} from '../support/play-plan.ts';

const A = heroOf({ descriptions: ['a'] });
const B = heroOf({ descriptions: ['b'] });
const C = heroOf({ descriptions: ['c'] });

const olderOf = ({ nodes }: Plan) =>
  nodes.flatMap((node) => (node.kind === 'download' ? [node.payload.older] : []));
const moved = ({ fileMoves }: Plan) => fileMoves.map(({ address, from, to }) => `${address} ${from} → ${to}`);

describe('a pending post', () => {
  it('goes on being polled and downloaded', () => {
    const plan = planOf(A, stateAfter(A, { 'media/hero/1@1': 'open' }));
    const place = { post: 'hero', item: '1', take: 1, request: 'media-config/hero@1' };
    expect(listed(plan)).toMatchObject([
      {
        address: 'media/hero/1@1',
        kind: 'media',
        action: 'resume',
        reasons: [{ summary: `requested ${AT}` }],
        dependsOn: ['media-config/hero@1'],
        payload: place,
        seen: false,
      },
      {
        address: 'download/hero/1@1',
        kind: 'download',
        action: 'resume',
        dependsOn: ['media/hero/1@1', 'media-config/hero@1'],
        payload: { ...place, path: 'out/hero/1-image', older: [] },
      },
    ]);
    expect(plan).toMatchObject({ unchanged: 4, newPosts: 0, failed: [], unknown: [] });
  });

  it('remembers that the service has answered for it', () => {
    const plan = planOf(A, stateAfter(A, { 'media/hero/1@1': 'seen' }));
    expect(listed(plan)[0]).toMatchObject({ seen: true });
  });

  it('is only polled where nothing is written', () => {
    const plan = planOf(A, stateAfter(A, { 'media/hero/1@1': 'open' }), { outputs: false });
    expect(listed(plan).map(({ address }) => address)).toEqual(['media/hero/1@1']);
  });

  it('of a removed post is finished all the same', () => {
    const plan = planOf({ ...A, posts: {} }, stateAfter(A, { 'media/hero/1@1': 'open' }));
    expect(outline(plan)).toEqual(['… media/hero/1@1']);
    expect(downloads(plan)).toEqual(['… download/hero/1@1 out/hero/1-image']);
    expect(plan.leftAlone).toEqual(['media/hero/1']);
  });

  it('that was renamed meanwhile is still known to its request by its old name', () => {
    const kitchen = heroOf({ key: 'kitchen', descriptions: ['a'] });
    const cellar = heroOf({ key: 'cellar', descriptions: ['a'] });
    const plan = planOf(cellar, stateAfter(kitchen, { 'media/hero/kitchen@1': 'open' }));
    expect(plan.moves).toEqual([{ from: 'media/hero/kitchen', to: 'media/hero/cellar' }]);
    expect(listed(plan)).toMatchObject([
      { address: 'media/hero/cellar@1', payload: { item: 'cellar', requestedAs: 'kitchen' } },
      {
        address: 'download/hero/cellar@1',
        payload: { item: 'cellar', requestedAs: 'kitchen', path: 'out/hero/cellar-image' },
      },
    ]);
  });

  it('that this plan supersedes is finished under the name of an older take', () => {
    const plan = planOf(B, stateAfter(A, { 'media/hero/1@1': 'open' }));
    expect(outline(plan)).toEqual(['+ media-config/hero@2', '-/+ media/hero/1@2', '… media/hero/1@1']);
    expect(downloads(plan)).toEqual([
      '-/+ download/hero/1@2 out/hero/1-image',
      '… download/hero/1@1 out/hero/1-image.take1',
    ]);
  });

  it('that an earlier plan superseded is finished under the name of an older take', () => {
    const first = stateAfter(A, { 'media/hero/1@1': 'open' });
    const second = stateAfter(B, { 'media/hero/1@1': 'open', 'media/hero/1@2': 'open' }, first);
    const plan = planOf(B, second);
    expect(downloads(plan)).toEqual([
      '… download/hero/1@1 out/hero/1-image.take1',
      '… download/hero/1@2 out/hero/1-image',
    ]);
    expect(outline(planOf(B, applied(plan, second)))).toEqual([]);
  });

  it('makes the files of finished takes step aside', () => {
    const state = stateAfter(B, { 'media/hero/1@2': 'open' }, stateAfter(A));
    const plan = planOf(B, state);
    expect(olderOf(plan)).toMatchObject([[{ take: 1, files: [{ path: 'out/hero/1-image.png' }] }]]);
    expect(moved(plan)).toEqual([]);
    const end = applied(plan, state);
    expect(end.media.get('media/hero/1')?.takes.map(({ files }) => files?.[0]?.path)).toEqual([
      'out/hero/1-image.take1.png',
      'out/hero/1-image.png',
    ]);
    expect(moved(planOf(B, end))).toEqual([]);
  });
});

describe('a finished post without files', () => {
  it('is downloaded, with what kept it from that', () => {
    const plan = planOf(A, stateAfter(A, { 'download/hero/1@1': 'failed' }));
    expect(downloads(plan)).toEqual(['… download/hero/1@1 out/hero/1-image']);
    expect(listed(plan)).toMatchObject([
      {
        kind: 'download',
        reasons: [{ summary: PROBLEM.summary }],
        dependsOn: ['media/hero/1@1', 'media-config/hero@1'],
      },
    ]);
  });

  it('is downloaded once outputs are wanted', () => {
    const state = applied(planOf(A, stateAfter({}), { outputs: false }));
    expect(listed(planOf(A, state, { outputs: false }))).toEqual([]);
    expect(listed(planOf(A, state))).toMatchObject([
      { kind: 'download', action: 'resume', reasons: [{ summary: 'not downloaded yet' }] },
    ]);
  });

  it('is left where its generation failed', () => {
    expect(downloads(planOf(A, stateAfter(A, { 'media/hero/1@1': 'failed' })))).toEqual([]);
  });
});

describe('files that have another name now', () => {
  const renamed = { ...A, posts: { top: A.posts.hero } };

  it('move with their post', () => {
    const plan = planOf(renamed, stateAfter(A));
    expect(moved(plan)).toEqual(['download/top/1@1 out/hero/1-image.png → out/top/1-image.png']);
    expect(listed(plan)).toEqual([]);
  });

  it('move with the template', () => {
    const plan = planOf(A, stateAfter(A), { outputs: { ...OUTPUTS, dir: 'results' } });
    expect(moved(plan)).toEqual(['download/hero/1@1 out/hero/1-image.png → results/hero/1-image.png']);
  });

  it('move with their post, older takes too', () => {
    const state = stateAfter(C, {}, stateAfter(B, {}, stateAfter(A)));
    const plan = planOf({ ...C, posts: { top: C.posts.hero } }, state);
    expect(moved(plan)).toEqual([
      'download/top/1@1 out/hero/1-image.take1.png → out/top/1-image.take1.png',
      'download/top/1@2 out/hero/1-image.take2.png → out/top/1-image.take2.png',
      'download/top/1@3 out/hero/1-image.png → out/top/1-image.png',
    ]);
    expect(moved(planOf({ ...C, posts: { top: C.posts.hero } }, applied(plan, state)))).toEqual([]);
  });

  it('keep their name while a newer take has none', () => {
    const state = stateAfter(B, { 'media/hero/1@2': 'failed' }, stateAfter(A));
    expect(moved(planOf(B, state))).toEqual([]);
  });

  it('stay where nothing is written', () => {
    expect(moved(planOf(renamed, stateAfter(A), { outputs: false }))).toEqual([]);
  });

  it('of a post that the service made unasked are named after what it is', () => {
    const words = { ...A, posts: { hero: { ...A.posts.hero, numberOfPosts: 2 } } };
    expect(downloads(planOf(words, stateAfter(words)))).toEqual(['… download/hero/2@1 out/hero/2-image']);
  });
});

describe('a file that is named after what its post shows', () => {
  const outputs = {
    dir: 'out',
    name: '{post}/{product}-{season}-{ratio}',
    names: { matrix: { hero: [], grid: ['season'] }, keys: {} },
  };
  const words = (product: string, ratio: string): CampaignWords => ({
    products: { [product]: { photos: ['front'] } },
    concepts: { night: { description: 'Neon' } },
    posts: {
      hero: { concept: 'night', items: [{ products: [product], ratio }] },
      'grid/soft': { concept: 'night', items: [{ products: [product], ratio: '1:1' }] },
    },
  });
  const before = applied(planOf(words('tote', '4:5'), emptyState(), { outputs }));

  it('is called so from the beginning', () => {
    expect(downloads(planOf(words('tote', '4:5'), emptyState(), { outputs }))).toEqual([
      '+ download/hero/1@1 out/hero/tote-4x5',
      '+ download/grid/soft/1@1 out/grid/tote-soft-1x1',
    ]);
  });

  it('gets the new name of its product', () => {
    const plan = planOf(words('bag', '4:5'), before, { outputs });
    expect(outline(plan)).toEqual(['> product/tote → product/bag']);
    expect(moved(plan)).toEqual([
      'download/grid/soft/1@1 out/grid/tote-soft-1x1.png → out/grid/bag-soft-1x1.png',
      'download/hero/1@1 out/hero/tote-4x5.png → out/hero/bag-4x5.png',
    ]);
    expect(moved(planOf(words('bag', '4:5'), applied(plan, before), { outputs }))).toEqual([]);
  });

  it('keeps the name of what it shows while its edited post is left as it is, and as an older take', () => {
    const edited = words('tote', '9:16');
    expect(moved(planOf(edited, before, { outputs, replacements: 'hold' }))).toEqual([]);
    const plan = planOf(edited, before, { outputs });
    expect(downloads(plan)).toEqual(['-/+ download/hero/1@2 out/hero/tote-9x16']);
    expect(olderOf(plan)[0]).toMatchObject([{ take: 1, path: 'out/hero/tote-4x5.take1' }]);
  });

  it('stays where it is when its post plan, or a key of its matrix, is gone', () => {
    const gone = { ...words('tote', '4:5'), posts: {} };
    expect(moved(planOf(gone, before, { outputs: { ...outputs, names: { matrix: {}, keys: {} } } }))).toEqual(
      [],
    );
  });

  it('has the default name where it is not known what it shows', () => {
    const values = { post: 'hero', item: '3', postType: 'image', take: 1 };
    expect(outputPath(outputs, values)).toBe('out/hero/3-image');
    const known = {
      ...values,
      shown: () => ({ products: [{ id: 'u' }], concept: { id: 'c' }, ratio: '1:1' }),
    };
    expect(outputPath({ ...outputs, names: { ...outputs.names, keys: { u: 'tote' } } }, known)).toBe(
      'out/hero/tote-1x1',
    );
  });
});
