import { expect, it } from 'vitest';
import { runDetailJson, runDetailText } from '../../src/render/run-detail-text.ts';
import type { RunDetail } from '../../src/views/run-detail.ts';

const NODES = { created: 3, updated: 0, replaced: 0, deleted: 0, moved: 0, unchanged: 0 };
const SUMMARY = {
  run: '3f0c9a1e',
  command: 'apply',
  version: '0.1.0',
  manifest: 'campaign.yaml',
  startedAt: '2026-03-01T10:00:00.000Z',
  by: 'mia@studio',
  last: { seq: 1, crc: 1 },
  decided: { count: 1, first: [] },
  end: {
    at: '2026-03-01T10:00:02.000Z',
    outcome: 'failed',
    exitCode: 1,
    nodes: { ...NODES, downloaded: 1, failed: 12, blocked: 0, unknown: 1, pending: 0 },
  },
} as const;

const DETAIL: RunDetail = {
  plans: [{ plan: 'hero', requested: 13, finished: 1, failed: 12, files: 1 }],
  cost: 2.6,
  retried: 1,
  causes: [
    {
      problem: { summary: 'The generation failed', detail: 'content policy' },
      addresses: Array.from({ length: 12 }, (_, index) => `media/hero/${index + 1}@1`),
    },
  ],
  unknown: ['product/tote'],
  decided: [{ decision: 'skipped', address: 'product/cup' }],
  hasRecords: true,
};

it('shows all that is known of a run', () => {
  const options = { running: false, currency: 'EUR', columns: 80 };
  expect(runDetailText(SUMMARY, DETAIL, options)).toBe(`\
3f0c9a1e  2026-03-01 10:00:00Z  failed (1)  2.0 s  mia@studio
    apply: 3 created, 12 failed, 1 unknown, 1 file downloaded
    campaign 0.1.0, campaign.yaml
    requested for 2.60 EUR
    1 create sent again, because the service had not taken them

POST PLAN  REQUESTED  FINISHED  FAILED  FILES
hero       13         1         12      1

The generation failed: content policy
    media/hero/1@1
    media/hero/2@1
    media/hero/3@1
    media/hero/4@1
    media/hero/5@1
    media/hero/6@1
    media/hero/7@1
    media/hero/8@1
    media/hero/9@1
    media/hero/10@1
    and 2 more

nobody knows whether they were made:
    product/tote

decided:
    product/cup given up
`);
  const nothing = { ...DETAIL, plans: [], cost: undefined, retried: 0, causes: [], unknown: [], decided: [] };
  expect(
    runDetailText(SUMMARY, { ...nothing, hasRecords: false }, { ...options, columns: undefined }),
  ).toBe(`\
3f0c9a1e  2026-03-01 10:00:00Z  failed (1)  2.0 s  mia@studio
    apply: 3 created, 12 failed, 1 unknown, 1 file downloaded
    campaign 0.1.0, campaign.yaml
    The log was compacted since: no more than this is kept of it.
`);
});

it('names every address in JSON', () => {
  expect(runDetailJson(SUMMARY, DETAIL, 'EUR')).toMatchObject({
    run: '3f0c9a1e',
    exit_code: 1,
    complete: true,
    posts: [{ post: 'hero', requested: 13, finished: 1, failed: 12, files: 1 }],
    cost: 2.6,
    currency: 'EUR',
    sent_again: 1,
    errors: [{ summary: 'The generation failed', detail: 'content policy', addresses: { length: 12 } }],
    unknown: ['product/tote'],
    decisions: [{ decision: 'skipped', address: 'product/cup' }],
  });
});
