/**
 * Files that a person names for output (`--out`, `--trace`): a new file, or one of the same kind, which is recognised
 * by its first bytes; never another file. A pipe or a device (`/dev/stdout`, `>(gzip > x.gz)`) is written to.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { err, ok, type Result } from './result.ts';

/** What may be done at a path: a `file` may be made or replaced, a `stream` is only written to. */
export type OwnPlace = 'file' | 'stream';

const HEAD_BYTES = 1_024;

/** The error says why the path must not be written. Changes nothing. */
export function lookAtPlace(path: string, kind: { head: RegExp; name: string }): Result<OwnPlace, string> {
  try {
    const link = lstatSync(path, { throwIfNoEntry: false });
    if (!link) return ok('file');
    // `/dev/stdout` and `/dev/fd/63` are links of the system to whatever the shell has opened.
    if (link.isSymbolicLink() && !/^\/(?:dev|proc)\//.test(path)) return err('it is a symbolic link');
    const stats = statSync(path);
    if (stats.isFIFO() || stats.isCharacterDevice() || link.isSymbolicLink()) return ok('stream');
    if (stats.isDirectory()) return err('it is a folder');
    if (!stats.isFile()) return err(stats.isSocket() ? 'it is a socket' : 'it is a device that holds files');
    if (stats.size === 0 || kind.head.test(headOf(path))) return ok('file');
    return err(`it exists and is no ${kind.name}. Name another file`);
  } catch (error) {
    return err(wordsOf(error));
  }
}

/** The first bytes of a plain file as text; empty for anything else. */
export function headOf(path: string, links: 'refuse' | 'follow' = 'refuse'): string {
  const noLink = links === 'refuse' ? constants.O_NOFOLLOW : 0;
  const fd = openSync(path, constants.O_RDONLY | noLink | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) return '';
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(fd, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}

/** Fails where a pipe has no reader, and waits for none. */
export function openStream(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOCTTY);
}

const SLOW_READER = { times: 500, ms: 10 };

/** Fails if the reader takes nothing for five seconds. */
export function writeToStream(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let waited = 0;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
      waited = 0;
    } catch (error) {
      waited += 1;
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waited > SLOW_READER.times) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_READER.ms);
    }
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'its reader takes nothing',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENXIO: 'nobody reads what is written to it',
  EPERM: 'permission denied',
  EPIPE: 'its reader has gone',
  EROFS: 'permission denied',
};

/** An error without a code is a bug. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  return WORDS[String(error.code)] ?? String(error.code);
}
