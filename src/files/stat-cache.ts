/**
 * `{"version":1,"files":{"<path>":{…}}}`, a cache beside the state. An entry whose file changed at the moment when the
 * cache was written could hide a second change within one tick of the clock, so it is not used (git calls it racy).
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { HashedImage } from '../model/payload.ts';
import type { FileLook } from '../util/disk.ts';
import type { Picture } from './examine-photo.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { makeIgnoredFolder, readPlainFile } from '../util/new-file.ts';
import { isJsonObject, type JsonObject, parseJson } from '../util/json.ts';

const VERSION = 1;

const LOOKS = ['size', 'mtimeMs', 'ctimeMs', 'ino'] as const;

/** The coarsest resolution of file times, in milliseconds. */
export const RACY_MS = 20;

/** A missing, foreign or damaged cache counts as empty. */
export async function openStatCache(cacheFile: string) {
  const files = await read(cacheFile);
  const fresh = new Map<string, JsonObject>();
  return {
    find(file: string, stats: FileLook) {
      const entry = files[file];
      if (!isJsonObject(entry) || LOOKS.some((field) => entry[field] !== stats[field])) return undefined;
      const { sha256, contentType, examined, width, height } = entry;
      if (typeof sha256 !== 'string' || typeof contentType !== 'string') return undefined;
      const shown = typeof width === 'number' && typeof height === 'number' ? { width, height } : {};
      const photo = { file, sha256, bytes: stats.size, contentType, ...shown };
      return { photo, isExamined: examined === true };
    },
    put(
      { file, ...known }: HashedImage & Picture,
      { stats, isExamined }: { stats: FileLook; isExamined: boolean },
    ) {
      const { size, mtimeMs, ctimeMs, ino } = stats;
      fresh.set(file, { size, mtimeMs, ctimeMs, ino, ...known, ...(isExamined ? { examined: true } : {}) });
    },
    /** Writes what was added. */
    async save() {
      if (fresh.size === 0) return;
      const all = { version: VERSION, files: { ...files, ...Object.fromEntries(fresh) } };
      try {
        await makeIgnoredFolder(path.dirname(cacheFile));
        await writeFileAtomic(cacheFile, JSON.stringify(all));
      } catch {
        // Without the cache the next run reads the files again; that is no error.
      }
    },
  };
}

async function read(cacheFile: string): Promise<JsonObject> {
  try {
    const { mtimeMs } = await stat(cacheFile);
    const parsed = parseJson(await readPlainFile(cacheFile));
    if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value['version'] !== VERSION) return {};
    const files = parsed.value['files'];
    return isJsonObject(files) ? settled(files, mtimeMs - RACY_MS) : {};
  } catch {
    return {};
  }
}

/** The entries of files that were not changed for a while before the cache was written. */
function settled(files: JsonObject, beforeMs: number): JsonObject {
  const entries = Object.entries(files).filter(([, entry]) => {
    const changedMs = isJsonObject(entry) ? entry['ctimeMs'] : undefined;
    return typeof changedMs === 'number' && changedMs < beforeMs;
  });
  return Object.fromEntries(entries);
}
