import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { describe, expect, it } from 'vitest';
import type { Quote } from '../../src/render/failure-text.ts';
import { statusLines } from '../../src/render/status-text.ts';
import { type Coverage, coverageOf } from '../../src/views/coverage.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';
import { type CampaignWords, graphOf, heroOf } from '../support/campaign.ts';
import { PLAIN } from '../support/plain-style.ts';
import { coverageOfPlans, NO_POSTS } from '../support/status-samples.ts';
import { after, applied, AT, EVIDENCE, planGraph, PROBLEM, stateAfter } from '../support/play-plan.ts';

function coverage(words: CampaignWords, state: FoldState) {
  const graph = graphOf(words);
  return coverageOf(graph, state, { plan: planGraph(graph, state), verdicts: NO_VERDICTS });
}

/** The manifest as far as it was ever written. */
const quote: Quote = (source) =>
  source === '#/posts/hero/items/0'
    ? {
        position: { file: 'campaign.yaml', line: 7, column: 9, length: 10 },
        sourceLine: '      - { key: a }',
      }
    : undefined;

const CAMPAIGN = { quote, target: 'm.yaml' };

const statusText = (found: Coverage, room: { columns?: number; lines?: number } = {}) =>
  `${statusLines({ coverage: found }, CAMPAIGN, { columns: 200, lines: 100, style: PLAIN, ...room }).join('\n')}\n`;

const A = { descriptions: ['a'] };
const B = { descriptions: ['b'] };
const C = { descriptions: ['c'] };

const SENT_AT = '2026-01-01T00:00:00.000Z';

