/** The files of a run that has a storage: photos come from this machine where they are here, and results go to the storage. */
import { rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkPhoto } from '../files/check-photo.ts';
import { type Part, renameOlder } from '../files/name-files.ts';
import { makeFolderBelow } from '../files/output-folder.ts';
import type { OutputFolder } from '../files/own-place.ts';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload } from '../model/payload.ts';
import { extensionOf } from '../util/media-type.ts';
import { makeIgnoredFolder } from '../util/new-file.ts';
import { err, ok } from '../util/result.ts';
import { fetchedPhotos } from './fetched-photos.ts';
import { localFailure } from './local-fault.ts';
import { type ObjectStore, outputKey } from './object-store.ts';
import type { RunFiles } from './run-files.ts';

interface Machine {
  /** Photos that are here are below its `folder`, which is that of the manifest. */
  readonly place: OutputFolder;
  /** As in CampaignFolder; 0 where the plan was made on another machine. */
  readonly photosReadAt: number;
  /** `.campaign/` of this machine. */
  readonly workFolder: string;
  /** Keeps apart what several campaigns have in one work folder; part of a path. */
  readonly owner: string;
}

export function storedFiles(store: ObjectStore, machine: Machine): RunFiles {
  const { place, photosReadAt, workFolder, owner } = machine;
  const { folder } = place;
  const scratch = join(workFolder, 'files', owner);
  const inScratch = (path: string) => join(scratch, path.split('/').filter(isPlain).join('/'));
  const fetched = fetchedPhotos(store, { workFolder, scratch });

  /** Files of older takes may have been fetched to this machine: they get the names that the state gives them. */
  function older(payload: DownloadPayload, parts: readonly Part[]) {
    const contents = new Set(parts.map(({ file }) => file.sha256));
    return renameOlder(place, payload, contents);
  }

  return {
    async photo(planned, signal) {
      const path = join(folder, planned.file);
      const isHere = (await stat(path).catch(() => undefined))?.isFile() ?? false;
      const isSame = isHere && !(await checkPhoto(path, planned, photosReadAt));
      return isSame ? ok(path) : fetched(planned, signal);
    },
    room(path) {
      const room = inScratch(path);
      return { path: room, shown: relative(folder, room) };
    },
    async makeRoom(path) {
      await makeIgnoredFolder(workFolder);
      await makeFolderBelow(workFolder, dirname(inScratch(path)));
    },
    async keep(parts, payload, signal) {
      for (const { part, file } of parts) {
        const put = await store.put(outputKey(file), { ...file, path: part }, signal);
        if (!put.ok) return err(localFailure(put.error, 'yes'));
      }
      const renamed = await older(payload, parts);
      // Not its folder: another download may just begin in it.
      for (const { part } of parts) await rm(part);
      const unnamed = parts.map(({ file }) => ({ ...file, path: extensionOf(file.contentType) }));
      const names = fileNames(payload.path, unnamed);
      const files = parts.map(({ file }, index) => ({ path: names[index] ?? payload.path, ...file }));
      return ok({ files, renamed });
    },
  };
}

function isPlain(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..';
}
