/** Makes new files for campaign: never through a link, and never into a file that exists already. */
import { constants, lstatSync, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { attempt } from './attempt.ts';

const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A plain file at the path was left by a killed run, so it is removed; the error names anything else in the way. */
export async function openNewFile(path: string, mode = 0o666): Promise<fs.FileHandle> {
  const made = await fs.open(path, FLAGS, mode).catch(unlessExists);
  if (made) return made;
  await checkPlace(path);
  await fs.rm(path, { force: true });
  return fs.open(path, FLAGS, mode);
}

/** Anything but a plain file stays. */
export async function removePlainFile(path: string): Promise<void> {
  if (lookNow(path)?.isFile()) await fs.rm(path, { force: true });
}

/** Many times what such a file of campaign has. */
const LARGEST_SMALL = 1 << 20;

/** The beginning of a file that is small, unless something has made it huge. */
export async function readSmall(file: Pick<fs.FileHandle, 'read'>): Promise<string> {
  const bytes = Buffer.alloc(LARGEST_SMALL);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
  return bytes.toString('utf8', 0, length);
}

/** All of a plain file; the error names anything else, and a pipe is not waited for. */
export function readPlainFile(path: string): Promise<string> {
  return readPlain(path, (handle) => handle.readFile('utf8'));
}

/** As `readPlainFile`, for a file that has a line or two: of one that something has made huge, the beginning. */
export function readSmallFile(path: string): Promise<string> {
  return readPlain(path, readSmall);
}

async function readPlain(path: string, read: (handle: fs.FileHandle) => Promise<string>): Promise<string> {
  await checkPlace(path);
  const handle = await fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await read(handle);
  } finally {
    await handle.close();
  }
}

/** Throws where something other than a plain file stands at the path. */
export async function checkPlace(path: string): Promise<void> {
  refuseOther(path, await statsOf(path));
}

/** As `checkPlace`, for downloads: they look at so many places that threads would cost more than the answers. */
export function checkPlaceNow(path: string): void {
  refuseOther(path, lookNow(path));
}

function refuseOther(path: string, stats: Stats | undefined): void {
  const what = stats && otherThanFile(stats);
  if (what !== undefined) throw inTheWay(path, what);
}

/** Throws where something other than a folder, or a link to a folder, stands at the path; true where a folder does. */
export async function checkFolderPlace(path: string): Promise<boolean> {
  return isFolder(path, await statsOf(path));
}

/** As `checkFolderPlace`, for what was looked at already. */
export function isFolder(path: string, stats: Stats | undefined): boolean {
  if (!stats || stats.isDirectory()) return stats !== undefined;
  throw inTheWay(path, otherThanFile(stats) ?? 'a file');
}

/** What an entry of a folder is, in words; undefined for a plain file. */
export function otherThanFile(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Of the name itself, not of the target of a link; undefined where nothing is there. */
function statsOf(path: string): Promise<Stats | undefined> {
  return fs.lstat(path).catch(unlessMissing);
}

/** As `statsOf`, not by a thread: 5 µs instead of 60. */
function lookNow(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** For the rejection of a call about what may not exist. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function inTheWay(path: string, what: string): NodeJS.ErrnoException {
  const message = `${path} is ${what} in the place of a file of campaign`;
  return Object.assign(new Error(message), { code: 'EEXIST', syscall: 'open', path });
}

/** Whether a name is in use, also by a link to nothing. */
export async function isThere(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => undefined)) !== undefined;
}

/** As `isThere`, for downloads. */
export function isThereNow(path: string): boolean {
  return attempt(() => lookNow(path)) !== undefined;
}

/** Makes a folder for its owner only, unless it exists, with a .gitignore that excludes all of it. */
export async function makeIgnoredFolder(folder: string): Promise<void> {
  if (!(await checkFolderPlace(folder))) await fs.mkdir(folder, { mode: 0o700 }).catch(unlessExists);
  const ignore = join(folder, '.gitignore');
  await fs.writeFile(ignore, '*\n', { flag: 'wx', mode: 0o600 }).catch(unlessExists);
}

/** For the rejection of a call that makes what may exist already. */
export function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
