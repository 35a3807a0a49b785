/** Rules for the groups of every plan: what they say adds up to the numbers of the plan, and leaves nothing out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postPlanOf, splitMedia } from '../../src/model/address.ts';
import { amountOf } from '../../src/model/money.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planJson } from '../../src/render/plan-json.ts';
import { planText } from '../../src/render/plan-text.ts';
import { planEntries, type Sign } from '../../src/views/plan-entries.ts';
import { groupEntries, joinGroups, type PlanGroup } from '../../src/views/plan-groups.ts';
import { isExact, outlineOf } from '../../src/views/plan-outline.ts';
import { signOf } from '../../src/views/plan-rows.ts';
import { planNumbers, surplusOf } from '../../src/views/plan-summary.ts';
import type { CampaignWords, PostWords } from '../support/campaign.ts';
import { PLAIN } from '../support/plain-style.ts';
import { type End, type Ends, planOf, stateAfter } from '../support/play-plan.ts';
import { PURSE } from '../support/wide-campaign.ts';

const SEEDED = { numRuns: 25, seed: 20_260_401 };
const LEVELS = ['cause', 'kind of cause', 'kind of cause, all post plans', 'sign'] as const;

const text = fc.constantFrom('one', 'two', 'three');
const post = fc.record(
  {
    items: fc.array(
      fc.record({
        products: fc.subarray(['tote', 'mug', 'cap'], { minLength: 1 }),
        type: fc.constantFrom('image', 'video'),
        descriptions: fc.tuple(text),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    numberOfPosts: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ['items'] },
);
/** Every post plan has up to 25 instances that are alike. */
const posts = fc
  .array(fc.tuple(post, fc.integer({ min: 0, max: 25 })), { minLength: 1, maxLength: 3 })
  .map((all) =>
    Object.fromEntries(
      all.flatMap(([words, instances], plan): [string, PostWords][] =>
        Array.from({ length: Math.max(1, instances) }, (_, index) => [
          instances ? `plan${plan}/i${index}` : `plan${plan}`,
          words,
        ]),
      ),
    ),
  );
const campaign: fc.Arbitrary<CampaignWords> = fc.record({
  products: fc.record({
    tote: fc.record({ photos: fc.constant(['front']), description: text }),
    mug: fc.record({ photos: fc.constant(['cup']), description: text }),
    cap: fc.record({ photos: fc.constant(['cap']), description: text }),
  }),
  concepts: fc.record({ morning: fc.record({ description: text }) }),
  posts,
});
const ends = fc.dictionary(
  fc
    .tuple(fc.nat(3), fc.nat(9), fc.integer({ min: 1, max: 3 }))
    .map(([plan, instance, item]) => `media/plan${plan}/i${instance}/${item}@1`),
  fc.constantFrom<End>('open', 'failed', 'lost'),
) as fc.Arbitrary<Ends>;
const plan: fc.Arbitrary<Plan> = fc
  .tuple(campaign, campaign, ends, fc.constantFrom('make' as const, 'hold' as const), fc.boolean())
  .map(([before, after, how, replacements, isRetried]) => {
    const draft = {
      purse: PURSE,
      replacements,
      ...(isRetried && { retryFailed: '*' }),
    };
    return planOf(after, stateAfter(before, how), draft);
  });

const of = (groups: readonly PlanGroup[], ...signs: readonly Sign[]) =>
  groups.filter(({ sign }) => signs.includes(sign));
const sum = (groups: readonly PlanGroup[], key: 'entries' | 'counts' | 'paid') =>
  groups.reduce((all, group) => all + group[key], 0);
const costOf = (groups: readonly PlanGroup[]) =>
  amountOf(groups.reduce((all, { cost = 0n }) => all + cost, 0n));

describe('for every plan', () => {
  it('the groups add up to its numbers, and so does its JSON', () => {
    fc.assert(
      fc.property(plan, (made) => {
        const numbers = planNumbers(made);
        const json = planJson(made, () => undefined);
        const changes = [...json.changes];
        // Posts that `number_of_posts` asks for besides the items count as created, and have no address yet.
        const surplus = [...made.nodes].reduce((all, node) => all + surplusOf(node), 0);
        for (const level of LEVELS) {
          const groups = joinGroups(groupEntries(planEntries(made)), level);
          const create = of(groups, 'create', 'again');
          const requests = of(groups, 'request');
          expect({
            create: sum(create, 'counts') + surplus,
            update: sum(of(groups, 'update'), 'counts'),
            replace: sum(of(groups, 'replace'), 'counts'),
            move: sum(of(groups, 'move'), 'counts'),
            pending: sum(of(groups, 'resume'), 'entries'),
            to_recheck: sum(of(groups, 'recheck'), 'entries'),
            failed: sum(of(groups, 'failed'), 'counts'),
            gone: sum(of(groups, 'gone'), 'counts'),
            held: sum(of(groups, 'held'), 'counts'),
            held_up: sum(of(groups, 'held-up'), 'counts'),
            new_posts: sum(requests, 'paid'),
          }).toEqual({
            create: numbers.create,
            update: numbers.update,
            replace: numbers.replace,
            move: numbers.move,
            pending: numbers.pending,
            to_recheck: numbers.to_recheck,
            failed: numbers.failed,
            gone: numbers.gone,
            held: numbers.held,
            held_up: numbers.held_up,
            new_posts: numbers.new_posts,
          });
          expect(sum([...create, ...of(groups, 'replace')], 'paid')).toBe(numbers.new_posts);
          expect(costOf(requests)).toBe(json.cost);
          expect(costOf([...create, ...of(groups, 'replace')])).toBe(json.cost);
        }
        for (const action of ['create', 'update', 'replace', 'move'] as const)
          expect(changes.filter((change) => change['action'] === action)).toHaveLength(
            numbers[action] - (action === 'create' ? surplus : 0),
          );
        expect(json.summary).toMatchObject({ create: numbers.create, unchanged: numbers.unchanged });
      }),
      SEEDED,
    );
  });

  it('the text has at most 100 lines, and names all that is paid again', () => {
    fc.assert(
      fc.property(plan, (made) => {
        const shown = { campaign: { locate: () => undefined, target: '' }, style: PLAIN };
        const written = planText(made, shown);
        expect(written.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
        const again = [...planEntries(made)].filter(isExact);
        // Also where several plans share the page.
        for (const lines of [100, 20]) {
          const rows = [...outlineOf(() => planEntries(made), { lines })];
          const numbers = rows.flatMap((row) => {
            if (!isExact({ sign: signOf(row) })) return [];
            if (row.type === 'alike') return row.entries.length;
            return row.type === 'entry' ? 1 : row.group.entries;
          });
          expect(numbers.reduce((all, each) => all + each, 0)).toBe(again.length);
        }
        for (const { address } of again) {
          const { post: path } = splitMedia(address);
          const names = new RegExp(`${address}\\b|[/ ]${postPlanOf(path)} \\(|media/${postPlanOf(path)}: `);
          expect(written).toMatch(names);
        }
        const all = planText(made, { ...shown, detail: 'all' });
        for (const { address } of again) expect(all).toContain(address);
      }),
      SEEDED,
    );
  });
});
