import { describe, expect, it } from 'vitest';
import { NOTHING_SPENT } from '../../src/model/budget.ts';
import { moneyOf } from '../../src/model/money.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Purse } from '../../src/plan/plan-cost.ts';
import { planJson } from '../../src/render/plan-json.ts';
import { jsonLine } from '../../src/util/inert-json.ts';
import { sendsChanges } from '../../src/views/plan-summary.ts';
import { heroOf, sha256, upload } from '../support/campaign.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';
import { HELD, locate, SAMPLE } from './plan-samples.ts';

/** As `plan --json` writes it. */
const written = (plan: Plan): unknown => JSON.parse([...jsonLine(planJson(plan, locate))].join(''));

const POST = (aspect_ratio: string) => ({ post_type: 'image', aspect_ratio, cost: null });

describe('the JSON of a plan', () => {
  it('holds changes with the leaves of their causes, requests and sums', () => {
    expect(written(SAMPLE)).toEqual({
      format_version: '1.0',
      changes: [
        {
          address: 'product/sack',
          action: 'move',
          from: 'product/bag',
          reasons: [],
        },
        {
          address: 'media/paper/1',
          action: 'move',
          from: 'media/page/1',
          reasons: [],
        },
        {
          address: upload('new'),
          action: 'create',
          reasons: [
            {
              summary: 'new',
            },
          ],
        },
        {
          address: 'product/tote',
          action: 'update',
          reasons: [
            {
              summary: 'changed',
              field: 'description',
              from: 'Canvas',
              to: 'Natural canvas',
              file: 'campaign.yaml',
              line: 12,
            },
            {
              summary: 'changed',
              field: 'images[0]',
              from: sha256('front'),
              to: sha256('new'),
              file: 'campaign.yaml',
              line: 13,
            },
          ],
        },
        {
          address: 'product/cap',
          action: 'create',
          reasons: [
            {
              summary: 'new',
            },
          ],
        },
        {
          address: 'concept/night',
          action: 'create',
          reasons: [
            {
              summary: 'tried again: Said no',
            },
          ],
        },
        {
          address: 'media/hero/1',
          action: 'replace',
          ...POST('1:1'),
          reasons: [
            {
              address: 'product/tote',
              summary: 'changed',
              field: 'description',
              from: 'Canvas',
              to: 'Natural canvas',
              file: 'campaign.yaml',
              line: 12,
            },
            {
              address: 'product/tote',
              summary: 'changed',
              field: 'images[0]',
              from: sha256('front'),
              to: sha256('new'),
              file: 'campaign.yaml',
              line: 13,
            },
          ],
        },
        {
          address: 'media/hero/3',
          action: 'create',
          ...POST('9:16'),
          reasons: [
            {
              summary: 'new',
            },
          ],
        },
        {
          address: 'media/dark/1',
          action: 'create',
          ...POST('1:1'),
          reasons: [
            {
              summary: 'new',
            },
          ],
        },
        {
          address: 'media/wall/2',
          action: 'create',
          ...POST('1:1'),
          reasons: [{ summary: 'new' }],
        },
        {
          address: 'media/wall/1',
          action: 'blocked',
          ...POST('1:1'),
          reasons: [
            {
              address: 'product/pen',
              summary: 'waits for product/pen',
            },
          ],
        },
        {
          address: 'media-config/gone@1',
          action: 'delete',
          id: 'id of the request',
          posts: ['media/gone/1@1', 'media/gone/2@1'],
          reasons: [{ summary: 'no longer named' }],
        },
        {
          address: 'product/gone',
          action: 'delete',
          id: 'id of the product',
          reasons: [
            {
              summary: 'no longer named',
            },
          ],
        },
      ],
      requests: [
        {
          address: 'media-config/hero@2',
          posts: 2,
          items: ['1', '3'],
          cost: null,
        },
        {
          address: 'media-config/dark@1',
          posts: 1,
          items: ['1'],
          cost: null,
        },
        {
          address: 'media-config/wall@1',
          posts: 1,
          items: ['2'],
          cost: null,
        },
      ],
      held: [],
      kept: [],
      left_alone: ['product/old'],
      not_selected: 0,
      summary: {
        create: 6,
        update: 1,
        replace: 1,
        delete: 2,
        move: 2,
        unchanged: 9,
      },
      pending: 1,
      to_download: 0,
      looked_for: [],
      failed: 1,
      gone: ['media/lost/1'],
      unknown: 2,
      new_posts: 4,
      over_budget: [],
      cost: null,
    });
  });

  it('holds what is left as it is', () => {
    expect(written(HELD)).toMatchObject({
      held: [
        {
          address: 'media/hero/1',
          reasons: [
            {
              address: 'product/tote',
              summary: 'changed',
              field: 'description',
              from: 'Canvas',
              to: 'Natural canvas',
              file: 'campaign.yaml',
              line: 12,
            },
            {
              address: 'product/tote',
              summary: 'changed',
              field: 'images[0]',
              from: sha256('front'),
              to: sha256('new'),
              file: 'campaign.yaml',
              line: 13,
            },
          ],
        },
      ],
      summary: {
        create: 6,
        update: 1,
        replace: 0,
        delete: 0,
        move: 2,
        unchanged: 10,
      },
      new_posts: 3,
    });
  });

  it('says what each post costs, and where that leaves the budget', () => {
    const words = { ...heroOf({}), posts: { hero: { items: [{ products: ['tote'] }], numberOfPosts: 3 } } };
    const purse: Purse = {
      currency: 'EUR',
      prices: { image: moneyOf(0.1) },
      limits: [
        { per: 'run', of: 'posts', most: 500 },
        { per: 'month', of: 'posts', most: 14 },
        { per: 'month', of: 'cost', most: 900 },
      ],
      spent: { run: NOTHING_SPENT, month: { posts: 12, cost: moneyOf(1.2) } },
      excess: 'show',
    };
    expect(written(planOf(words, stateAfter({}), { purse }))).toMatchObject({
      changes: expect.arrayContaining([
        expect.objectContaining({
          address: 'media/hero/1',
          post_type: 'image',
          aspect_ratio: '1:1',
          cost: 0.1,
        }),
      ]) as unknown,
      requests: [{ posts: 3, cost: 0.3 }],
      new_posts: 3,
      over_budget: [],
      cost: 0.3,
      currency: 'EUR',
      budget: {
        run: { posts: { spent: 0, limit: 500, exceeded: false } },
        month: {
          posts: { spent: 12, limit: 14, exceeded: true },
          cost: { spent: 1.2, limit: 900, exceeded: false },
        },
      },
    });
  });

  it('is empty where nothing is to do', () => {
    const words = heroOf({});
    expect(written(planOf(words, stateAfter(words)))).toEqual({
      format_version: '1.0',
      changes: [],
      requests: [],
      held: [],
      kept: [],
      left_alone: [],
      not_selected: 0,
      summary: { create: 0, update: 0, replace: 0, delete: 0, move: 0, unchanged: 5 },
      pending: 0,
      to_download: 0,
      looked_for: [],
      failed: 0,
      gone: [],
      unknown: 0,
      new_posts: 0,
      over_budget: [],
      cost: null,
    });
  });
});

describe('a plan sends something', () => {
  it.each([
    ['where it creates', {}, true],
    ['not where it polls', { 'media/hero/1@1': 'open' }, false],
    ['not where all is blocked', { 'product/tote': 'unknown' }, false],
  ] as const)('%s', (_, ends, expected) => {
    const words = heroOf({});
    const before = Object.keys(ends).length ? stateAfter(words, ends) : stateAfter({});
    expect(sendsChanges(planOf(words, before))).toBe(expected);
  });
});
