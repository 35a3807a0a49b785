import { describe, expect, it } from 'vitest';
import { planWaiting, type WaitInput } from '../../src/plan/plan-waiting.ts';
import {
  createdRequest,
  folded,
  type Happening,
  intent,
  PROBLEM,
  request,
  requested,
} from '../log/fold-events.ts';
import { OUTPUTS } from '../support/campaign.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 0, 2);

const failed = (take: string): Happening => ({
  type: 'generation-failed',
  address: `media/${take}`,
  problem: PROBLEM,
});
const generated = (take: string): Happening => ({
  type: 'generated',
  address: `media/${take}`,
  result: { id: `m-${take}`, urls: [] },
});

function inPeriod(n: number, items: readonly string[], period: string): Happening {
  const post = `grid/${period}`;
  return {
    ...intent(`media-config/${post}@${n}`),
    request: { ...request(n, items, post), period },
  } as Happening;
}

function waiting(happenings: readonly Happening[], input: Partial<WaitInput> = {}) {
  const plan = planWaiting({
    state: folded(...happenings),
    outputs: OUTPUTS,
    now: NOW,
    selection: { only: [], exclude: [] },
    present: new Map([
      ['hero', undefined],
      ['grid', '2026-w01'],
    ]),
    ...input,
  });
  return {
    nodes: plan.nodes.listed.map(({ address }) => address),
    failed: plan.failed.map(({ address }) => address),
    unknown: plan.unknown.map(({ address }) => address),
    plan,
  };
}

describe('a wait', () => {
  it('goes on with every take that is pending or has no files, also of what the manifest has no more', () => {
    const { nodes, plan } = waiting([
      requested(1, ['kitchen', 'tour']),
      createdRequest(1),
      generated('hero/tour@1'),
      requested(2, ['kitchen']),
      createdRequest(2),
      requested(1, ['1'], 'gone'),
      createdRequest(1, [], 'gone'),
      inPeriod(1, ['1'], '2025-w50'),
      createdRequest(1, [], 'grid/2025-w50'),
    ]);
    expect(nodes).toEqual([
      'media/hero/kitchen@1',
      'download/hero/kitchen@1',
      'media/hero/kitchen@2',
      'download/hero/kitchen@2',
      'download/hero/tour@1',
      'media/gone/1@1',
      'download/gone/1@1',
      'media/grid/2025-w50/1@1',
      'download/grid/2025-w50/1@1',
    ]);
    const paths = plan.nodes.listed.flatMap((node) => (node.kind === 'download' ? [node.payload.path] : []));
    expect(paths.slice(0, 2)).toEqual(['out/hero/kitchen.take1', 'out/hero/kitchen']);
    expect(plan.nodes.listed.every(({ action }) => action === 'resume')).toBe(true);
    expect(plan.newPosts).toBe(0);
    expect(waiting([requested(1, ['kitchen']), createdRequest(1)], { outputs: false }).nodes).toEqual([
      'media/hero/kitchen@1',
    ]);
  });

  it('counts failures of the present, and rechecks all for thirty days', () => {
    const happenings = [
      requested(1, ['kitchen']),
      createdRequest(1),
      failed('hero/kitchen@1'),
      requested(1, ['1'], 'gone'),
      createdRequest(1, [], 'gone'),
      failed('gone/1@1'),
      inPeriod(1, ['1'], '2025-w50'),
      createdRequest(1, [], 'grid/2025-w50'),
      failed('grid/2025-w50/1@1'),
      inPeriod(1, ['1'], '2026-w01'),
      createdRequest(1, [], 'grid/2026-w01'),
      failed('grid/2026-w01/1@1'),
    ];
    const now = waiting(happenings);
    expect(now.failed).toEqual(['media/hero/kitchen', 'media/grid/2026-w01/1']);
    expect(now.plan.failed[0]).toMatchObject({
      counts: 1,
      recheck: 'media/hero/kitchen@1',
      problem: PROBLEM,
    });
    expect(now.nodes.filter((address) => address.startsWith('media/'))).toHaveLength(4);
    const later = waiting(happenings, { now: NOW + 31 * DAY });
    expect([later.failed, later.nodes]).toEqual([[], []]);
  });

  it('names what is unknown, and selects posts by their addresses', () => {
    const happenings = [
      intent('product/tote'),
      requested(1, ['kitchen', 'tour']),
      createdRequest(1),
      requested(1, ['1'], 'open'),
    ];
    expect(waiting(happenings).unknown).toEqual(['product/tote', 'media-config/open@1']);
    const only = waiting(happenings, {
      selection: { only: ['*kitchen', 'download/hero/t*'], exclude: ['*tour'] },
    });
    expect(only.nodes).toEqual(['media/hero/kitchen@1', 'download/hero/kitchen@1']);
    expect(only.unknown).toEqual(['product/tote']);
    expect(only.plan.notSelected).toBe(2);
  });
});
