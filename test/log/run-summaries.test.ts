import { expect, it } from 'vitest';
import type { RunSummary } from '../../src/model/run-summary.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { createRunSummaries } from '../../src/log/run-summaries.ts';
import { EVENTS } from '../store/file/sample-log.ts';

const [started, , created, , finished] = EVENTS as [
  StateEvent,
  StateEvent,
  StateEvent,
  StateEvent,
  StateEvent,
];

/** What a log says about its runs; every record's checksum is ten times its number. */
function summaries(...lines: readonly (readonly [run: string, event: StateEvent])[]): RunSummary[] {
  const runs = createRunSummaries();
  lines.forEach(([run, event], index) => runs.add({ seq: index + 1, run, event }, (index + 1) * 10));
  return runs.list();
}

const FIRST = {
  run: 'one',
  command: 'apply',
  version: '0.1.0',
  manifest: 'campaign.yaml',
  startedAt: '2026-03-01T10:00:00.000Z',
  by: 'anna@studio',
};
const END = { at: '2026-03-01T10:00:00.000Z', outcome: 'undecided', exitCode: 4 };

it('say who ran what, how it ended, and which record was its last', () => {
  const inCi = { ...started, ci: 'https://ci.example.com/7' } as StateEvent;
  expect(summaries(['one', inCi], ['one', created], ['one', finished])).toEqual([
    {
      ...FIRST,
      ci: 'https://ci.example.com/7',
      last: { seq: 3, crc: 30 },
      end: { ...END, nodes: (finished as Extract<StateEvent, { type: 'run-finished' }>).nodes },
    },
  ]);
});

it('say nothing of what a run did not say', () => {
  expect(summaries(['one', started])).toStrictEqual([{ ...FIRST, last: { seq: 1, crc: 10 } }]);
});

it('know the last record of each run, in the order of their starts', () => {
  expect(
    summaries(['one', started], ['one', created], ['two', started], ['one', created], ['two', created]),
  ).toMatchObject([
    { run: 'one', last: { seq: 4, crc: 40 } },
    { run: 'two', last: { seq: 5, crc: 50 } },
  ]);
});

it('know nothing of a run whose start is not there', () => {
  expect(summaries(['one', created], ['two', created], ['one', finished])).toEqual([]);
});

it('name what was decided, the first of it where it is much', () => {
  const at = '2026-03-01T10:00:00.000Z';
  const forgotten = (n: number): StateEvent => ({ type: 'forgotten', at, address: `product/${n}` });
  const resolved: StateEvent = { type: 'resolved', at, address: 'concept/c', decision: 'not-created' };
  const accepted: StateEvent = { type: 'accepted', at, address: 'product/1', inputs: {}, fingerprint: 'f' };
  const rebound: StateEvent = { type: 'rebound', at, campaign: 'c', environment: 'e', base_url: 'b' };
  const many = [1, 2, 3, 4, 5].map((n) => ['two', forgotten(n)] as const);
  const runs = summaries(
    ['one', started],
    ['one', resolved],
    ['one', accepted],
    ['one', rebound],
    ['two', started],
    ...many,
    ['three', resolved],
  );
  expect(runs.map(({ decided }) => decided)).toEqual([
    {
      count: 3,
      first: [
        { decision: 'not-created', address: 'concept/c' },
        { decision: 'accepted', address: 'product/1' },
        { decision: 'rebound' },
      ],
    },
    {
      count: 5,
      first: [1, 2, 3].map((n) => ({ decision: 'forgotten', address: `product/${n}` })),
    },
  ]);
});

it('take over what a compacted log kept, as it was', () => {
  const run: RunSummary = { ...FIRST, run: 'older', last: { seq: 99, crc: 990 } };
  const kept: StateEvent = { type: 'kept', at: '', run };
  expect(summaries(['one', kept], ['two', created])).toEqual([run]);
});
