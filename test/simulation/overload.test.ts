/** A service that allows half, or a tenth, of what an apply would like: scenario 16. */
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { Clock } from '../../src/util/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createMemoryRecorder } from '../support/memory-recorder.ts';
import { applySimulated, type SimulatedRun } from '../support/simulated-apply.ts';
import {
  bucketLimit,
  concurrencyLimit,
  type SimulatedLimit,
  windowLimit,
} from '../support/simulated-limit.ts';
import { createSimulatedService } from '../support/simulated-service.ts';
import { campaignOf } from '../support/simulated-campaign.ts';
import { everyNth, IS_FULL } from '../sweep/stride.ts';

const SLOTS = 8;
const LATENCY_MS = 100;
/** Requests a second, if they were all answered. */
const WANTED = (SLOTS * 1000) / LATENCY_MS;
const SEEDS = ['a', 'b', 'c', 'd', 'e'];

interface Kind {
  readonly name: string;
  readonly allowed: (overload: number) => number;
  readonly limit: (overload: number, clock: Clock) => SimulatedLimit;
}

const slots = (overload: number) => Math.max(1, Math.round(SLOTS / overload));
const rate = (overload: number) => WANTED / overload;
const KINDS: readonly Kind[] = [
  { name: 'by the second', allowed: rate, limit: (overload, clock) => windowLimit(rate(overload), clock) },
  {
    name: 'with a bucket',
    allowed: rate,
    limit: (overload, clock) => bucketLimit({ perSecond: rate(overload), burst: rate(overload), clock }),
  },
  {
    name: 'by requests at once',
    allowed: (overload) => (slots(overload) * 1000) / LATENCY_MS,
    limit: (overload) => concurrencyLimit(slots(overload)),
  },
];

const cases = KINDS.flatMap((kind) =>
  [2, 10].flatMap((overload) =>
    (['told', 'silent'] as const).map((retryAfter) => ({ kind, overload, retryAfter })),
  ),
);

const figures: string[] = [];
afterAll(() =>
  console.log(
    `1,000 posts, some seeds each, share of what is allowed (refused after the first minute):\n${figures.join('\n')}`,
  ),
);

async function apply(
  seed: string,
  { kind, overload, retryAfter }: (typeof cases)[number],
): Promise<SimulatedRun> {
  const clock = createManualClock();
  const random = seededRandom(seed);
  return applySimulated({
    words: campaignOf({ posts: 1000, perRequest: 1 }),
    clock,
    random,
    recorder: createMemoryRecorder(),
    limits: { total: SLOTS, mediaInFlight: 1000 },
    network: {
      service: createSimulatedService({ clock, making: () => ({ ms: 2000 + 2000 * random() }) }),
      latency: () => LATENCY_MS * (0.5 + random()),
      limit: kind.limit(overload, clock),
      retryAfter,
    },
  });
}

describe('an apply of 1,000 posts to a service that limits', () => {
  it.each(everyNth(cases, 2))(
    '$kind.name, at $overload × its capacity, Retry-After $retryAfter: 80 % of what is allowed, a tenth refused',
    async (given) => {
      const rows: string[] = [];
      // All five in `npm run test:sweep`; as a part of `npm run test:system`, and in `.ci/run`, each case has another one.
      const seeds = SEEDS.filter((_, index) => IS_FULL || index === cases.indexOf(given) % SEEDS.length);
      for (const seed of seeds) {
        const { calls, ms, report } = await apply(`${seed} ${given.retryAfter}`, given);
        const served = calls.filter(({ end }) => end === 'ok').length;
        const used = served / (ms / 1000) / given.kind.allowed(given.overload);
        const late = calls.filter(({ at }) => at >= 60_000);
        const refused = late.filter(({ end }) => end === 'throttled').length / late.length;
        rows.push(`${Math.round(100 * used)} % (${(100 * refused).toFixed(1)} %)`);
        expect(used).toBeGreaterThanOrEqual(0.8);
        expect(refused).toBeLessThan(0.1);
        // Nothing fails for being throttled: at worst a few nodes are left to the next run.
        expect(new Set([...report.ends.values(), 'put-off'])).toEqual(new Set(['done', 'put-off']));
        expect(report.stopped.size).toBe(0);
      }
      figures.push(`${given.kind.name}, ${given.overload} ×, ${given.retryAfter}: ${rows.join(', ')}`);
    },
  );

  it('for one route alone slows that route alone', async () => {
    const clock = createManualClock();
    const random = seededRandom('route');
    const creates = windowLimit(2, clock);
    const { calls, ms, report } = await applySimulated({
      words: campaignOf({ posts: 300, perRequest: 1 }),
      clock,
      random,
      recorder: createMemoryRecorder(),
      network: {
        service: createSimulatedService({ clock, making: () => ({ ms: 2000 }) }),
        latency: () => LATENCY_MS,
        fault: ({ route }) =>
          route === 'POST /media-config/' && creates.refuses() ? { status: 429, retryAfter: 1 } : undefined,
      },
    });
    const throttled = calls.filter(({ end }) => end === 'throttled');
    const late = calls.filter(({ route, at }) => route === 'POST /media-config/' && at >= 60_000);
    const refused = late.filter(({ end }) => end === 'throttled').length / late.length;
    figures.push(
      `creates alone, 2 a second: ${Math.round(ms / 1000)} s for 300 (150 s at best), ${(100 * refused).toFixed(1)} % refused`,
    );
    expect(ms).toBeLessThan(150_000 / 0.8);
    expect(refused).toBeLessThan(0.1);
    expect(new Set(throttled.map(({ route }) => route))).toEqual(new Set(['POST /media-config/']));
    // The third refusal of a create leaves it to the next run.
    const ends = [...report.ends.values()];
    expect(ends.filter((end) => end !== 'done' && end !== 'put-off')).toEqual([]);
    expect(ends.filter((end) => end === 'done').length).toBeGreaterThan(0.95 * ends.length);
  });
});
