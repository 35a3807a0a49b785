/**
 * `<name>.partial`: a file of a post that is no result, or not yet. It lies beside the final place of the file, so that
 * nothing that was paid for is thrown away, and its ending keeps people from taking it for a picture.
 */
import { rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../util/atomic-file.ts';
import { checkPlace } from '../util/new-file.ts';
import { checkMedia } from './check-media.ts';

/** Keeps a file that came whole. What was there before was fetched again and had other bytes, so it is replaced. */
export async function keepWhole(part: string, partial: string): Promise<void> {
  await checkPlace(partial);
  await rename(part, partial);
  await syncFolder(dirname(partial));
}

/** Keeps what is no result, if it is worth more than the partial file there; returns whether there is one now. */
export async function keepBest(part: string, partial: string): Promise<boolean> {
  await checkPlace(partial);
  const [worth, before] = [await worthOf(part), await worthOf(partial)];
  if (worth >= before && worth > 0) await keepWhole(part, partial);
  return worth > 0 || before > 0;
}

const PAGE = 0.5;

/** Its size; but a web page or message is worth less than any part of a picture, and an empty file nothing. */
async function worthOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.size) return 0;
  const { type } = await checkMedia(path);
  return type === 'no-result' ? PAGE : stats.size;
}
