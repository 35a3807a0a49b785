/** Everything is destroyed, and at each operation and request something goes wrong: what is forgotten is deleted. */
import { expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import { applyOnce, inState, readState } from '../support/crash-apply.ts';
import { deletedInState, knownIds, violations } from '../support/crash-check.ts';
import type { DiskOperation } from '../support/crash-disk.ts';
import { playStory } from '../support/crash-story.ts';
import { createCrashWorld, type CrashWorld } from '../support/crash-world.ts';
import type { SimulatedCall, SimulatedFault } from '../support/simulated-client.ts';
import { told } from './dimension.ts';
import { kills, networkFaults, type Point, powerLosses } from './points.ts';
import { spellsOf404 } from './spells.ts';
import { STORY_OF_THE_SWEEP } from './story.ts';
import { everyNth } from './stride.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const [FIRST] = STORY_OF_THE_SWEEP;
const AT = '2026-01-01T00:00:00.000Z';
const MOST_RUNS = 12;

/** A world in which the first chapter was applied without trouble, and how many operations of the disk that took. */
async function appliedWorld(): Promise<{ world: CrashWorld; before: number }> {
  const world = createCrashWorld(seededRandom('latencies'));
  let before = 0;
  world.disk.fault = ({ n }) => {
    before = n;
    return undefined;
  };
  const chapters = FIRST ? [FIRST] : [];
  const options = { power: 'stays', luck: () => 0, mayFail: () => false, before: () => {} } as const;
  expect(await playStory(world, { chapters, ...options })).toEqual([]);
  return { world, before };
}

async function destroyed(point: Point): Promise<string[]> {
  const { world, before } = await appliedWorld();
  let calls = 0;
  world.disk.fault = (operation) => point.disk?.({ ...operation, n: operation.n - before }, world);
  const fault = (call: SimulatedCall): SimulatedFault | undefined => {
    const found = point.network?.((calls += 1), { world, call });
    if (found !== 'kill' && found !== 'kill-cut') return found;
    world.runs.at(-1)?.process.end();
    return found === 'kill-cut' ? 'cut' : undefined;
  };
  for (let run = 0; run < MOST_RUNS; run += 1) {
    const end = await applyOnce(world, { words: FIRST?.words ?? {}, destroys: true, fault });
    if (end.type === 'died' && point.power) world.disk.losePower(seededRandom(point.name));
    const broken = await violations(world);
    if (broken.length) return broken;
    if (end.type === 'idle') return leftOver(world);
    await forgetLast(world);
  }
  return [`not done after ${MOST_RUNS} runs`];
}

/** Where the end of the very last deletion was lost, nothing is left that shows that the service is well: a person looks. */
async function forgetLast(world: CrashWorld): Promise<void> {
  const opened = await readState(world);
  if (
    !opened.ok ||
    knownIds(opened.value.state).size !== 1 ||
    !deletedInState(world, opened.value.state).length
  )
    return;
  const left = [...opened.value.state.objects.values()].filter(({ result }) => result && 'id' in result);
  await inState(world, { name: 'state rm', retries: 'goes-on' }, async ({ recorder }) => {
    await recorder.append(left.map(({ address }) => ({ type: 'forgotten', at: AT, address })));
    return { type: 'ended' };
  });
}

async function leftOver(world: CrashWorld): Promise<string[]> {
  const opened = await readState(world);
  return opened.ok ? [...knownIds(opened.value.state)].map((id) => `${id} is left`) : ['unreadable'];
}

async function survey(): Promise<{ operations: DiskOperation[]; calls: number }> {
  const operations: DiskOperation[] = [];
  let calls = 0;
  const seen: Point = {
    name: 'undisturbed',
    disk(operation) {
      operations.push(operation);
      return undefined;
    },
    network(n) {
      calls = n;
      return undefined;
    },
  };
  expect(await destroyed(seen)).toEqual([]);
  return { operations, calls };
}

const { operations, calls } = await survey();

it.each<[string, Point[]]>([
  ['kill -9 before and after each operation (scenario 38)', kills(operations)],
  ['loss of power at each operation (scenario 38)', powerLosses(operations)],
  ['each request gone wrong, or the process killed during it (scenario 38)', networkFaults(calls)],
  ['a spell of 404 from each request on (scenarios 25, 38)', spellsOf404(calls)],
])('destroy: %s', { timeout: 900_000 }, async (dimension, points) => {
  const started = performance.now();
  const failures: string[] = [];
  const chosen = everyNth(points, 8);
  for (const point of chosen) {
    const [failure] = await destroyed(point);
    if (failure !== undefined) failures.push(`${point.name}: ${failure}`);
  }
  told(`destroy: ${dimension}`, {
    visited: chosen.length,
    failed: failures.length,
    ms: performance.now() - started,
  });
  expect(failures).toEqual([]);
});
