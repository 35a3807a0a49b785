import { expect, it, vi } from 'vitest';
import { IS_FULL } from '../sweep/stride.ts';
import { BEGIN, NIGHTS, playNights } from './nights.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const GIVEN = process.env['SIM_SEED'];
const SEEDS = GIVEN === undefined ? (IS_FULL ? [1, 2, 3] : [1]) : [Number(GIVEN)];

/** In the short form: around the changes of the clocks, the ends of months and of the year. */
const TURNS = ['2026-10-25', '2026-11-01', '2026-12-31', '2027-01-04', '2027-03-14', '2027-03-28'];
const ALL = Array.from({ length: NIGHTS }, (_, night) => night);
const WHICH =
  IS_FULL || GIVEN !== undefined ? ALL : ALL.filter((night) => TURNS.some((day) => isNear(night, day)));

function isNear(night: number, day: string): boolean {
  return Math.abs((Date.parse(day) - Date.parse(BEGIN)) / 86_400_000 - night) < 4;
}

it.each(SEEDS)(
  'makes the posts of each period once, whatever breaks, and a missed period only when asked (scenario 37): seed %i',
  { timeout: 900_000 },
  async (seed) => {
    const started = performance.now();
    const { problem, ...tally } = await playNights(seed, WHICH);
    console.log(
      `nights: SIM_SEED=${seed}: ${JSON.stringify(tally)} in ${Math.round(performance.now() - started)} ms`,
    );
    expect(problem).toBeUndefined();
    expect(Math.min(tally.missed, tally.died, tally.asked, tally.posts)).toBeGreaterThan(0);
  },
);
