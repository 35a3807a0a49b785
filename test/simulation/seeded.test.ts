import { expect, it, vi } from 'vitest';
import { everyNth } from '../sweep/stride.ts';
import { playScript } from './seeded-run.ts';
import type { Storage } from '../support/crash-world.ts';
import { type Script, scriptOf } from './seeded-script.ts';
import { shrink } from './seeded-shrink.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const GIVEN = process.env['SIM_SEED'];
/** All of them in `npm run test:sweep`. */
const SEEDS =
  GIVEN === undefined
    ? everyNth(
        Array.from({ length: 1000 }, (_, seed) => seed + 1),
        36,
      )
    : [Number(GIVEN)];

/** A bug in campaign ends a script too. */
const play = (script: Script, storage: Storage) =>
  playScript(script, storage).catch((error: unknown) => String(error));

/** Which rule is broken, without where: a smaller script has to break the same one. */
const kindOf = (problem: string | undefined) => problem?.replace(/^run \d+: /, '').split(':')[0];

it.each<[Storage, readonly number[]]>([
  ['file', SEEDS],
  // It breaks in fewer ways.
  ['memory', GIVEN === undefined ? SEEDS.filter((seed) => seed % 5 === 0) : SEEDS],
])(
  'whatever breaks, and whatever is edited meanwhile, every seed comes to its end (scenarios 28, 35): %s',
  {
    timeout: 900_000,
  },
  async (storage, seeds) => {
    const started = performance.now();
    const failures: string[] = [];
    for (const seed of seeds) {
      const script = scriptOf(seed);
      const problem = await play(script, storage);
      if (problem === undefined) continue;
      const smallest = await shrink(
        script,
        async (smaller) => kindOf(await play(smaller, storage)) === kindOf(problem),
      );
      failures.push(
        `SIM_SEED=${seed} (${storage}): ${problem}\n${JSON.stringify(smallest, undefined, 1)}\n${await play(smallest, storage)}`,
      );
      if (failures.length >= 3) break;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`simulation: ${storage}: ${seeds.length} seeds, ${failures.length} failed, ${seconds} s`);
    expect(failures).toEqual([]);
  },
);
