import { describe, expect, it } from 'vitest';
import { NO_NODES } from '../../../src/model/node-counts.ts';
import type { EndedRun } from '../../../src/cli/notices/collect-runs.ts';
import { heartbeatJson, notificationJson, summaryText } from '../../../src/cli/notices/summary.ts';
import type { ExitCode } from '../../../src/model/exit.ts';
import type { NodeCounts } from '../../../src/model/run-event.ts';
import { NOTHING_LEFT } from '../../../src/views/run-counts.ts';
import { isHeartbeat, isNotification } from './valid.ts';

const AT = Date.UTC(2026, 10, 22, 2);

const NAMES = { manifest: 'm.yaml', campaign: 'small', environment: 'production' };

function ran(exit: ExitCode, nodes: Partial<NodeCounts> = {}, more: Partial<EndedRun> = {}): EndedRun {
  const times = { startedAt: AT, finishedAt: AT + 60_000 };
  const money = { cost: null, currency: null, postsMade: 0, hasChanged: false };
  const left = { ...NOTHING_LEFT, pending: nodes.pending ?? 0 };
  return {
    ...NAMES,
    ...times,
    ...money,
    exit,
    nodes: { ...NO_NODES, ...nodes },
    left,
    problems: [],
    ...more,
  };
}

function unread(manifest?: string): EndedRun {
  const { campaign: _, environment: __, manifest: ___, ...run } = ran(65);
  return { ...run, ...(manifest === undefined ? {} : { manifest }) };
}

const ended = (exit: ExitCode, ...runs: readonly EndedRun[]) => ({
  exit,
  startedAt: AT,
  finishedAt: AT + 90_000,
  runs,
});

const ONE = ended(1, ran(1, { created: 14, failed: 1 }, { postsMade: 12, cost: 1.3, currency: 'EUR' }));
const TWO = ended(
  65,
  ran(0, { created: 3, downloaded: 1 }, { postsMade: 1, cost: 0.1, currency: 'EUR' }),
  unread('b.yaml'),
);

describe('the heartbeat', () => {
  it('of one manifest has its names, counts and cost', () => {
    expect(heartbeatJson(ONE)).toEqual({
      campaign: 'small',
      environment: 'production',
      started_at: '2026-11-22T02:00:00.000Z',
      finished_at: '2026-11-22T02:01:30.000Z',
      outcome: 'failed',
      exit_code: 1,
      nodes: { ...NO_NODES, created: 14, failed: 1 },
      cost: 1.3,
    });
    expect(isHeartbeat(heartbeatJson(ONE))).toEqual([]);
  });

  it('of several manifests is their sum, with each of them below it', () => {
    expect(heartbeatJson(TWO)).toMatchObject({
      campaign: null,
      environment: null,
      outcome: 'invalid',
      nodes: { ...NO_NODES, created: 3, downloaded: 1 },
      cost: null,
      manifests: [
        { manifest: 'm.yaml', campaign: 'small', outcome: 'succeeded', cost: 0.1 },
        { manifest: 'b.yaml', campaign: null, environment: null, outcome: 'invalid', cost: null },
      ],
    });
    expect(isHeartbeat(heartbeatJson(TWO))).toEqual([]);
    const priced = ran(0, {}, { cost: 0.2, currency: 'EUR' });
    expect(heartbeatJson(ended(0, priced, priced))).toMatchObject({ cost: 0.4 });
    const other = ran(0, {}, { cost: 0.2, currency: 'USD' });
    expect(heartbeatJson(ended(0, priced, other))).toMatchObject({ cost: null });
  });
});

it('the notification tells failures by their causes apart from other problems', () => {
  const position = { file: 'm.yaml', line: 3, column: 5 };
  const failure = {
    code: 'media-failed',
    summary: 'No picture',
    detail: 'dark',
    position,
    addresses: ['media/a/1@1'],
  };
  const warning = { code: 'warning', severity: 'warning', summary: 'Look at this' } as const;
  const run = ran(1, { failed: 1 }, { problems: [warning, failure], next: 'Run again.' });
  const told = notificationJson(ended(1, run));
  expect(isNotification(told)).toEqual([]);
  expect(told).toMatchObject({
    format_version: '1.0',
    changed: false,
    posts_made: 0,
    text: '1 failed (small, production)',
    manifests: [
      {
        manifest: 'm.yaml',
        failures: [{ severity: 'error', code: 'media-failed', line: 3, addresses: ['media/a/1@1'] }],
        problems: [{ severity: 'warning', code: 'warning', summary: 'Look at this' }],
        next: 'Run again.',
      },
    ],
  });
  expect(isNotification(notificationJson(TWO))).toEqual([]);
});

describe('the line for people', () => {
  it.each([
    [ONE, '12 posts made, 1 failed (small, production)'],
    [TWO, 'invalid, 1 post made (2 manifests)'],
    [ended(0, ran(0, { unchanged: 4 })), 'nothing changed (small, production)'],
    [ended(0, ran(0, { created: 2, updated: 1 })), '2 created, 1 updated (small, production)'],
    [ended(0, ran(0, { replaced: 1, downloaded: 1 }, { postsMade: 1 })), '1 post made (small, production)'],
    [ended(0, ran(0, { downloaded: 2 })), '2 files downloaded (small, production)'],
    [ended(3, ran(3, { pending: 2 })), '2 pending (small, production)'],
    [
      ended(
        5,
        ran(5, { pending: 5 }, { left: { ...NOTHING_LEFT, pending: 2, to_request: 3, over_budget: 1 } }),
      ),
      'needs-consent, 2 pending, 3 to request, 1 over budget (small, production)',
    ],
    [ended(4, ran(4, { unknown: 1, blocked: 2 })), '2 blocked, 1 unknown (small, production)'],
    [ended(5, ran(5, { unchanged: 4 })), 'needs-consent (small, production)'],
    [ended(69, ran(69, { failed: 1 })), 'unavailable, 1 failed (small, production)'],
    [ended(130, ran(130, { created: 3, pending: 1 })), 'cancelled, 3 created, 1 pending (small, production)'],
    [ended(65, unread('m.yaml')), 'invalid (m.yaml)'],
    [ended(65, unread()), 'invalid (no manifest)'],
  ])('%#: %s', (command, text) => {
    expect(summaryText(command)).toBe(text);
  });
});
