/** A folder that several machines have, for example on a network drive, as a store of objects. */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { errorCode, FILE_CHANGED } from '../service/error-code.ts';
import { checkedPieces } from '../service/upload-file.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { checkFolderPlace, checkPlace, openNewFile, unlessExists } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { changedFile, thrownFault } from './local-fault.ts';
import type { ObjectStore, ReadObject, SentFile } from './object-store.ts';

export function createFolderStore(folder: string): ObjectStore {
  const at = (key: string) => join(folder, key);

  /** Without its folder, nothing is in it: a drive that is not mounted must not look like an empty one. */
  async function guarded<T>(
    path: string,
    act: () => Promise<T>,
    other?: OtherFile,
  ): Promise<Result<T, FatalProblem>> {
    const isThere = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) return err(noFolder(folder));
    try {
      return ok(await act());
    } catch (error) {
      if (other && errorCode(error) === FILE_CHANGED) return err(changedFile(other.path));
      return err(thrownFault(other && isAbout(other, error) ? other.path : path, error));
    }
  }

  return {
    name: `file://${folder}`,
    put: (key, file) =>
      guarded(at(key), () => copyInto(at(key), file), { path: file.path, calls: ['read', 'fstat'] }),
    read: (key, path) =>
      guarded(
        at(key),
        () => withFile(at(key), (handle) => copyFrom(handle, path)),
        path === undefined ? undefined : { path, calls: ['write', 'fsync'] },
      ),
    head: (key, bytes) =>
      guarded(at(key), () =>
        withFile(at(key), async (handle) => {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
          return buffer.subarray(0, bytesRead);
        }),
      ),
    size: (key) => guarded(at(key), () => withFile(at(key), async (handle) => (await handle.stat()).size)),
    close() {},
  };
}

/** The file of this machine that is sent, or written; `calls`: those that concern it alone. */
interface OtherFile {
  readonly path: string;
  readonly calls: readonly string[];
}

function isAbout({ path, calls }: OtherFile, error: unknown): boolean {
  const { path: named, syscall = '' } = error as NodeJS.ErrnoException;
  return named === undefined ? calls.includes(syscall) : named === path;
}

/** Under its name it is whole at any moment; machines that write the same one replace it by the same bytes. */
async function copyInto(target: string, file: SentFile): Promise<void> {
  const folder = dirname(target);
  if (!(await checkFolderPlace(folder))) {
    await mkdir(folder).catch(unlessExists);
    await syncFolder(dirname(folder));
  }
  await checkPlace(target);
  const aside = join(folder, `.${randomUUID()}.tmp`);
  const handle = await openNewFile(aside);
  try {
    try {
      await writeFile(handle, checkedPieces(file, file));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Undefined where there is none. A link is not followed, and a pipe is not waited for. */
async function withFile<T>(path: string, act: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  if (!handle) return undefined;
  try {
    await checkPlace(path);
    return await act(handle);
  } finally {
    await handle.close();
  }
}

async function copyFrom(handle: FileHandle, path: string | undefined): Promise<ReadObject> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pieces() {
    for await (const piece of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  if (path === undefined) for await (const _ of pieces());
  else await writeNew(path, pieces());
  return { bytes, sha256: hash.digest('hex') };
}

async function writeNew(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = await openNewFile(path);
  try {
    await writeFile(handle, pieces);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function noFolder(folder: string): FatalProblem {
  return {
    code: 'storage',
    exit: EXIT.configuration,
    summary: 'The folder of the storage is not there',
    detail: `${folder} is no folder of this machine. Is the drive mounted? Make the folder, or correct --files.`,
  };
}
