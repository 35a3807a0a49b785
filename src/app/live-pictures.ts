/** The files that the live page may show, and their small pictures, which are made when they are first asked for. */
import path from 'node:path';
import pLimit from 'p-limit';
import { readPicture, whyNoFile } from '../files/read-picture.ts';
import { shrinkPicture } from '../files/shrink-picture.ts';
import { openThumbnails, type ThumbnailCache } from '../files/thumbnail-cache.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';

export interface RecordedPicture {
  readonly file: string;
  readonly sha256: string;
  /** Where a result has to be; absent for a photo of the manifest. */
  readonly within?: readonly string[];
}

interface Recorded {
  readonly campaign: Campaign;
  readonly sources: readonly PictureSource[];
}

export function recordedPicture(
  { campaign, sources }: Recorded,
  { disk }: Pick<Runtime, 'disk'>,
  sha256: string,
): RecordedPicture | undefined {
  const { folder, outputs } = campaign.manifest;
  const places = sources.filter((each) => each.sha256 === sha256);
  // A file may have got another name since it was first shown.
  const found =
    places.find(({ file }) => disk.stat(path.resolve(folder, file)).type === 'file') ?? places.at(-1);
  if (!found) return undefined;
  const file = path.resolve(folder, found.file);
  if (found.from === 'photo') return { file, sha256 };
  const folders = [folder, ...(outputs ? [path.join(folder, outputs.dir)] : [])];
  return { file, sha256, within: folders.flatMap((each) => disk.real(each) ?? []) };
}

/** Decoders of one picture use one thread each. */
const AT_ONCE = 2;

export function createThumbnailMaker() {
  const limit = pLimit(AT_ONCE);
  let cache: Promise<ThumbnailCache> | undefined;

  return async (
    { file, sha256, within }: RecordedPicture,
    workFolder: string,
  ): Promise<Buffer | undefined> => {
    const { find, keep } = await (cache ??= openThumbnails(workFolder));
    const known = find(sha256, 'thumbnail');
    if (known) return known.read();
    return limit(async () => {
      if (within && whyNoFile(file) !== undefined) return undefined;
      const content = await readPicture(file, sha256);
      const small = typeof content === 'string' ? undefined : await shrinkPicture(content, 'thumbnail');
      return small && (await keep(sha256, 'thumbnail', small)).read();
    });
  };
}
