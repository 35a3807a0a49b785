/**
 * How the files around a manifest are looked at. Each answer is plain data and holds all that its asker may use, so that
 * what a plan depended on can be written down and asked again later (`app/remembered-reads.ts`). Synchronous: ten
 * thousand questions take 30 ms, a tenth of the time that promises take.
 */
import { constants, closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { readSync, type Dirent, realpathSync, type Stats, statSync } from 'node:fs';
import { attempt } from './attempt.ts';
import { imageTypeOf, MEDIA_TYPE_BYTES } from './media-type.ts';
import { headOf } from './own-file.ts';

type EntryType = 'file' | 'folder' | 'link' | 'other';

/** A plain file has its size and times; those of a folder would change with everything that is put into it. */
export type Look =
  | { readonly type: Exclude<EntryType, 'file'> }
  | ({ readonly type: 'file' } & FileLook)
  | { readonly type: 'nothing'; readonly code: string };

export type Present = Exclude<Look, { type: 'nothing' }>;

export type FileLook = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

export interface Entry {
  readonly name: string;
  readonly type: EntryType;
}

/** A code of the system where something failed. */
export interface Failed {
  readonly code: string;
  readonly message: string;
}

export interface Disk {
  /** What a path leads to. */
  stat(path: string): Look;
  /** What a path is, if it is a link, too. */
  lstat(path: string): Look;
  /** Device and number of what a path leads to: two paths with the same ones lead to one file or folder. */
  id(path: string): string | undefined;
  /** The path without links. */
  real(path: string): string | undefined;
  list(folder: string): readonly Entry[] | Failed;
  /** The names in a folder as they are on the disk, in hexadecimal digits; none where it cannot be read. */
  rawNames(folder: string): readonly string[];
  /** The first bytes of a plain file as text; empty for anything else. */
  head(path: string, links: 'refuse' | 'follow'): string;
  /** The media type of a plain file that shows a picture, by its first bytes; undefined for anything else. */
  pictureType(path: string): string | undefined;
  /** All bytes of a plain file with at most so many; a pipe is not waited for. */
  read(path: string, most: number): Buffer | Present | Failed;
}

export const realDisk: Disk = {
  stat: (path) => look(() => statSync(path, { throwIfNoEntry: false })),
  lstat: (path) => look(() => lstatSync(path, { throwIfNoEntry: false })),
  id(path) {
    const stats = attempt(() => statSync(path, { bigint: true }));
    return stats && `${stats.dev}:${stats.ino}`;
  },
  real: (path) => attempt(() => realpathSync.native(path)),
  list(folder) {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        type: entryType(entry),
      }));
    } catch (error) {
      return failed(error);
    }
  },
  rawNames: (folder) =>
    (attempt(() => readdirSync(folder, { encoding: 'buffer' })) ?? []).map((name) => name.toString('hex')),
  head: (path, links) => attempt(() => headOf(path, links)) ?? '',
  pictureType: (path) => attempt(() => imageTypeOf(firstBytes(path))),
  read(path, most) {
    try {
      const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const found = present(fstatSync(fd));
        return found.type === 'file' && found.size <= most ? readFileSync(fd) : found;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      return failed(error);
    }
  },
};

function firstBytes(path: string): Uint8Array {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const head = Buffer.alloc(MEDIA_TYPE_BYTES);
    return fstatSync(fd).isFile() ? head.subarray(0, readSync(fd, head, 0, head.length, 0)) : Buffer.of();
  } finally {
    closeSync(fd);
  }
}

/**
 * Asks about each path once. Whoever reads a manifest asks for every product folder five times, and the links in a path
 * are found by a call of the system for each part of it: 15,500 for 500 folders.
 */
export function askedOnce(disk: Disk): Disk {
  return {
    ...disk,
    stat: once((path) => disk.stat(path)),
    lstat: once((path) => disk.lstat(path)),
    real: once((path) => disk.real(path)),
    list: once((path) => disk.list(path)),
  };
}

function once<Answer>(ask: (path: string) => Answer): (path: string) => Answer {
  const answers = new Map<string, Answer>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = ask(path);
    answers.set(path, answer);
    return answer;
  };
}

function look(ask: () => Stats | undefined): Look {
  try {
    const stats = ask();
    return stats ? present(stats) : { type: 'nothing', code: 'ENOENT' };
  } catch (error) {
    return { type: 'nothing', code: failed(error).code };
  }
}

function present(stats: Stats): Present {
  const type = entryType(stats);
  if (type !== 'file') return { type };
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { type, size, mtimeMs, ctimeMs, ino };
}

export function entryType(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function failed(error: unknown): Failed {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return { code: String(error.code), message: error.message };
}
