/** Photos that are not on this machine, read from a storage once, and kept below `.campaign/files/photos/` for all runs. */
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPhoto } from '../files/check-photo.ts';
import { makeFolderBelow } from '../files/output-folder.ts';
import type { Failed } from '../model/facts.ts';
import type { HashedImage } from '../model/payload.ts';
import { makeFolder } from '../util/atomic-file.ts';
import { checkPlace, makeIgnoredFolder, removePlainFile } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { localFailure, thrownFault, type Told } from './local-fault.ts';
import { type ObjectStore, photoKey } from './object-store.ts';

interface Around {
  readonly workFolder: string;
  /** In it, for one run alone. */
  readonly scratch: string;
}

/** Gives the path of a photo. */
export function fetchedPhotos(store: ObjectStore, { workFolder, scratch }: Around) {
  const photos = join(workFolder, 'files', 'photos');

  /** Another run may fetch the same photo, or send it already: under its name it is whole at any moment. */
  async function fetchTo(
    path: string,
    { sha256, file }: HashedImage,
    signal: AbortSignal,
  ): Promise<Result<string, Failed>> {
    const partial = join(scratch, `.${sha256}.part`);
    await makeIgnoredFolder(workFolder);
    await makeFolderBelow(workFolder, scratch);
    await makeFolder(photos);
    const key = photoKey(sha256);
    try {
      const read = await store.read(key, partial, signal);
      if (!read.ok) return err(localFailure(read.error, 'no'));
      // In a shared run, another process may have the photo itself, and the storage the right bytes in a moment.
      if (read.value?.sha256 !== sha256)
        return err(localFailure(read.value ? otherBytes(store, key) : notThere(store, file), 'no'));
      await checkPlace(path);
      await rename(partial, path);
      return ok(path);
    } finally {
      await removePlainFile(partial);
    }
  }

  return async (planned: HashedImage, signal: AbortSignal): Promise<Result<string, Failed>> => {
    const path = join(photos, planned.sha256);
    if (await isPlanned(path, planned)) return ok(path);
    return fetchTo(path, planned, signal).catch((error: unknown) =>
      err(localFailure(thrownFault(path, error), 'no')),
    );
  };
}

async function isPlanned(path: string, planned: HashedImage): Promise<boolean> {
  const isHere = (await stat(path).catch(() => undefined))?.isFile() ?? false;
  return isHere && !(await checkPhoto(path, planned, 0));
}

function notThere({ name }: ObjectStore, file: string): Told {
  return {
    summary: 'The photo is neither here nor in the storage',
    detail: `${name} does not have ${file}. An apply on a machine that has the photos puts it there.`,
  };
}

function otherBytes({ name }: ObjectStore, key: string): Told {
  return {
    summary: 'The storage has other bytes than were put there',
    detail: `${name}: the content of ${key} does not have this SHA-256. Remove it there; an apply on a machine that has the photos puts it there again.`,
  };
}
