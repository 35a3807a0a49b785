/** One fault at every point of a story in process; what must hold is crash-check.ts. */
import { describe, it, vi } from 'vitest';
import { sweep } from './dimension.ts';
import {
  errorsForEver,
  errorsOnce,
  kills,
  networkFaults,
  type Point,
  powerLosses,
  shortWrites,
  surveyStory,
} from './points.ts';
import { spellsOf404 } from './spells.ts';

vi.mock('node:fs/promises', async (original) =>
  (await import('../support/crash-fs.ts')).crashFs(await original<object>()),
);
vi.mock('fs-native-extensions', async () => ({ tryLock: (await import('../support/crash-fs.ts')).tryLock }));

const { operations, calls } = await surveyStory();
const inMemory = await surveyStory('memory');

describe('nothing is made twice, lost, asked without need or given away', () => {
  it.each<[string, Point[]]>([
    ['kill -9 before and after each operation (scenarios 1, 8)', kills(operations)],
    ['loss of power at each operation (scenarios 2, 8)', powerLosses(operations)],
    ['an error of the disk, once (scenario 6)', errorsOnce(operations)],
    ['an error of the disk, for ever (scenario 6)', errorsForEver(operations)],
    ['a short write (scenario 6)', shortWrites(operations)],
    ['each request gone wrong, or the process killed during it (scenarios 1, 14)', networkFaults(calls)],
    ['a spell of 404 from each request on (scenarios 25, 38)', spellsOf404(calls)],
  ])('%s', { timeout: 900_000 }, (dimension, points) => sweep(dimension, points));

  it.each<[string, Point[]]>([
    ['kill -9 before and after each change of the store (scenarios 1, 8)', kills(inMemory.operations)],
    ['a change that the store refuses, once (scenario 6)', errorsOnce(inMemory.operations)],
    ['changes that the store refuses, for ever (scenario 6)', errorsForEver(inMemory.operations)],
    ['a change cut short (scenario 6)', shortWrites(inMemory.operations)],
    [
      'each request gone wrong, or the process killed during it (scenarios 1, 14)',
      networkFaults(inMemory.calls),
    ],
    ['a spell of 404 from each request on (scenario 25)', spellsOf404(inMemory.calls)],
  ])('in memory: %s', { timeout: 900_000 }, (dimension, points) =>
    sweep(`in memory: ${dimension}`, points, 'memory'),
  );
});
