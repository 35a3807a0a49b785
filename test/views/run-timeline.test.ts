import { expect, it } from 'vitest';
import type { Attempt } from '../../src/model/attempt.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { type Bar, drawLane, MOST_ROWS, WIDTH } from '../../src/views/lanes.ts';
import { timelineOf } from '../../src/views/run-timeline.ts';
import { createTimelines } from '../../src/views/timelines.ts';
import { partsOfTime, timeSentence } from '../../src/views/time-parts.ts';
import { intent, requested } from '../log/fold-events.ts';

const START = Date.parse('2026-11-22T10:00:00.000Z');
const at = (ms: number) => new Date(START + ms).toISOString();
const place = { seq: 1, crc: 1 };

const RUN = {
  run: '3f0c9a1e',
  command: 'apply',
  version: '1.0.0',
  manifest: 'm.yaml',
  startedAt: at(0),
  last: place,
  by: 'anna@studio',
  end: { at: at(10_000), outcome: 'succeeded', exitCode: 0, nodes: {} as never },
} as const;

const event = (ms: number, happening: object) => ({ ...happening, at: at(ms) }) as StateEvent;
const tried = (address: string, begin: number, end: number, came: Attempt['came'] = 'result'): Attempt => ({
  address,
  begin: START + begin,
  end: START + end,
  came,
});

/** Creates with a retry, two posts, one of them generated and downloaded. */
const EVENTS = [
  event(500, {
    type: 'uploaded',
    address: 'upload/0123456789abcdef',
    inputs: {},
    fingerprint: 'f',
    result: {},
  }),
  event(1_000, intent('concept/morning')),
  event(1_400, { type: 'throttled', address: 'concept/morning', problem: { summary: 'slow down' } }),
  event(2_400, { ...intent('concept/morning'), attempt: 2 }),
  event(2_500, { type: 'created', address: 'concept/morning', result: { id: 'c' } }),
  event(3_000, requested(1, ['a', 'b'])),
  event(4_000, {
    type: 'created',
    address: 'media-config/hero@1',
    result: { id: 'r', concept: 'c', items: { a: {}, b: {} } },
  }),
  event(8_000, { type: 'generated', address: 'media/hero/a@1', result: { id: 'm', urls: [] } }),
  event(9_000, { type: 'downloaded', address: 'download/hero/a@1', result: { media: 'm', files: [] } }),
];

it('shows of the log what has a beginning and an end, and says which moments it only knows', () => {
  const { recorded, ms, lanes, parts, sentence } = timelineOf(RUN, {
    events: EVENTS,
    attempts: [],
    now: undefined,
  });
  expect([recorded, ms]).toEqual(['log', 10_000]);
  expect(lanes.map((lane) => ({ ...lane, rects: undefined }))).toEqual([
    {
      kind: 'upload',
      atOnce: 1,
      rows: 1,
      requests: 1,
      again: 0,
      workingMs: null,
      waitingMs: 0,
      longest: null,
    },
    {
      kind: 'concept',
      atOnce: 1,
      rows: 1,
      requests: 2,
      again: 1,
      workingMs: 500,
      waitingMs: 0,
      longest: { address: 'concept/morning', ms: 400 },
    },
    {
      kind: 'media-config',
      atOnce: 1,
      rows: 1,
      requests: 1,
      again: 0,
      workingMs: 1_000,
      waitingMs: 0,
      longest: { address: 'media-config/hero@1', ms: 1_000 },
    },
    // The second post is still being generated at the end.
    {
      kind: 'media',
      atOnce: 2,
      rows: 2,
      requests: 0,
      again: 0,
      workingMs: null,
      waitingMs: 10_000,
      longest: null,
    },
    {
      kind: 'download',
      atOnce: 1,
      rows: 1,
      requests: 1,
      again: 0,
      workingMs: null,
      waitingMs: 0,
      longest: null,
    },
  ]);
  expect(parts).toEqual([
    { part: 'generating', ms: 6_000 },
    { part: 'other', ms: 2_500 },
    { part: 'sending', ms: 1_500 },
    { part: 'downloading', ms: 0 },
    { part: 'waiting', ms: 0 },
  ]);
  expect(sentence).toBe(
    'Of 10 s, 6.0 s (60 %) went into waiting for the service to generate the posts, and 2.5 s (25 %) into reading, planning and everything else.',
  );
});