describe('the coverage of a campaign', () => {
  it('tells posts by what has become of them', () => {
    const words = { ...heroOf(A, B, C), products: { tote: {}, mug: {} } };
    const all = {
      ...words,
      posts: { ...words.posts, cups: { items: [{ products: ['mug'] }] }, 'grid/a': { items: [A, C] } },
    };
    const state = stateAfter(all, {
      'product/mug': 'unknown',
      'media/hero/1@1': 'failed',
      'media/hero/2@1': 'open',
      'media-config/grid/a@1': 'unknown',
    });
    const found = coverage(all, state);
    expect(found).toEqual({
      posts: 6,
      done: 1,
      outdated: 0,
      pending: 1,
      to_download: 0,
      failed: 1,
      unknown: 3,
      approved: 0,
      rejected: 0,
      undecided: 1,
      given_up: 0,
      missing: 1,
      blocked: 1,
      kept: 0,
      files_missing: 0,
      post_plans: [
        { post_plan: 'hero', instances: 1, ...NO_POSTS, items: 3, done: 1, pending: 1, failed: 1 },
        { post_plan: 'cups', instances: 1, ...NO_POSTS, items: 1, missing: 1, blocked: 1 },
        { post_plan: 'grid', instances: 1, ...NO_POSTS, items: 2, unknown: 2 },
      ],
      by_post: [
        { post: 'hero', ...NO_POSTS, items: 3, done: 1, pending: 1, failed: 1 },
        { post: 'cups', ...NO_POSTS, items: 1, missing: 1, blocked: 1 },
        { post: 'grid/a', ...NO_POSTS, items: 2, unknown: 2 },
      ],
      open: [
        { address: 'media/hero/1', status: 'failed', problem: PROBLEM, source: '#/posts/hero/items/0' },
        {
          address: 'product/mug',
          status: 'unknown',
          problem: {
            summary: EVIDENCE.summary,
            look_for: { kind: 'product', name: 'mug', sent_at: SENT_AT },
          },
          source: '#/products/mug',
        },
        {
          address: 'media-config/grid/a@1',
          status: 'unknown',
          problem: {
            summary: EVIDENCE.summary,
            look_for: {
              kind: 'media-config',
              concept: 'morning',
              concept_id: 'id of concept/morning',
              posts: 2,
              formats: ['image 1:1'],
              products: ['tote'],
              captions: ['a', 'c'],
              sent_at: SENT_AT,
            },
          },
          source: '#/posts/grid',
        },
      ],
    });
    expect(`\n${statusText(found)}`).toBe(`
  ✗ hero  1/3  1 pending, 1 failed
  … cups  0/1  1 blocked
  ✗ grid  0/2  2 unknown

error: Said no [media-failed]
  at campaign.yaml:7:9
    |
  7 |       - { key: a }
    |         ^^^^^^^^^^
  The service said no.
  media/hero/1
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve m.yaml media/hero/1 --skip\` gives it up.

error: No answer [product-unknown]
  product/mug
  Look for the product "mug", sent 2026-01-01 00:00:00 UTC.
  It may exist at the service. Decide: \`campaign resolve m.yaml product/mug\` asks, or takes --id UUID, --not-created or --skip.

error: No answer [media-config-unknown]
  media-config/grid/a@1
  Look for a request (media configuration) of the concept "morning" (id of concept/morning) with 2 posts (image 1:1), showing "tote", with the texts "a", "c", sent 2026-01-01 00:00:00 UTC.
  It may exist at the service. Decide: \`campaign resolve m.yaml media-config/grid/a@1\` asks, or takes --id UUID, --not-created or --skip.

1 of 6 posts done, 1 pending, 1 failed, 3 unknown, 1 blocked.
`);
  });

  it('is nothing before the first run', () => {
    const found = coverage(heroOf(A, B), emptyState());
    expect(found).toMatchObject({ posts: 2, done: 0, missing: 2, open: [] });
    expect(statusText(found)).toBe('  … hero  0/2  2 to request\n\n0 of 2 posts done, 2 to request.\n');
  });

  it('is whole where all is done', () => {
    const text = statusText(coverage(heroOf(A), stateAfter(heroOf(A))));
    expect(text).toBe('  ✓ hero  1/1\n\n1 of 1 posts done.\n');
  });

  it('counts what is made but no longer as the manifest asks as done and out of date', () => {
    const found = coverage(heroOf(B), stateAfter(heroOf(A)));
    expect(found).toMatchObject({ posts: 1, done: 1, outdated: 1, missing: 0 });
  });

  it('counts what is out of date at its post', () => {
    const before = { ...heroOf(), posts: { hero: { items: [A, B] }, 'grid/a': { items: [A, C] } } };
    const edited = { items: [A, { descriptions: ['edited'] }] };
    const after = { ...before, posts: { ...before.posts, 'grid/a': edited } };
    const found = coverage(after, stateAfter(before));
    expect(found.by_post.map(({ post, outdated }) => [post, outdated])).toEqual([
      ['hero', 0],
      ['grid/a', 1],
    ]);
  });

  it('does not count what the manifest no longer names', () => {
    const found = coverage(heroOf(A), stateAfter(heroOf(A, B, C)));
    expect(found).toMatchObject({ posts: 1, done: 1, missing: 0 });
  });

  it('does not count what the service made unasked', () => {
    const words = { ...heroOf(), posts: { hero: { items: [A], numberOfPosts: 3 } } };
    expect(coverage(words, stateAfter(words))).toMatchObject({ posts: 1, done: 1, pending: 0 });
  });

  it('follows what moves', () => {
    const state = stateAfter({ ...heroOf(), posts: { hero: { items: [A, B] }, top: { items: [C] } } });
    const found = coverage({ ...heroOf(), posts: { hero: { items: [A] }, top: { items: [C, B] } } }, state);
    expect(found.by_post.map(({ post, done }) => [post, done])).toEqual([
      ['hero', 1],
      ['top', 2],
    ]);
  });

  it('shows a post whose file failed as failed, above the error that says so', () => {
    const found = coverage(heroOf(A, B), stateAfter(heroOf(A, B), { 'download/hero/1@1': 'failed' }));
    expect(found).toMatchObject({ posts: 2, done: 1, failed: 1, pending: 0 });
    expect(`\n${statusText(found)}`).toBe(`
  ✗ hero  1/2  1 failed

error: Said no [download-failed]
  at campaign.yaml:7:9
    |
  7 |       - { key: a }
    |         ^^^^^^^^^^
  The service said no.
  download/hero/1
  The post is generated, only its file is missing: the next run fetches it.

1 of 2 posts done, 1 failed.
`);
  });

  it('tells a post of which only the file is missing apart from those that are being generated', () => {
    const state = after(stateAfter(heroOf(A), { 'media/hero/1@1': 'open' }), {
      type: 'generated',
      at: AT,
      address: 'media/hero/1@1',
      result: { id: 'm', urls: ['https://files/1.png'] },
    });
    expect(statusText(coverage(heroOf(A), state))).toBe(
      '  … hero  0/1  1 to download\n\n0 of 1 posts done, 1 to download.\n',
    );
  });

  it('takes a post that was generated as done where no file is wanted', () => {
    const graph = graphOf(heroOf(A));
    const options = { outputs: false } as const;
    const state = applied(planGraph(graph, emptyState(), options));
    const found = coverageOf(graph, state, { plan: planGraph(graph, state, options), verdicts: NO_VERDICTS });
    expect(found).toMatchObject({ posts: 1, done: 1, pending: 0, failed: 0 });
  });

  it('does not call a post done that was given up, and nothing of it is open', () => {
    const pending = stateAfter(heroOf(A, B), { 'media/hero/1@1': 'open' });
    const state = after(pending, {
      type: 'resolved',
      at: AT,
      address: 'media/hero/1@1',
      decision: 'skipped',
    });
    const found = coverage(heroOf(A, B), state);
    expect(found).toMatchObject({
      posts: 2,
      done: 1,
      pending: 0,
      failed: 0,
      given_up: 1,
      missing: 0,
      open: [],
    });
    expect(statusText(found)).toBe('  ✓ hero  1/2  1 given up\n\n1 of 2 posts done, 1 given up.\n');
  });

  it('says of a product that was given up what waits for it, and promises no further try', () => {
    const words = { ...heroOf(A), products: { tote: {} } };
    const state = after(stateAfter(words, { 'product/tote': 'unknown' }), {
      type: 'resolved',
      at: AT,
      address: 'product/tote',
      decision: 'skipped',
    });
    expect(statusText(coverage(words, state))).toBe(`  … hero  0/1  1 blocked

error: given up by \`resolve --skip\` [product-skipped]
  What builds on it waits until it changes, or until \`campaign resolve\` decides otherwise.
  product/tote

0 of 1 posts done, 1 blocked.
`);
  });
});

