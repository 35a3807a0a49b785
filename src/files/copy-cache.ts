/**
 * Whole files by their SHA-256 in a folder that may be deleted at any time: what is only elsewhere was copied here to be looked at.
 * Beyond a limit, what was not used for the longest time is removed. Nothing is synced: a copy is read again before it is used.
 */
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../util/clock.ts';
import { checkFolderPlace, makeIgnoredFolder, removePlainFile, unlessExists } from '../util/new-file.ts';
import { sha256Of } from './sha256-of.ts';

const MOST_BYTES = 2e9;
/** What was begun so long ago, nobody goes on with. */
const ABANDONED_MS = 24 * 3_600_000;
const NAME = /^[0-9a-f]{64}$/;

export interface CopyPlace {
  /** `.campaign/` */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly mostBytes?: number;
}

export type CopyCache = Awaited<ReturnType<typeof openCopyCache>>;

/** Throws where the folder cannot be made, or something else is in its place. */
export async function openCopyCache({ workFolder, clock, mostBytes = MOST_BYTES }: CopyPlace) {
  const folder = join(workFolder, 'stored');
  await makeIgnoredFolder(workFolder);
  if (!(await checkFolderPlace(folder))) await mkdir(folder, { mode: 0o700 }).catch(unlessExists);
  /** Sizes in bytes, what was used last at the end. */
  const kept = await listed(folder, clock.now());
  let begun = 0;

  async function use(sha256: string, bytes: number): Promise<string> {
    const file = join(folder, sha256);
    kept.delete(sha256);
    kept.set(sha256, bytes);
    const now = clock.now() / 1_000;
    await utimes(file, now, now).catch(() => undefined);
    let sum = [...kept.values()].reduce((total, each) => total + each, 0);
    for (const [oldest, size] of kept) {
      if (sum <= mostBytes || oldest === sha256) break;
      kept.delete(oldest);
      sum -= size;
      await rm(join(folder, oldest), { force: true });
    }
    return file;
  }

  return {
    /** The path of a copy that has exactly this content. */
    async find(sha256: string): Promise<string | undefined> {
      const bytes = kept.get(sha256);
      if (bytes === undefined) return undefined;
      if ((await sha256Of(join(folder, sha256))) === sha256) return use(sha256, bytes);
      kept.delete(sha256);
      return undefined;
    },
    /** Where a new one is written, until `keep` gives it its name. */
    part: () => join(folder, `${process.pid}-${++begun}.part`),
    async keep(part: string, { sha256, bytes }: { sha256: string; bytes: number }): Promise<string> {
      await rename(part, join(folder, sha256));
      return use(sha256, bytes);
    },
    drop: removePlainFile,
  };
}

async function listed(folder: string, now: number): Promise<Map<string, number>> {
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => ({ name, stats: await stat(join(folder, name)).catch(() => undefined) })),
  );
  const files = found.flatMap(({ name, stats }) => (stats?.isFile() ? [{ name, stats }] : []));
  for (const { name, stats } of files)
    if (!NAME.test(name) && now - stats.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true });
  return new Map(
    files
      .filter(({ name }) => NAME.test(name))
      .toSorted((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)
      .map(({ name, stats }) => [name, stats.size]),
  );
}