it('shows every attempt where the run has noted them, with its waits and what was tried again', () => {
  const attempts = [
    tried('upload/0123456789abcdef', 0, 1_000),
    tried('concept/morning', 1_000, 1_400, 'throttled'),
    tried('concept/morning', 2_400, 2_500),
    tried('media-config/hero@1', 3_000, 4_000),
    tried('media/hero/a@1', 4_000, 4_100, 'pending'),
    tried('media/hero/a@1', 6_000, 6_100, 'server-error'),
    tried('media/hero/a@1', 7_900, 8_000),
    tried('download/hero/a@1', 8_000, 9_500),
    // Asked for once more before the run ended.
    tried('media/hero/b@1', 9_500, 9_600, 'pending'),
    // Of another run.
    tried('download/hero/z@1', 60_000, 60_001),
  ];
  const { recorded, lanes, parts } = timelineOf(RUN, { events: EVENTS, attempts, now: undefined });
  expect(recorded).toBe('attempts');
  expect(
    lanes.map(({ kind, requests, again, workingMs, waitingMs }) => [
      kind,
      requests,
      again,
      workingMs,
      waitingMs,
    ]),
  ).toEqual([
    ['upload', 1, 0, 1_000, 0],
    ['concept', 2, 1, 500, 1_000],
    ['media-config', 1, 0, 1_000, 0],
    ['media', 4, 1, 400, 4_100],
    ['download', 1, 0, 1_500, 0],
  ]);
  expect(lanes[3]?.rects).toEqual({
    working: [800, 20, 0, 1_200, 20, 0, 1_900, 20, 0],
    again: [1_580, 20, 0],
    generating: [820, 380, 0, 1_920, 80, 0],
    waiting: [1_220, 360, 0],
  });
  expect(Object.fromEntries(parts.map(({ part, ms }) => [part, ms]))).toEqual({
    sending: 2_500,
    waiting: 1_000 + 1_800,
    generating: 2_200 + 500,
    downloading: 1_500,
    other: 500,
  });
  expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBe(10_000);
});

it('goes on to now where the run is under way, and knows nothing of a run of which the log was compacted', () => {
  const { end: _, ...unended } = RUN;
  const open = timelineOf(unended, {
    events: [event(1_000, requested(1, ['a']))],
    attempts: [],
    now: START + 5_000,
  });
  expect([open.ms, open.outcome, open.lanes[0]?.workingMs]).toEqual([5_000, null, 4_000]);
  const killed = timelineOf(unended, { events: EVENTS, attempts: [], now: undefined });
  expect(killed.ms).toBe(9_000);
  const compacted = timelineOf(RUN, { events: [], attempts: [], now: undefined });
  expect(compacted).toMatchObject({ recorded: 'nothing', lanes: [], parts: [], sentence: '' });
});

it('keeps the records of the last ten runs', () => {
  const timelines = createTimelines();
  const runs = Array.from({ length: 12 }, (_, index) => ({ ...RUN, run: `run-${index}` }));
  for (const { run } of runs) EVENTS.forEach((each, seq) => timelines.visit({ seq, run, event: each }));
  const shown = timelines.of(runs, [], undefined);
  expect(shown.map(({ run }) => run)).toEqual(Array.from({ length: 10 }, (_, index) => `run-${11 - index}`));
  expect(new Set(shown.map(({ recorded }) => recorded))).toEqual(new Set(['log']));
});

it('draws ten thousand requests as some hundred rectangles, in few rows, and none too narrow to be seen', () => {
  const bars = Array.from({ length: 10_000 }, (_, index): Bar => {
    const begin = (index % 50) * 0.01 + Math.floor(index / 50) * 300;
    return {
      node: `media/hero/${index}@1`,
      begin,
      end: begin + 200,
      kind: index % 500 ? 'working' : 'again',
    };
  });
  const { atOnce, rows, rects } = drawLane(bars, 60_000);
  expect([atOnce, rows]).toEqual([50, MOST_ROWS]);
  const all = Object.values(rects).flat();
  expect(all.length / 3).toBeLessThan(WIDTH * MOST_ROWS);
  const widths = all.filter((_, index) => index % 3 === 1);
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(1);
  expect(rects.again?.length).toBe(60);
  expect(drawLane([], 0)).toEqual({ atOnce: 0, rows: 0, rects: {} });
  // A clock that was set back during the run.
  expect(drawLane([{ node: 'product/a', begin: 50, end: -10, kind: 'working' }], 100).rects).toEqual({
    working: [1_000, 1, 0],
  });
});

it('gives each moment to one part, whatever overlaps', () => {
  const parts = partsOfTime(
    [
      { part: 'generating', begin: -50, end: 900 },
      { part: 'waiting', begin: 100, end: 200 },
      { part: 'sending', begin: 0, end: 50 },
      { part: 'downloading', begin: 40, end: 100 },
      { part: 'waiting', begin: 900, end: 2_000 },
    ],
    1_000,
  );
  expect(parts).toEqual([
    { part: 'generating', ms: 800 },
    { part: 'waiting', ms: 100 },
    { part: 'sending', ms: 50 },
    { part: 'downloading', ms: 50 },
    { part: 'other', ms: 0 },
  ]);
  expect(timeSentence(partsOfTime([], 0), 0)).toBe('The run took no time.');
});
