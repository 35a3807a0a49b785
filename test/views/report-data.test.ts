import { describe, expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { GENERATION_FAILED } from '../../src/model/problem.ts';
import type { RunState, TakeState } from '../../src/model/run-state.ts';
import { type Verdicts, NO_VERDICTS } from '../../src/model/verdict.ts';
import { draftPlan } from '../../src/plan/draft-plan.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { idKey } from '../../src/util/id-key.ts';
import { coverageOf } from '../../src/views/coverage.ts';
import { makeReportData } from '../../src/views/make-report-data.ts';
import { collectPictures } from '../../src/views/report-pictures.ts';
import { type CampaignWords, graphOf, OUTPUTS } from '../support/campaign.ts';
import { NO_SCREENS } from '../support/no-screens.ts';
import { stateAfter } from '../support/play-plan.ts';

const HEAD = {
  campaign: 'small',
  environment: 'production',
  service: 'visuals.example.com',
  manifest: 'm.yaml',
  decisionsFile: 'm.production.decisions.yaml',
  madeAt: '2026-03-01T00:00:00.000Z',
  currency: 'EUR',
};

function reportOf(words: CampaignWords, state: RunState, verdicts: Verdicts = NO_VERDICTS) {
  const graph = graphOf(words);
  const now = Date.parse(HEAD.madeAt);
  const draft = draftPlan({ graph, state, outputs: OUTPUTS, now, verdicts });
  const known = { plan: finishPlan(draft, 'make'), verdicts };
  return makeReportData({
    head: HEAD,
    screens: NO_SCREENS,
    graph,
    state,
    known,
    matched: draft.matched,
    coverage: coverageOf(graph, state, known),
    priceOf: (type) => (type === 'image' ? 0.1 : null),
    placeOf: (source) => (source === undefined ? null : `m.yaml:${source}`),
    pictures: collectPictures((file) => `../${file}`),
  });
}

function changeTakes(
  { media }: ReturnType<typeof stateAfter>,
  address: string,
  changed: (take: TakeState) => TakeState,
): void {
  const known = media.get(address);
  if (known) media.set(address, { ...known, takes: known.takes.map(changed) });
}

const WORDS = {
  products: { tote: { photos: ['front', 'side'], name: 'To\u202Ete\u0000' }, mug: { photos: ['front'] } },
  concepts: { morning: {} },
  posts: {
    hero: {
      concept: 'morning',
      items: [
        { key: 'kitchen', products: ['tote'], ratio: '4:5', descriptions: ['On the table'] },
        { key: 'film', type: 'video', products: ['mug'], ratio: '9:16' },
      ],
    },
    grid: { concept: 'morning', items: [{ products: ['mug', 'tote', 'mug'], ratio: '1:1' }] },
  },
} satisfies CampaignWords;

describe('the data of a report', () => {
  it('before the first run: every post is missing, and has no take', () => {
    const { data, sources } = reportOf(WORDS, emptyState());
    expect(data.posts.map(({ address, status, takes }) => [address, status, takes])).toEqual([
      ['media/hero/kitchen', 'missing', []],
      ['media/hero/film', 'missing', []],
      ['media/grid/1', 'missing', []],
    ]);
    expect(data.counts).toMatchObject({ posts: 3, done: 0, missing: 3, undecided: 0 });
    // A photo that two products share is one picture.
    expect(data.products).toEqual([
      { key: 'tote', name: 'Tote', photos: [0, 1] },
      { key: 'mug', name: 'mug', photos: [0] },
    ]);
    expect(sources.map(({ file, from }) => [file, from])).toEqual([
      ['photos/front.jpg', 'photo'],
      ['photos/side.jpg', 'photo'],
    ]);
  });

  it('has each post with its take, its decision, its cause and its place', () => {
    const state = stateAfter(WORDS, { 'media/hero/film@1': 'failed' });
    const [kitchen] = state.media.get('media/hero/kitchen')?.takes ?? [];
    const media = kitchen?.result?.id ?? '';
    const at = '2026-02-28T10:00:00Z';
    const verdict = { verdict: 'rejected', note: 'handle\ncut', by: 'anna', at, source: '' } as const;
    const { data, sources } = reportOf(WORDS, state, new Map([[idKey(media), verdict]]));
    const { posts, counts, concepts } = data;
    expect(posts[0]).toEqual({
      address: 'media/hero/kitchen',
      plan: 'hero',
      product: 'tote',
      concept: 'morning',
      alsoShows: [],
      ratio: '4:5',
      type: 'image',
      status: 'done',
      outOfDate: false,
      wanted: true,
      caption: 'On the table',
      alsoSays: [],
      cost: 0.1,
      cause: null,
      at: posts[0]?.at,
      takes: [
        {
          media,
          take: 1,
          made: kitchen?.settledAt,
          pictures: [0],
          // As it is written: the page writes it back.
          decision: { verdict: 'rejected', note: 'handle\ncut', by: 'anna', at },
        },
      ],
    });
    expect(posts[0]?.at).toMatch(/^m\.yaml:.*hero/);
    expect(posts[1]).toMatchObject({ status: 'failed', type: 'video', cost: null, takes: [] });
    expect(posts[1]?.cause).toBe('Said no: The service said no.');
    expect(counts).toMatchObject({ posts: 3, done: 2, failed: 1, rejected: 1, undecided: 1 });
    expect(concepts).toEqual([{ key: 'morning', name: 'morning' }]);
    const file = kitchen?.files?.[0];
    expect(sources[0]).toEqual({
      file: file?.path,
      sha256: file?.sha256,
      contentType: file?.contentType,
      bytes: file?.bytes,
      from: 'output',
      written: kitchen?.downloadedAt,
    });
    expect(data.pictures[0]).toMatchObject({ path: `../${file?.path}`, kind: 'image', problem: null });
  });

  it('says why as the terminal does behind the word `failed`: what the service said, and no more', () => {
    const state = stateAfter(WORDS, { 'media/hero/film@1': 'failed' });
    const problem = { summary: GENERATION_FAILED, detail: 'Status failed: It is too dark.' };
    changeTakes(state, 'media/hero/film', (take) => ({ ...take, problem }));
    expect(reportOf(WORDS, state).data.posts[1]?.cause).toBe('It is too dark.');
  });

  it('tells what is generated and not downloaded apart from what is pending', () => {
    const state = stateAfter(WORDS, { 'download/hero/kitchen@1': 'open', 'media/hero/film@1': 'open' });
    // No attempt has failed yet.
    changeTakes(state, 'media/hero/kitchen', (take) => {
      const { problem: _, ...other } = take;
      return other;
    });
    const { posts, counts } = reportOf(WORDS, state).data;
    expect(posts.map(({ status }) => status)).toEqual(['to_download', 'pending', 'done']);
    expect(counts).toMatchObject({ done: 1, pending: 2, to_download: 1 });
  });

  it('lists what the manifest no longer names behind the others, with what the state knows of it', () => {
    const { hero } = WORDS.posts;
    const state = stateAfter(WORDS);
    const { posts, counts } = reportOf({ ...WORDS, posts: { hero } }, state).data;
    expect(counts).toMatchObject({ posts: 2, done: 2 });
    expect(posts.map(({ address, wanted, status }) => [address, wanted, status])).toEqual([
      ['media/hero/kitchen', true, 'done'],
      ['media/hero/film', true, 'done'],
      ['media/grid/1', false, 'done'],
    ]);
    expect(posts[2]).toMatchObject({
      product: 'mug',
      alsoShows: ['tote'],
      concept: 'morning',
      ratio: '1:1',
      at: null,
    });
    expect(posts[2]?.takes).toHaveLength(1);
  });
});
