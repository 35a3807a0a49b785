/** Whether the sweep visits every point (`npm run test:sweep`), or a sample of them as a part of `npm test`. */
export const IS_FULL = process.env['SWEEP'] === 'full';

/** `.ci/run` has half an hour: of long dimensions it visits every second point, and of others a part. */
const IS_HALVED = process.env['SWEEP_LONG'] === 'half';

/** What the full form visits: `all`, or in `.ci/run` only `some`. */
export function asTimeAllows<T>(all: T, some: T): T {
  return IS_HALVED ? some : all;
}

const LONG = 500;

/** How many points of the short form stand for one dimension. */
const SAMPLE = 6;

/** All points in the full form; in the short one some, spread evenly. */
export function everyNth<T>(points: readonly T[], sample = SAMPLE): readonly T[] {
  if (IS_FULL)
    return IS_HALVED && points.length > LONG ? points.filter((_, index) => index % 2 === 0) : points;
  // A stride that shares no factor with the ways at one point, so that all of them come up.
  const stride = Math.max(1, Math.ceil(points.length / sample)) | 1;
  return points.filter((_, index) => index % stride === 0);
}
