/** What the screens of a page show, with names and messages that try to be more than text. */
import type { Attempt } from '../../src/model/attempt.ts';
import type { ReportScreens } from '../../src/views/report-screens.ts';
import { timelineOf } from '../../src/views/run-timeline.ts';

export const HOSTILE = '<script>alert(1)</script>"\'&\u202E</td><svg onload=alert(2)>';

const START = Date.parse('2026-11-22T10:00:00.000Z');

const tried = (address: string, begin: number, end: number, came: Attempt['came'] = 'result'): Attempt => ({
  address,
  begin: START + begin,
  end: START + end,
  came,
});

const RUN = {
  run: '3f0c9a1e',
  command: 'apply',
  version: '1.0.0',
  manifest: 'm.yaml',
  startedAt: new Date(START).toISOString(),
  by: HOSTILE,
  last: { seq: 1, crc: 1 },
  end: {
    at: new Date(START + 10_000).toISOString(),
    outcome: 'failed',
    exitCode: 1,
    nodes: {} as never,
  },
} as const;

const row = { posts: 2, cost: 0.2, again: 1, rejected: 1 };

export function fullScreens(address: string): ReportScreens {
  const decided = { verdict: 'rejected', note: HOSTILE, by: null, at: RUN.startedAt } as const;
  return {
    summary: {
      plans: [{ key: 'hero', period: '2026-w47', items: 4, done: 2, notes: ['1 failed', '1 to request'] }],
      settled: [{ post: 'grid', period: '2026-w46', pending: 1, failed: 0 }],
      budget: ['this month 2 of 20 posts'],
      running: HOSTILE,
      next: [{ command: 'campaign apply m.yaml', does: 'requests 1 post, 0.10 EUR', posts: 1, cost: 0.1 }],
    },
    failures: [
      {
        end: 'failed',
        summary: HOSTILE,
        detail: HOSTILE,
        advice: `Take \`campaign apply\` or ${HOSTILE}.`,
        commands: ['campaign apply m.yaml --retry-failed'],
        nodes: Array.from({ length: 14 }, (_, n) => ({
          address: `media/hero/${n}`,
          post: n ? `media/hero/${n}` : address,
          at: 'm.yaml:31',
          photos: [HOSTILE],
        })),
      },
    ],
    cost: {
      total: { key: null, ...row },
      withoutPrice: 1,
      plans: [{ key: 'hero', ...row }],
      products: [
        { key: 'tote', ...row, cost: 0.15 },
        { key: null, ...row, cost: 0.05, posts: 9 },
      ],
      concepts: [{ key: 'morning', ...row }],
      budget: [{ per: 'month', of: 'cost', most: 90, spent: 0.2 }],
    },
    runs: [
      timelineOf(RUN, {
        events: [],
        attempts: [
          tried('concept/morning', 500, 1_000, 'throttled'),
          tried('concept/morning', 2_000, 2_200),
          tried('media-config/hero@1', 2_200, 3_000),
          tried('media/hero/1@1', 3_000, 3_100, 'pending'),
          tried('media/hero/1@1', 8_000, 8_100),
          tried('download/hero/1@1', 8_100, 9_000),
        ],
        now: undefined,
      }),
      timelineOf({ ...RUN, run: 'b0000000' }, { events: [], attempts: [], now: undefined }),
    ],
    changes: [
      { what: 'failed', address, at: RUN.startedAt },
      { what: 'new', address, at: RUN.startedAt },
    ],
    goneDecisions: [{ address: 'media/hero/9', media: HOSTILE, ...decided }],
    graph: {
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="30pt" height="20pt" viewBox="0 0 30 20"><style>rect{fill:#080}</style><script>alert(1)</script><rect width="30" height="20"/></svg>',
      width: 40,
      height: 27,
      boxes: [{ title: HOSTILE, lines: ['product tote', '✓ done'] }],
      together: ['40 posts of 3 post plans'],
    },
  };
}
