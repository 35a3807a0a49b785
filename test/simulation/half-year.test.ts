import { expect, it, vi } from 'vitest';
import { IS_FULL } from '../sweep/stride.ts';
import { NIGHTS, playHalfYear } from './half-year.ts';
import { MISTAKES } from './half-year-mistakes.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const GIVEN = process.env['SIM_SEED'];
const SEEDS = GIVEN === undefined ? (IS_FULL ? [1, 2, 3] : [1]) : [Number(GIVEN)];
const LONG = IS_FULL || GIVEN !== undefined ? NIGHTS : 35;

it.each(SEEDS)(
  'deletes nothing that the manifest names or something kept refers to, buys nothing twice, loses no result (scenario 39): seed %i',
  { timeout: 900_000 },
  async (seed) => {
    const started = performance.now();
    const { problem, ...tally } = await playHalfYear(seed, LONG);
    console.log(
      `half a year: SIM_SEED=${seed}: ${JSON.stringify(tally)} in ${Math.round(performance.now() - started)} ms`,
    );
    expect(problem).toBeUndefined();
    expect(Math.min(...Object.values(tally))).toBeGreaterThan(0);
  },
);

/** In the short form those that show within a few nights. */
const NOTICED = IS_FULL ? MISTAKES : [...MISTAKES.slice(0, 1), ...MISTAKES.slice(-2)];
const MOST_SEEDS = 30;

it.each(NOTICED)('notices a campaign that %s', { timeout: 900_000 }, async (_, mistake, notices) => {
  let problem: string | undefined;
  for (let seed = 1; seed <= MOST_SEEDS && problem === undefined; seed += 1)
    ({ problem } = await playHalfYear(seed, 50, mistake));
  expect(problem).toMatch(notices);
});
