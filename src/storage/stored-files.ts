/** The files of a run that has a storage: photos come from this machine where they are here, and results go to the storage. */
import { rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkPhoto } from '../files/check-photo.ts';
import { type Part, renameOlder } from '../files/name-files.ts';
import { makeOutputFolder } from '../files/output-folder.ts';
import type { Failed } from '../model/facts.ts';
import { fileNames } from '../model/output-path.ts';
import type { DownloadPayload, HashedImage } from '../model/payload.ts';
import type { FatalProblem } from '../model/problem.ts';
import { makeFolder } from '../util/atomic-file.ts';
import { extensionOf } from '../util/media-type.ts';
import { makeIgnoredFolder, removePlainFile } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type ObjectStore, outputKey, photoKey } from './object-store.ts';
import type { RunFiles } from './run-files.ts';

interface Machine {
  /** Of the manifest, absolute: photos that are here are below it. */
  readonly folder: string;
  /** As in CampaignFolder; 0 where the plan was made on another machine. */
  readonly photosReadAt: number;
  readonly outputs: { readonly dir: string } | false;
  /** `.campaign/` of this machine. */
  readonly workFolder: string;
  /** Keeps apart what several campaigns have in one work folder; part of a path. */
  readonly owner: string;
}

export function storedFiles(store: ObjectStore, machine: Machine): RunFiles {
  const { folder, photosReadAt, outputs, workFolder, owner } = machine;
  const scratch = { folder: workFolder, dir: join('files', owner) };
  const inScratch = (path: string) => join(scratch.dir, path.split('/').filter(isPlain).join('/'));
  const photos = join(workFolder, 'files', 'photos');

  async function fetched(planned: HashedImage): Promise<Result<string, Failed>> {
    const path = join(photos, planned.sha256);
    if (await isPlanned(path, planned)) return ok(path);
    await makeIgnoredFolder(workFolder);
    await makeFolder(photos);
    const key = photoKey(planned.sha256);
    const read = await store.read(key, path);
    if (!read.ok) return err(localFailure(read.error, 'no'));
    if (read.value?.sha256 === planned.sha256) return ok(path);
    await removePlainFile(path);
    // In a shared run, another process may have the photo itself, and the storage the right bytes in a moment.
    return err(localFailure(read.value ? otherBytes(store, key) : notThere(store, planned.file), 'no'));
  }

  /** Files of older takes may have been fetched to this machine: they get the names that the state gives them. */
  function older(payload: DownloadPayload, parts: readonly Part[]) {
    const contents = new Set(parts.map(({ file }) => file.sha256));
    return outputs ? renameOlder({ folder, dir: outputs.dir }, payload, contents) : [];
  }

  return {
    async photo(planned) {
      const path = join(folder, planned.file);
      const isHere = (await stat(path).catch(() => undefined))?.isFile() ?? false;
      const isSame = isHere && !(await checkPhoto(path, planned, photosReadAt));
      return isSame ? ok(path) : fetched(planned);
    },
    room(path) {
      const room = join(workFolder, inScratch(path));
      return { path: room, shown: relative(folder, room) };
    },
    async makeRoom(path) {
      await makeIgnoredFolder(workFolder);
      await makeOutputFolder(scratch, inScratch(path));
    },
    async keep(parts, payload) {
      for (const { part, file } of parts) {
        const put = await store.put(outputKey(file), { ...file, path: part });
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

async function isPlanned(path: string, planned: HashedImage): Promise<boolean> {
  const isHere = (await stat(path).catch(() => undefined))?.isFile() ?? false;
  return isHere && !(await checkPhoto(path, planned, 0));
}

type Told = Pick<FatalProblem, 'summary' | 'detail'>;

/** As an error of the disk: results cannot be written, whatever the exit code of the storage alone would be. */
function localFailure({ summary, detail }: Told, sent: 'yes' | 'no'): Failed {
  return { came: 'local-file', sent, problem: { summary, detail, cause: 'disk' } };
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
