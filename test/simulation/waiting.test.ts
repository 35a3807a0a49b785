/** What is waited for, and how: polls, limits, and posts that behave badly (scenario 25). */
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { LimitSettings } from '../../src/engine/limits.ts';
import { listState } from '../../src/views/list-state.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import { applySimulated } from '../support/simulated-apply.ts';
import { campaignOf } from '../support/simulated-campaign.ts';
import type { SimulatedCall } from '../support/simulated-client.ts';
import { createSimulatedService, type Making } from '../support/simulated-service.ts';
import { IS_FULL } from '../sweep/stride.ts';

const figures: string[] = [];
afterAll(() => console.log(figures.join('\n')));

interface Given {
  readonly posts: number;
  readonly perRequest?: number;
  readonly making?: (nth: number) => Making;
  readonly estimate?: (making: Making) => string;
  readonly limits?: Partial<LimitSettings>;
  readonly latencyMs?: number;
}

async function apply({ posts, perRequest = 5, latencyMs = 20, limits = {}, ...service }: Given) {
  const clock = createManualClock();
  const random = seededRandom('waiting');
  const recorder = createMemoryRecorder();
  const run = await applySimulated({
    words: campaignOf({ posts, perRequest }),
    clock,
    random,
    recorder,
    limits,
    network: { service: createSimulatedService({ clock, ...service }), latency: () => latencyMs },
  });
  return { ...run, rows: listState(recorder.state), log: recorder.log };
}

const isPoll = ({ route }: SimulatedCall) => route.startsWith('GET /media/');

/** The most calls within any second; they are in the order in which they left. */
function busiestSecond(calls: readonly SimulatedCall[]): number {
  let first = 0;
  let most = 0;
  for (const [index, { at }] of calls.entries()) {
    while ((calls[first]?.at ?? at) <= at - 1000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** The most calls in flight at the same time. */
function mostAtOnce(calls: readonly SimulatedCall[]): number {
  const changes = calls.flatMap(({ at, endedAt = Infinity }) => [
    { at, by: 1 },
    { at: endedAt, by: -1 },
  ]);
  let inFlight = 0;
  let most = 0;
  for (const { by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
    inFlight += by;
    most = Math.max(most, inFlight);
  }
  return most;
}

describe('500 media of 60 s with 4 request slots', () => {
  it.each([
    ['an estimate', () => '60', 70],
    // Where the last of the ever rarer polls came just too early, one longest wait more.
    ['no estimate', () => '', 60 + 36],
  ])('take little more than 60 s with %s', async (name, estimate, most) => {
    const { ms, calls, report } = await apply({
      posts: 500,
      making: () => ({ ms: 60_000 }),
      estimate,
      limits: { total: 4, mediaInFlight: 500 },
    });
    const polls = calls.filter(isPoll).length;
    figures.push(`500 media of 60 s, ${name}: ${(ms / 1000).toFixed(1)} s, ${polls} polls`);
    expect(new Set(report.ends.values())).toEqual(new Set(['done']));
    expect(ms).toBeGreaterThan(60_000);
    expect(ms).toBeLessThan(most * 1000);
    expect(mostAtOnce(calls)).toBeLessThanOrEqual(4);
  });
});

/** In `npm run test:sweep`; as a part of `npm run test:system` an eighth of them, which would be a storm all the same. */
const PENDING = IS_FULL ? 2000 : 250;

it(`${PENDING} pending media do not poll as a storm`, async () => {
  const { calls, report } = await apply({
    posts: PENDING,
    making: () => ({ ms: 120_000 }),
    limits: { total: 64, mediaInFlight: PENDING },
  });
  const again = calls.filter(isPoll).slice(PENDING);
  figures.push(`${PENDING} media: at most ${busiestSecond(again)} repeated polls in a second`);
  expect(busiestSecond(again)).toBeLessThanOrEqual(110);
  expect(new Set(report.ends.values())).toEqual(new Set(['done']));
});

describe('limits', () => {
  it('requests_per_second is kept to in every second', async () => {
    const { calls } = await apply({ posts: 100, limits: { requestsPerSecond: 10 } });
    const paced = calls.filter(({ route }) => route !== 'POST /get_auth_token');
    expect(busiestSecond(paced)).toBeLessThanOrEqual(11);
    expect(paced.length / ((paced.at(-1)?.at ?? 0) / 1000)).toBeGreaterThan(9.5);
  });

  it('concurrency is kept to, of all kinds and of each', async () => {
    const { calls } = await apply({
      posts: 100,
      limits: { total: 6, perKind: { 'media-config': 2, media: 1 } },
    });
    const most = (route: RegExp) => mostAtOnce(calls.filter((call) => route.test(call.route)));
    expect(mostAtOnce(calls)).toBeLessThanOrEqual(6);
    expect([most(/^POST \/media-config/), most(/^GET \/media\//), most(/^POST \/upload/)]).toEqual([2, 1, 5]);
  });

  it('media_in_flight is kept to: a request waits until its posts fit', async () => {
    const { log } = await apply({
      posts: 100,
      making: () => ({ ms: 5000 }),
      limits: { mediaInFlight: 20 },
    });
    let inFlight = 0;
    let most = 0;
    for (const event of log) {
      if (event.type === 'intent' && event.address.startsWith('media-config/')) inFlight += 5;
      if (event.type === 'generated') inFlight -= 1;
      most = Math.max(most, inFlight);
    }
    expect([most, inFlight]).toEqual([20, 0]);
  });
});

describe('a post', () => {
  const fates = (fate: NonNullable<Making['fate']>) =>
    apply({ posts: 10, making: (nth) => ({ ms: 10_000, ...(nth === 3 ? { fate } : {}) }) });
  const statusesOf = ({ rows }: Awaited<ReturnType<typeof apply>>) =>
    rows.filter(({ kind }) => kind === 'media').map(({ status }) => status);
  const nine = Array.from({ length: 9 }, () => 'done');

  it('that fails is failed, and the others are done', async () => {
    expect(statusesOf(await fates('fails')).sort()).toEqual([...nine, 'failed']);
  });

  it('that is stuck is left pending after media_timeout, with all else done long before', async () => {
    const run = await fates('stuck');
    expect(statusesOf(run).sort()).toEqual([...nine, 'pending']);
    expect([run.ms / 60_000 >= 30, run.ms / 60_000 < 31]).toEqual([true, true]);
  });

  it('whose status nobody knows is pending until it is known', async () => {
    const run = await fates('unknown-status');
    expect(statusesOf(run)).toEqual([...nine, 'done']);
  });

  it('that goes back from done to running is done, and is not asked about again', async () => {
    const run = await fates('goes-back');
    expect(statusesOf(run)).toEqual([...nine, 'done']);
    const generated = run.log.filter(({ type }) => type === 'generated');
    expect(new Set(generated.map((event) => 'address' in event && event.address)).size).toBe(10);
    expect(generated).toHaveLength(10);
  });

  it('that disappears once it was seen is lost', async () => {
    expect(statusesOf(await fates('disappears')).sort()).toEqual([...nine, 'lost']);
  });
});
