import { describe, expect, it } from 'vitest';
import { spendingOf } from '../../src/log/spending.ts';
import { sum } from '../../src/model/budget.ts';
import { amountOf, moneyOf } from '../../src/model/money.ts';
import type { Verdicts } from '../../src/model/verdict.ts';
import { changesSince, groupChanges } from '../../src/views/changes.ts';
import { COST_PARTS, costTable } from '../../src/views/cost-table.ts';
import { decisionRows } from '../../src/views/decision-rows.ts';
import { failureCauses } from '../../src/views/failure-causes.ts';
import { reportSummary } from '../../src/views/report-summary.ts';
import { at, folded, type Happening, intent, request } from '../log/fold-events.ts';
import { sheetPost } from '../support/sheet-data.ts';

const asked = (n: number, items: readonly string[], more: object = {}): Happening[] => [
  { ...intent(`media-config/hero@${n}`), request: { ...request(n, items), ...more } } as Happening,
  {
    type: 'created',
    address: `media-config/hero@${n}`,
    result: {
      id: `r-${n}`,
      concept: 'k',
      items: Object.fromEntries(items.map((item) => [item, { id: item }])),
    },
  },
];
const made = (item: string, n: number): Happening[] => [
  { type: 'generated', address: `media/hero/${item}@${n}`, result: { id: `${item}-${n}`, urls: [] } },
  {
    type: 'downloaded',
    address: `download/hero/${item}@${n}`,
    result: {
      media: `${item}-${n}`,
      files: [{ path: 'a', sha256: '0', bytes: 1, contentType: 'image/png' }],
    },
  },
];

/** `a` was rejected and made again, `b` failed; one more post came than was asked for, and one request was refused. */
const STATE = folded(
  ...asked(1, ['a', 'b'], { numberOfPosts: 3, cost: 0.4 }),
  ...made('a', 1),
  { type: 'generation-failed', address: 'media/hero/b@1', problem: { summary: 'content policy' } },
  ...asked(2, ['a']),
  ...made('a', 2),
  { ...intent('media-config/hero@3'), request: request(3, ['c']) } as Happening,
  { type: 'rejected', address: 'media-config/hero@3', problem: { summary: 'refused' } },
  { type: 'spent', month: '2025-12', posts: 4, cost: 1.5 },
);
const VERDICTS: Verdicts = new Map([['a-1', { verdict: 'rejected', source: 'd.yaml#' }]]);
const PRICES = { image: moneyOf(0.1) };

describe('what posts cost', () => {
  it('adds up to what the budget counts, in every part, however a request is shared out', () => {
    const table = costTable(STATE, { prices: PRICES, verdicts: VERDICTS, limits: [] });
    const hero = { posts: 4, cost: 0.5, again: 1, rejected: 1 };
    const before = { key: null, posts: 4, cost: 1.5, again: 0, rejected: 0 };
    expect(table).toEqual({
      total: { ...before, posts: 8, cost: 2, again: 1, rejected: 1 },
      withoutPrice: 0,
      plans: [before, { key: 'hero', ...hero }],
      // The requests of this state name no product.
      products: [{ key: null, posts: 8, cost: 2, again: 1, rejected: 1 }],
      concepts: [before, { key: 'morning', ...hero }],
      budget: [],
    });
    const spent = sum(spendingOf(STATE, PRICES).months.values());
    for (const part of COST_PARTS) {
      const rows = table[part];
      expect(rows.reduce((total, { posts }) => total + posts, 0)).toBe(spent.posts);
      expect(rows.reduce((total, { cost }) => total + moneyOf(cost), 0n)).toBe(spent.cost);
    }
    expect(table.total.cost).toBe(amountOf(spent.cost));
  });

  it('says of how many posts nobody knows it', () => {
    const { total, withoutPrice } = costTable(STATE, { prices: {}, verdicts: VERDICTS, limits: [] });
    expect([total.cost, withoutPrice]).toEqual([1.9, 1]);
  });
});

describe('what changed', () => {
  it('names each post with what became of it, the latest last', () => {
    expect(changesSince(STATE, at(0))).toEqual([
      { what: 'new', address: 'media/hero/b', at: at(1) },
      { what: 'new', address: 'media/hero/a', at: at(1) },
      { what: 'finished', address: 'media/hero/a', at: at(3) },
      { what: 'failed', address: 'media/hero/b', at: at(4) },
      { what: 'replaced', address: 'media/hero/a', at: at(6) },
      { what: 'finished', address: 'media/hero/a', at: at(8) },
    ]);
    expect(changesSince(STATE, at(8))).toHaveLength(1);
  });

  it('groups them since a moment, each post once for each kind', () => {
    const changes = changesSince(STATE, at(0)).toReversed();
    expect(groupChanges(changes, at(0))).toEqual([
      { what: 'failed', addresses: ['media/hero/b'] },
      { what: 'replaced', addresses: ['media/hero/a'] },
      { what: 'new', addresses: ['media/hero/a', 'media/hero/b'] },
      { what: 'finished', addresses: ['media/hero/a'] },
    ]);
    expect(groupChanges(changes, at(60))).toEqual([]);
  });
});

