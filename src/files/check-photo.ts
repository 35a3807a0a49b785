import { stat } from 'node:fs/promises';
import type { HashedImage } from '../model/payload.ts';
import type { Problem } from '../model/problem.ts';
import { sha256Of } from './sha256-of.ts';

/** The times of files may be this far behind the clock. */
const COARSE_MS = 20;

/** Only a file that was touched since it was planned is read; an error in reading is left to what sends it. */
export async function checkPhoto(
  path: string,
  planned: HashedImage,
  readAt: number,
): Promise<Problem | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return undefined;
  if (!stats.isFile()) return changedPhoto(planned.file);
  const untouched = stats.size === planned.bytes && stats.ctimeMs < readAt - COARSE_MS;
  if (untouched || ((await sha256Of(path)) ?? planned.sha256) === planned.sha256) return undefined;
  return changedPhoto(planned.file);
}

export function changedPhoto(file: string): Problem {
  return {
    summary: 'The photo was changed after the plan was made',
    detail: `${file} is not the one that was planned any more. Run again to take it as it is now.`,
  };
}
