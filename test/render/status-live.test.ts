import { expect, it } from 'vitest';
import { createStatusScreen } from '../../src/render/status-live.ts';
import { type ShownStatus, statusLines } from '../../src/render/status-text.ts';
import type { PostCounts } from '../../src/views/coverage.ts';
import { PLAIN } from '../support/plain-style.ts';
import { createScreen } from '../support/screen.ts';
import { coverageOfPlans } from '../support/status-samples.ts';

const CAMPAIGN = {
  target: '',
  quote: () => ({ position: { file: 'campaign.yaml', line: 31, column: 9 }, sourceLine: '' }),
};
const HEAD =
  'spring-launch · production · visuals.example.com · campaign.production.state.jsonl · 412 known nodes';

function status(
  plans: Readonly<Record<string, Partial<PostCounts>>>,
  more: Omit<Partial<ShownStatus>, 'coverage'> & { open?: ShownStatus['coverage']['open'] } = {},
): ShownStatus {
  const { open = [], ...others } = more;
  return { coverage: coverageOfPlans(plans, open), ...others };
}

const WORKING = '`campaign apply`, process 4711 on studio since 2026-11-22T14:30:05.000Z';
const FAILED = {
  address: 'media/grid/night+vase+1x1/1',
  status: 'failed',
  problem: { summary: 'The generation failed', detail: 'Status failed: content policy' },
  source: '#/posts/grid/items/0',
} as const;
const UNKNOWN = {
  address: 'media-config/grid/night+mug+9x16@1',
  status: 'unknown',
  problem: { summary: 'No answer came', detail: 'The connection was cut.' },
} as const;
const hero = { items: 4, done: 4 };

/** What somebody sees who looks now and then while an apply runs in another terminal. */
const STORY: readonly (readonly [name: string, shown: ShownStatus])[] = [
  [
    'before the first run',
    status(
      { hero: { items: 4, missing: 4 }, grid: { items: 79, missing: 79 } },
      {
        next: [{ command: 'campaign apply', does: 'requests 83 posts, 8.30 EUR', posts: 83, cost: 8.3 }],
      },
    ),
  ],
  [
    'generating',
    status({ hero, grid: { items: 79, done: 12, pending: 60, missing: 7 } }, { running: WORKING }),
  ],
  [
    'one failed, one unknown',
    status(
      { hero, grid: { items: 79, done: 70, pending: 7, failed: 1, unknown: 1 } },
      { running: WORKING, open: [FAILED, UNKNOWN] },
    ),
  ],
  [
    'ended',
    status(
      { hero: { ...hero, outdated: 1 }, grid: { items: 79, done: 77, failed: 1, unknown: 1 } },
      {
        open: [FAILED, UNKNOWN],
        next: [
          {
            command: 'campaign resolve --all --find',
            does: 'asks what became of 1 unknown create; pays nothing',
            posts: 0,
            cost: 0,
          },
          {
            command: 'campaign apply --yes',
            does: 'requests 1 edited post again, 0.10 EUR',
            posts: 1,
            cost: 0.1,
          },
        ],
      },
    ),
  ],
];

it.each([
  [40, true],
  [80, true],
  [200, true],
  [80, false],
])('the watched status shows each part of a run at %i columns, Unicode: %s', async (columns, isUnicode) => {
  const screen = createScreen(columns);
  const shown = createStatusScreen({ stream: screen.stream, style: PLAIN, isUnicode });
  let seen = '';
  for (const [name, each] of STORY) {
    shown.show([(room) => [HEAD, '', ...statusLines(each, CAMPAIGN, { ...room, lines: room.lines - 2 })]]);
    const text = await screen.text();
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(columns);
    expect(text.match(/^spring-launch/gm)).toHaveLength(1);
    seen += `== ${name}\n${text}`;
  }
  shown.close();
  await expect(seen).toMatchFileSnapshot(`screens/status-${columns}${isUnicode ? '' : '-ascii'}.txt`);
});

it('stands there once after the terminal was made narrower and wider, and takes no more than its height', async () => {
  const screen = createScreen(80, 12);
  const shown = createStatusScreen({ stream: screen.stream, style: PLAIN, isUnicode: true });
  const plans = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`plan-${n}`, { items: 2, done: 2 }]),
  );
  const many = status({ ...plans, last: { items: 2, done: 1, failed: 1 } });
  shown.show([(room) => [HEAD, '', ...statusLines(many, CAMPAIGN, { ...room, lines: room.lines - 2 })]]);
  const before = await screen.text();
  expect(before).toContain('✗ last     1/2  1 failed');
  expect(before).toContain('more post plans');
  expect(before).toContain('121 of 122 posts done, 1 failed.');
  await screen.resize(40);
  expect((await screen.text()).match(/^spring-launch/gm)).toHaveLength(1);
  await screen.resize(80);
  expect(await screen.text()).toBe(before);
  shown.close();
  expect(screen.stream.listenerCount('resize')).toBe(0);
});
