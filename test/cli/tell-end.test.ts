/** The last lines of a run, as wide as the terminal is. */
import { expect, it } from 'vitest';
import type { ShownCampaign } from '../../src/app/campaign.ts';
import type { RunEnd } from '../../src/app/run-end.ts';
import { tellEnd } from '../../src/cli/tell-end.ts';
import { EXIT } from '../../src/model/exit.ts';
import { NO_NODES } from '../../src/model/node-counts.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';
import { createTestOutput } from '../support/test-output.ts';

const WORDS = {
  products: { tote: { photos: ['front'] } },
  concepts: { morning: { description: 'Soft' } },
  posts: { hero: { items: [{ key: 'a', products: ['tote'] }] } },
};
const PLAN = planOf(WORDS, stateAfter(WORDS, { 'media/hero/a@1': 'failed' }));
const CAMPAIGN = {
  target: '--env production',
  manifest: { folder: process.cwd(), outputs: { dir: 'out/spring-launch/production' } },
} as unknown as ShownCampaign;
const END: RunEnd = {
  exit: EXIT.failed,
  failures: [
    { address: 'media/hero/a', end: 'failed', problem: { summary: 'The generation failed' } },
    { address: 'media-config/hero@2', end: 'unknown', problem: { summary: 'No answer came' } },
  ],
  next: [
    {
      command: 'campaign resolve --env production --all --find',
      does: 'asks what became of 1 unknown create; pays nothing',
      posts: 0,
      cost: 0,
    },
    {
      command: 'campaign apply --env production --retry-failed',
      does: 'rechecks 1 failed post, then requests at most 1 post, 0.35 EUR',
      posts: 1,
      cost: 0.35,
    },
  ],
  counts: { ...NO_NODES, created: 96, unchanged: 12, downloaded: 94, failed: 1, unknown: 1 },
};

function toldAt(columns: number): string {
  const { output, text } = createTestOutput();
  tellEnd({ end: END, plan: PLAN, verb: 'Apply' }, CAMPAIGN, {
    ...output,
    columns,
  });
  return text();
}

it.each([40, 80, 200])('a run in which posts failed, at %i columns', async (columns) => {
  const told = toldAt(columns);
  await expect(told).toMatchFileSnapshot(`../render/screens/summary-${columns}.txt`);
  // Commands are to be pasted, so they stay on one line.
  const words = told.split('\n').filter((line) => !line.startsWith('  campaign '));
  expect(Math.max(...words.map((line) => line.length))).toBeLessThanOrEqual(columns);
});