it('groups failures as `campaign status` does, and says what to do about each', () => {
  const problem = { summary: 'The service\u202E refused', detail: 'content policy' };
  const node = (address: string, status: 'failed' | 'unknown' | 'gone' | 'skipped', more: object = {}) => ({
    address,
    status,
    problem,
    ...more,
  });
  const causes = failureCauses(
    {
      open: [
        node('media-config/side@1', 'unknown', { problem: { summary: 'no answer' } }),
        node('media/hero/b@1', 'failed', { source: 'm.yaml#/posts/hero' }),
        node('media/hero/c@2', 'failed'),
        node('download/hero/d@1', 'failed', { problem: { summary: 'link expired' } }),
        node('upload/0123456789abcdef', 'failed', { problem: { summary: 'too large', photos: ['a\n.jpg'] } }),
        node('product/mug', 'gone'),
        node('product/tote', 'skipped'),
      ],
    },
    {
      target: 'm.yaml',
      placeOf: (source) => (source === undefined ? null : 'm.yaml:31'),
    },
  );
  const told = causes.map(({ end, summary, commands, nodes }) => [end, summary, commands, nodes]);
  const place = { at: null, photos: [] };
  expect(told).toEqual([
    [
      'failed',
      'The service refused',
      ['campaign apply m.yaml --retry-failed'],
      [
        { address: 'media/hero/b', post: 'media/hero/b', at: 'm.yaml:31', photos: [] },
        { address: 'media/hero/c', post: 'media/hero/c', ...place },
      ],
    ],
    [
      'unknown',
      'no answer',
      ['campaign resolve m.yaml --all', 'campaign resolve m.yaml media-config/side@1'],
      [{ address: 'media-config/side@1', post: null, ...place }],
    ],
    [
      'failed',
      'link expired',
      ['campaign apply m.yaml'],
      [{ address: 'download/hero/d', post: 'media/hero/d', ...place }],
    ],
    [
      'failed',
      'too large',
      ['campaign apply m.yaml'],
      [{ address: 'upload/0123456789abcdef', post: null, at: null, photos: ['a .jpg'] }],
    ],
    [
      'gone',
      'The service refused',
      ['campaign apply m.yaml --recreate-missing'],
      [{ address: 'product/mug', post: null, ...place }],
    ],
    ['skipped', 'The service refused', [], [{ address: 'product/tote', post: null, ...place }]],
  ]);
  expect(causes[0]?.advice).toContain('for 30 days every run rechecks it');
});

it('lists decisions with the latest first, and says which of them count no more', () => {
  const decision = (verdict: 'approved' | 'rejected', time: string) => ({
    verdict,
    note: null,
    by: null,
    at: time,
  });
  const take = (n: number, decided: ReturnType<typeof decision> | null) => ({
    media: `m-${n}`,
    take: n,
    made: at(n),
    pictures: n === 1 ? [] : [7],
    decision: decided,
  });
  const post = sheetPost('hero/1', {
    takes: [take(1, decision('rejected', at(1))), take(2, decision('approved', at(2)))],
  });
  const gone = { media: 'm-9', address: 'media/hero/9', ...decision('approved', 'once') };
  const rows = decisionRows([post, sheetPost('hero/1', { takes: [take(3, null)] })], [gone]);
  expect(rows).toEqual([
    { ...decision('approved', at(2)), media: 'm-2', post, take: 2, picture: 7, standing: 'counts' },
    { ...decision('rejected', at(1)), media: 'm-1', post, take: 1, standing: 'spent' },
    { ...gone, standing: 'spent' },
  ]);
  // The page has decisions that no file has yet.
  const mine = decisionRows([post], [], ({ media }) =>
    media === 'm-1' ? decision('approved', at(5)) : null,
  );
  expect(mine).toEqual([{ ...decision('approved', at(5)), media: 'm-1', post, take: 1, standing: 'spent' }]);
});

it('has the words of `campaign status` in its summary', () => {
  const counts = {
    items: 4,
    done: 2,
    pending: 0,
    failed: 1,
    unknown: 0,
    given_up: 0,
    missing: 1,
    blocked: 0,
    outdated: 1,
    kept: 0,
    rejected: 0,
    files_missing: 0,
  };
  const coverage = { post_plans: [{ post_plan: 'grid', instances: 2, ...counts }] } as never;
  const next = [{ command: 'campaign apply', does: 'requests 1 post', posts: 1, cost: null }];
  const summary = reportSummary(
    { coverage, settled: [], cost: undefined, running: 'apply\u001B[2J', next },
    { grid: '2026-w47' },
  );
  expect(summary).toEqual({
    plans: [
      {
        key: 'grid',
        period: '2026-w47',
        items: 4,
        done: 2,
        notes: ['1 out of date', '1 failed', '1 to request'],
      },
    ],
    settled: [],
    budget: [],
    running: 'apply',
    next,
  });
});
