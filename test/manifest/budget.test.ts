import { describe, expect, it } from 'vitest';
import { moneyOf } from '../../src/model/money.ts';
import { loaded, problemsOf } from './campaign-folder.ts';

const ITEMS = `
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1" }
      - { post_type: video, aspect_ratio: "1:1" }
      - { post_type: video, aspect_ratio: "9:16" }
`;

const withBudget = (budget: string, rest = ITEMS) => `version: 1
name: x
${budget}${rest}`;

describe('a budget', () => {
  it('has prices and limits, each with its place', async () => {
    const text =
      'budget: { currency: EUR, prices: { image: 0.1, video: 1 }, per_run: { posts: 5 }, per_month: { cost: 9.5 } }';
    expect((await loaded(withBudget(text))).budget).toEqual({
      currency: 'EUR',
      prices: { image: moneyOf(0.1), video: moneyOf(1) },
      limits: [
        { per: 'run', of: 'posts', most: 5, source: '#/budget/per_run/posts' },
        { per: 'month', of: 'cost', most: 9.5, source: '#/budget/per_month/cost' },
      ],
    });
    expect((await loaded(withBudget(''))).budget).toBeUndefined();
  });

  it('of an environment replaces the whole of it', async () => {
    const text = `budget: { currency: EUR, prices: { image: 0.1 }, per_run: { posts: 5 } }
service:
  environments:
    stage: { base_url: https://a.example.com, budget: { per_month: { posts: 7 } } }
    production: { base_url: https://b.example.com }`;
    const budgetAt = async (environment: string) =>
      (await loaded(withBudget(text), { environment, need: 'environment' })).budget;
    expect(await budgetAt('stage')).toEqual({
      prices: {},
      limits: [
        { per: 'month', of: 'posts', most: 7, source: '#/service/environments/stage/budget/per_month/posts' },
      ],
    });
    for (const environment of ['production', 'emulator'])
      expect(await budgetAt(environment)).toMatchObject({ currency: 'EUR', limits: [{ most: 5 }] });
  });
});

describe('a budget is refused', () => {
  it('where it limits the cost and a post has no price, once for each type', async () => {
    expect(
      await problemsOf(withBudget('budget: { prices: { image: 0.1 }, per_month: { cost: 9 } }')),
    ).toMatchInlineSnapshot(`
      "missing-price campaign.yaml:9:22 «video»
        The budget limits the cost, and has no price for a post of the type video (2 posts in this manifest). Write \`video\` under \`prices:\` of the budget."
    `);
    expect(await problemsOf(withBudget('budget: { prices: { image: 0.1 }, per_month: { posts: 9 } }'))).toBe(
      '',
    );
  });

  it('where an amount cannot be counted exactly, also of another environment', async () => {
    const text = `budget: { prices: { image: 0.1234567 }, per_run: { cost: 1e12 } }
service: { environments: { stage: { base_url: https://a.example.com, budget: { per_month: { cost: 0.00000001 } } } } }`;
    expect(await problemsOf(withBudget(text, ''))).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:28 «0.1234567»
        0.1234567 cannot be counted exactly: an amount has at most six decimals, and is at most 1000000000.
      invalid-value campaign.yaml:3:58 «1e12»
        1000000000000 cannot be counted exactly: an amount has at most six decimals, and is at most 1000000000.
      invalid-value campaign.yaml:4:99 «0.00000001»
        1e-8 cannot be counted exactly: an amount has at most six decimals, and is at most 1000000000."
    `);
  });

  it('where it holds what is none', async () => {
    const text =
      'budget: { currency: EUR, foo: 1, prices: { image: -1, poster: 2 }, per_run: { posts: 1.5 } }';
    expect(await problemsOf(withBudget(text, ''))).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:3:26 «foo»
        There is no key "foo" here, and passing over it could hide a mistake. Known keys: currency, prices, per_run, per_month.
      invalid-value campaign.yaml:3:51 «-1»
        This must be at least 0. In the currency of the budget. For example: 0.1
      unknown-key campaign.yaml:3:55 «poster»
        There is no key "poster" here, and passing over it could hide a mistake. Known keys: image, video, carousel.
      wrong-type campaign.yaml:3:86 «1.5»
        This must be a whole number, but it is the number 1.5. For example: 500"
    `);
  });
});
