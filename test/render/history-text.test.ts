import { expect, it } from 'vitest';
import type { RunSummary } from '../../src/model/run-summary.ts';
import { historyText } from '../../src/render/history-text.ts';

const NODES = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 9,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

function run(command: string, rest: Partial<RunSummary> = {}): RunSummary {
  return {
    run: 'r',
    command,
    version: '0.1.0',
    manifest: 'campaign.yaml',
    startedAt: '2026-03-01T10:00:00.000Z',
    by: 'mia@studio',
    last: { seq: 1, crc: 1 },
    end: { at: '2026-03-01T10:00:02.000Z', outcome: 'succeeded', exitCode: 0, nodes: NODES },
    ...rest,
  };
}

const forgotten = (address: string) => ({ decision: 'forgotten' as const, address });

it('says of each run what it changed, and what a person decided in it', () => {
  const asked = {
    count: 3,
    first: [
      { decision: 'created', address: 'product/tote' },
      { decision: 'not-created', address: 'media-config/hero@1' },
      { decision: 'skipped', address: 'media/hero/1@1' },
    ],
  } as const;
  const many = { count: 9, first: ['a', 'b', 'c'].map((key) => forgotten(`product/${key}`)) };
  const moved = { at: '2026-03-01T10:00:02.000Z', outcome: 'succeeded', exitCode: 0 } as const;
  const runs = [
    run('resolve', { decided: asked }),
    run('state rm product/*', { decided: many }),
    run('state accept', {
      decided: { count: 1, first: [{ decision: 'accepted', address: 'product/a' }] },
      end: { ...moved, nodes: { ...NODES, moved: 1 } },
    }),
    run('state use', { decided: { count: 1, first: [{ decision: 'rebound' }] } }),
    run('apply'),
  ];
  expect(historyText(runs, false)).toBe(`\
r  2026-03-01 10:00:00Z  succeeded  2.0 s  mia@studio
    resolve: product/tote created, media-config/hero@1 not created,
        media/hero/1@1 given up
r  2026-03-01 10:00:00Z  succeeded  2.0 s  mia@studio
    state rm product/*: product/a forgotten, product/b forgotten, product/c
        forgotten and 6 more
r  2026-03-01 10:00:00Z  succeeded  2.0 s  mia@studio
    state accept: 1 moved, product/a accepted
r  2026-03-01 10:00:00Z  succeeded  2.0 s  mia@studio
    state use: rebound
r  2026-03-01 10:00:00Z  succeeded  2.0 s  mia@studio
    apply
`);
});

it('says so of a run without an end, and what had been decided in it', () => {
  const { end: _, ...killed } = run('resolve', { decided: { count: 1, first: [forgotten('product/a')] } });
  expect(historyText([killed], false)).toBe(
    'r  2026-03-01 10:00:00Z  killed: no end  mia@studio\n    resolve: product/a forgotten\n',
  );
  expect(historyText([killed], true)).toBe(
    'r  2026-03-01 10:00:00Z  running  mia@studio\n    resolve: product/a forgotten\n',
  );
});