describe('a status of many nodes', () => {
  /** Post plans of `size` posts each, of which some are edited, failed or pending; every failure of `causes` kinds. */
  function big({ plans, size, causes }: { plans: number; size: number; causes: number }): Coverage {
    const rows = Array.from({ length: plans }, (_, n) => {
      const [outdated, failed, pending] = [n % 3 ? 0 : 2, n % 5 ? 0 : 1, n % 7 ? 0 : 1];
      const done = size - failed - pending;
      return [`plan-${n}`, { items: size, instances: size, outdated, failed, pending, done }] as const;
    });
    const failed = rows.reduce((sum, [, counts]) => sum + counts.failed, 0);
    const open = Array.from({ length: failed }, (_, n) => ({
      address: `media/plan-${n}/1` as const,
      status: 'failed' as const,
      problem: { summary: 'The generation failed', detail: `Cause ${n % causes}` },
    }));
    return coverageOfPlans(Object.fromEntries(rows), open);
  }

  it.each([
    { plans: 40, size: 25, causes: 3 },
    { plans: 500, size: 2, causes: 100 },
    { plans: 5, size: 20_000, causes: 1 },
    { plans: 2_000, size: 50, causes: 400 },
  ])(
    'has at most 100 lines ($plans post plans of $size), and none of what is paid again is missing',
    (many) => {
      const found = big(many);
      for (const columns of [40, 80, 200]) {
        const lines = statusText(found, { columns, lines: 98 }).trimEnd().split('\n');
        expect(lines.length).toBeLessThanOrEqual(98);
        const rows = lines.slice(0, lines.indexOf(''));
        const number = (line: string, words: RegExp) => Number(words.exec(line)?.[1] ?? 0);
        const all = (words: RegExp) => rows.reduce((sum, line) => sum + number(line, words), 0);
        expect([all(/(\d+) out of date/), all(/(\d+) failed/)]).toEqual([found.outdated, found.failed]);
        expect(all(/(\d+)\/\d+/)).toBe(found.done);
        const causes = lines.filter((line) => /Cause \d/.test(line)).length;
        const more = number(lines.find((line) => line.includes('more cause')) ?? '', /(\d+) more cause/);
        expect(causes + more).toBe(Math.min(many.causes, found.failed));
      }
      expect(statusText(found, { lines: Infinity }).match(/\bplan-\d+ /g)).toHaveLength(many.plans);
    },
  );

  it('shows first what is paid again, then what failed, and folds what is done', () => {
    const found = big({ plans: 30, size: 10, causes: 1 });
    expect(statusText(found, { columns: 80, lines: 22 })).toMatchInlineSnapshot(`
      "  ✗ plan-0   8/10  2 out of date, 1 pending, 1 failed
        … plan-3   10/10  2 out of date
        ✗ plan-5   9/10  1 failed
        … plan-6   10/10  2 out of date
        … plan-7   9/10  1 pending
        … plan-9   10/10  2 out of date
        ✗ plan-10  9/10  1 failed
        … plan-12  10/10  2 out of date
        ✗ plan-15  9/10  2 out of date, 1 failed
        … plan-18  10/10  2 out of date
        ✗ plan-20  9/10  1 failed
        … plan-21  9/10  2 out of date, 1 pending
        … plan-24  10/10  2 out of date
        ✗ plan-25  9/10  1 failed
        … plan-27  10/10  2 out of date
        … and 15 more post plans, 148/150  2 pending

        ✗ media/plan-0/1 and 5 more failed: Cause 0

      289 of 300 posts done, 20 out of date, 5 pending, 6 failed.
      "
    `);
    expect(statusText(found, { columns: 40, lines: 12 })).toMatchInlineSnapshot(`
      "  ✗ plan-0   8/10
            2 out of date, 1 pending, 1 failed
        … plan-3   10/10  2 out of date
        … plan-6   10/10  2 out of date
        … and 27 more post plans, 261/270
            14 out of date, 4 pending,
            5 failed

        ✗ media/plan-0/1 and 5 more failed: Cause 0

      289 of 300 posts done, 20 out of date,
        5 pending, 6 failed.
      "
    `);
  });
});
