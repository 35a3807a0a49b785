/**
 * What is known of files that were read before: `{"version":1,"files":{"<path>":{…}}}`, a cache beside the state. A
 * file counts as unchanged while size, mtime, ctime and inode are. An entry whose file changed in the very moment in
 * which the cache was written could hide a second change within one tick of the clock; such an entry is not used
 * (git calls it racy).
 */
import { stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import path from 'node:path';
import type { HashedImage } from '../model/image.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { makeIgnoredFolder } from '../util/ignored-folder.ts';
import { isJsonObject, type JsonObject, parseJson } from '../util/json.ts';
import { readPlainFile } from '../util/new-file.ts';

const VERSION = 1;

/** The resolution of file times in milliseconds, at its coarsest. */
const RACY_MS = 20;

/** Hashes of earlier runs, by path. */
export interface StatCache {
  /** What is known of a file that looks as it did then. */
  find(file: string, stats: Stats): HashedImage | undefined;
  put(image: HashedImage, stats: Stats): void;
  /** Writes what was added; a cache that cannot be written is done without. */
  save(): Promise<void>;
}

/** Opens the cache; a missing, foreign or damaged one is an empty one. */
export async function openStatCache(cacheFile: string): Promise<StatCache> {
  const files = await read(cacheFile);
  const fresh = new Map<string, JsonObject>();
  return {
    find(file, stats) {
      const entry = files[file];
      if (!isJsonObject(entry) || !looksAs(entry, stats)) return undefined;
      const { sha256, contentType } = entry;
      if (typeof sha256 !== 'string' || typeof contentType !== 'string') return undefined;
      return { file, sha256, bytes: stats.size, contentType };
    },
    put({ file, sha256, contentType }, stats) {
      const { size, mtimeMs, ctimeMs, ino } = stats;
      fresh.set(file, { size, mtimeMs, ctimeMs, ino, sha256, contentType });
    },
    async save() {
      if (fresh.size === 0) return;
      const all = { version: VERSION, files: { ...files, ...Object.fromEntries(fresh) } };
      try {
        await makeIgnoredFolder(path.dirname(cacheFile));
        await writeFileAtomic(cacheFile, JSON.stringify(all));
      } catch {
        // The next run reads the files again; nothing is wrong with this one.
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

/** The entries of files that had been left alone for a while when the cache was written. */
function settled(files: JsonObject, beforeMs: number): JsonObject {
  const entries = Object.entries(files).filter(([, entry]) => {
    const changedMs = isJsonObject(entry) ? entry['ctimeMs'] : undefined;
    return typeof changedMs === 'number' && changedMs < beforeMs;
  });
  return Object.fromEntries(entries);
}

function looksAs(entry: JsonObject, stats: Stats): boolean {
  return (
    entry['size'] === stats.size &&
    entry['mtimeMs'] === stats.mtimeMs &&
    entry['ctimeMs'] === stats.ctimeMs &&
    entry['ino'] === stats.ino
  );
}
