import { expect } from 'vitest';
import type { Storage } from '../support/crash-world.ts';
import { type Point, visit } from './points.ts';
import { everyNth } from './stride.ts';

/** Visits the points of one dimension, all or a sample, says how many failed, and why. */
export async function sweep(
  dimension: string,
  points: readonly Point[],
  storage: Storage = 'file',
): Promise<void> {
  const failures: string[] = [];
  const chosen = everyNth(points);
  const started = performance.now();
  for (const point of chosen) failures.push(...(await visit(point, storage)).slice(0, 1));
  told(dimension, { visited: chosen.length, failed: failures.length, ms: performance.now() - started });
  expect(failures).toEqual([]);
}

/** The line of a dimension, for people and for total-reporter.ts, which adds the figures up. */
export function told(
  dimension: string,
  of: { visited: number; failed: number; ms: number; unit?: 'crash points' | 'damaged logs' | 'starts' },
): void {
  const seconds = (of.ms / 1000).toFixed(1);
  const { visited, failed, unit = 'crash points' } = of;
  console.log(`sweep: ${dimension}: visited ${visited} ${unit}, ${failed} failed, ${seconds} s`);
}
