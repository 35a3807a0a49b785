import { expect, it } from 'vitest';
import type { Failure } from '../../src/model/failure.ts';
import { PlannedNodes } from '../../src/model/plan.ts';
import { runSteps, type RunLeft } from '../../src/views/run-steps.ts';
import * as nodes from '../support/planned-nodes.ts';

const NOTHING_PLANNED: RunLeft['plan'] = {
  nodes: new PlannedNodes([]),
  failed: [],
  beyondBudget: [],
  newPosts: 0,
};
const STAGE = { target: 'm.yaml --env stage', at: '', only: "--only 'media/hero/*'" };

const failed = (address: Failure['address'], end: Failure['end'] = 'failed'): Failure => ({
  address,
  end,
  problem: { summary: 'No' },
});

const steps = (left: Partial<RunLeft>) =>
  runSteps(
    {
      plan: NOTHING_PLANNED,
      counts: { blocked: 0 },
      failures: [],
      earlier: [],
      pending: 0,
      putOff: 0,
      ...left,
    },
    STAGE,
  ).map(({ command, does }) => `${command}  ${does}`);

it('names the commands with the flags of the run, what is free first, and at most five', () => {
  expect(
    steps({
      plan: {
        ...NOTHING_PLANNED,
        failed: [{ address: 'media/hero/gone', counts: 1, isGone: true }],
        beyondBudget: ['media/hero/a', 'media/hero/b'],
      },
      counts: { blocked: 4 },
      failures: [
        failed('product/mug', 'rejected'),
        failed('media-config/hero@2', 'unknown'),
        failed('media/hero/1@1'),
      ],
      earlier: [failed('media/hero/2'), failed('media/hero/gone')],
      pending: 8,
      putOff: 3,
    }),
  ).toEqual([
    'campaign resolve m.yaml --env stage --all --find  asks what became of 1 unknown create; pays nothing',
    'campaign wait m.yaml --env stage  polls and downloads 8 requested posts; pays nothing',
    "campaign apply m.yaml --env stage --only 'media/hero/*'  tries again what was left: 1 refused, 3 put off, 4 blocked",
    "campaign apply m.yaml --env stage --only 'media/hero/*' --retry-failed  rechecks 2 failed posts, and requests again what is not there",
    "campaign apply m.yaml --env stage --only 'media/hero/*' --recreate-missing  looks again for 1 post that the service has no more, and requests what is not there",
  ]);
});

it('where nothing fits the budget, --within-budget requests what does', () => {
  expect(steps({ plan: { ...NOTHING_PLANNED, beyondBudget: ['media/hero/a', 'media/hero/b'] } })).toEqual([
    "campaign apply m.yaml --env stage --only 'media/hero/*' --within-budget  requests as many of 2 posts as fit the budget",
  ]);
});

it('finished posts that were left need consent, and have their price', () => {
  expect(steps({ held: '4 posts, 1.40 EUR' })).toEqual([
    "campaign apply m.yaml --env stage --only 'media/hero/*' --yes  requests finished posts again that were edited, too: 4 posts, 1.40 EUR",
  ]);
});

it('what was not requested costs what the plan costs without what was', () => {
  const plan = {
    ...NOTHING_PLANNED,
    cost: { currency: 'EUR', prices: { image: 0.35 }, amount: 1.4, limits: [] },
  };
  const failures = [failed('product/mug', 'rejected')];
  expect(steps({ plan, failures, cost: 0.35 })).toEqual([
    "campaign apply m.yaml --env stage --only 'media/hero/*'  tries again what was left: 1 refused, at most 1.05 EUR",
  ]);
  expect(steps({ plan, failures, cost: 1.4 })).toEqual([
    "campaign apply m.yaml --env stage --only 'media/hero/*'  tries again what was left: 1 refused; pays nothing",
  ]);
});

it('failed posts cost what each of them costs; where more may be requested with them, a plan says it', () => {
  const image = (item: string) => ({ ...nodes.mediaNode('hero', item), inputs: { post_type: 'image' } });
  const plan = {
    ...NOTHING_PLANNED,
    nodes: new PlannedNodes([nodes.requestNode('hero', { posts: 2 }), image('1'), image('2')]),
    cost: { currency: 'EUR', prices: { image: 0.35 }, amount: 0.7, limits: [] },
  };
  const failures = [failed('media/hero/1@1'), failed('media/hero/2@1')];
  const retry = "campaign apply m.yaml --env stage --only 'media/hero/*' --retry-failed  rechecks";
  expect(steps({ plan, failures, cost: 0.7 })).toEqual([
    `${retry} 2 failed posts, and requests again what is not there, at most 0.70 EUR`,
  ]);
  expect(steps({ plan, failures, earlier: [failed('media/hero/3')], cost: 0.7 })).toEqual([
    `${retry} 3 failed posts, and requests again what is not there; \`campaign plan m.yaml --env stage --only 'media/hero/*' --retry-failed\` says what that costs`,
  ]);
});

it('says nothing where nothing is left', () => {
  expect(steps({})).toEqual([]);
});
