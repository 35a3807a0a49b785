/** Whether the sweep visits every point (`npm run test:sweep`), or a sample of them as a part of `npm run test:system`. */
export const IS_FULL = process.env['SWEEP'] === 'full';

/** `.ci/run` has half an hour: there the sweep visits some points of each dimension. */
const STRIDE = process.env['SWEEP_PART'] === 'fifth' ? 5 : 1;

/** How many points of the short form stand for one dimension. */
const SAMPLE = 6;

/** All points in the full form; in the short one some, spread evenly. */
export function everyNth<T>(points: readonly T[], sample = SAMPLE): readonly T[] {
  // A stride that shares no factor with the ways at one point, so that all of them come up.
  const stride = IS_FULL ? STRIDE : Math.max(1, Math.ceil(points.length / sample)) | 1;
  return points.filter((_, index) => index % stride === 0);
}
