import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/run-event.ts';
import { createNews, eventLine } from '../../src/render/run-lines.ts';
import { PLAIN } from '../support/plain-style.ts';

type Finished = Extract<RunEvent, { type: 'node-finished' }>;

const finished = (event: Partial<Finished>): Finished => ({
  type: 'node-finished',
  address: 'product/tote',
  kind: 'product',
  action: 'create',
  end: 'done',
  ms: 400,
  ...event,
});
const media = (event: Partial<Finished>) => finished({ address: 'media/hero/1@2', kind: 'media', ...event });
const problem = { summary: 'Refused', detail: 'No such variant.' };

describe('the line of an event', () => {
  it.each<[RunEvent, string]>([
    [finished({}), '  ✓ product/tote created (0.4 s)'],
    [finished({ action: 'update', ms: 12_345 }), '  ✓ product/tote updated (12 s)'],
    [finished({ address: 'concept/a', kind: 'concept' }), '  ✓ concept/a created (0.4 s)'],
    [finished({ address: 'upload/01', kind: 'upload' }), '  ✓ upload/01 uploaded (0.4 s)'],
    [
      finished({ address: 'media-config/hero@2', kind: 'media-config' }),
      '  … media-config/hero@2 requested (0.4 s)',
    ],
    [media({ ms: 200_000 }), '  ✓ media/hero/1 generated (3 min 20 s)'],
    [
      finished({ address: 'download/hero/1@2', kind: 'download', files: ['out/1.png', 'out/2.png'] }),
      '  ✓ media/hero/1 downloaded out/1.png, out/2.png (0.4 s)',
    ],
    [media({ end: 'failed', problem }), '  ✗ media/hero/1 failed: Refused: No such variant. (0.4 s)'],
    [finished({ end: 'rejected', problem }), '  ✗ product/tote rejected: Refused: No such variant. (0.4 s)'],
    [media({ end: 'lost', problem: { summary: 'Gone' } }), '  ✗ media/hero/1 lost: Gone (0.4 s)'],
    [finished({ end: 'unknown' }), '  ✗ product/tote unknown (0.4 s)'],
    [media({ end: 'pending' }), '  … media/hero/1 pending (0.4 s)'],
    [
      { type: 'run-stopping', awaited: 3, creates: 2, ms: 19_900 },
      '  ! Stopping: waiting for 3 creates or updates (at most 20 s).\n    Ctrl-C again ends now; what has no answer then needs `campaign resolve`.',
    ],
    [
      { type: 'run-stopping', awaited: 1, creates: 0, ms: 19_900 },
      '  ! Stopping: waiting for 1 create or update (at most 20 s).\n    Ctrl-C again ends now.',
    ],
    [
      { type: 'run-stopping', awaited: 0, creates: 0, ms: 20_000 },
      '  ! Stopping: no create or update is under way.',
    ],
    [
      { type: 'run-stopping', awaited: 0, creates: 2, ms: 0 },
      '  ! Ending now: 2 creates have no answer, and need `campaign resolve`.',
    ],
    [media({ end: 'put-off', problem }), '  … media/hero/1 put off: Refused: No such variant. (0.4 s)'],
    [media({ end: 'blocked' }), '  ✗ media/hero/1 blocked (0.4 s)'],
    [media({ end: 'blocked', ms: 0 }), '  ✗ media/hero/1 blocked'],
    [
      {
        type: 'node-waiting',
        address: 'upload/01',
        kind: 'upload',
        why: 'throttled',
        ms: 2_000,
        problem: { summary: 'Slow down' },
      },
      '  … upload/01: Slow down; next try in 2.0 s',
    ],
    [{ type: 'node-moved', from: 'product/a', to: 'product/b' }, '  ✓ product/a → product/b moved'],
    [{ type: 'warning', summary: 'Few' }, '  ! Few'],
    [{ type: 'warning', summary: 'Few', detail: 'Left.' }, '  ! Few: Left.'],
  ])('of %o', (event, line) => {
    expect(eventLine(event, PLAIN)).toBe(line);
  });

  it.each<RunEvent>([
    finished({ address: 'media-config/hero@1', kind: 'media-config', end: 'blocked' }),
    finished({ address: 'download/hero/1@1', kind: 'download', end: 'blocked' }),
    { type: 'node-waiting', address: 'media/hero/1@1', kind: 'media', why: 'poll', ms: 5 },
    { type: 'node-waiting', address: 'media/hero/1@1', kind: 'media', why: 'retry', ms: 5 },
    { type: 'node-started', address: 'media/hero/1@1', kind: 'media', attempt: 1 },
    { type: 'version', campaign: '1', format_version: '1.0' },
  ])('is none of %o', (event) => {
    expect(eventLine(event, PLAIN)).toBeUndefined();
  });

  it('tells a cause once, however many nodes fail with it', () => {
    const news = createNews(PLAIN);
    expect(
      [1, 2, 3].map((n) => news(media({ address: `media/hero/${n}@1`, end: 'failed', problem }))),
    ).toEqual([
      '  ✗ media/hero/1 failed: Refused: No such variant. (0.4 s)',
      '  ✗ media/hero/2 failed (0.4 s)',
      '  ✗ media/hero/3 failed (0.4 s)',
    ]);
  });

  it('tells once why nodes are put off, and when to come back', () => {
    const news = createNews(PLAIN);
    const quota = { summary: 'The service asks to slow down', retry_at: '2026-11-22T08:29:30.000Z' };
    const putOff = (n: number, cause: object): RunEvent =>
      finished({ address: `product/p${n}`, end: 'put-off', ms: 0, ...cause });
    expect([
      news(putOff(1, { problem: quota })),
      news(putOff(2, { problem: { ...quota, retry_at: '2026-11-22T08:31:00.000Z' } })),
      news(putOff(3, {})),
    ]).toEqual([
      '  … product/p1 put off: The service asks to slow down; come back after 2026-11-22 08:30 UTC',
      undefined,
      undefined,
    ]);
  });

  it('tells why nodes wait once, whatever their ids', () => {
    const news = createNews(PLAIN);
    const waiting = (n: number, ms: number): RunEvent => ({
      type: 'node-waiting',
      address: `media/hero/${n}@1`,
      kind: 'media',
      why: 'retry',
      ms,
      problem: {
        summary: 'The service failed',
        detail: `GET /media/00000000-0000-4000-8000-00000000000${n}/: the service failed (503): Gone.`,
      },
    });
    expect([news(waiting(1, 20)), news(waiting(2, 900)), news(waiting(3, 900))]).toEqual([
      '  … media/hero/1: The service failed: GET /media/{id}/: the service failed (503): Gone; next try at once',
      undefined,
      undefined,
    ]);
  });

  it('shows nothing of a problem that moves a cursor', () => {
    const event = media({ end: 'failed', problem: { summary: 'a\u001b[2Jb', detail: 'c\nd' } });
    expect(eventLine(event, PLAIN)).toBe('  ✗ media/hero/1 failed: ab: c d (0.4 s)');
  });
});
