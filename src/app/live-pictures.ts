/** The files that the live page may show, and their small pictures, which are made when they are first asked for. */
import path from 'node:path';
import pLimit from 'p-limit';
import { outputFolderOf, whyNotOwn } from '../files/own-place.ts';
import { NOT_SHOWN, type NotShown, readPicture, whyNoFile } from '../files/read-picture.ts';
import { shrinkPicture } from '../files/shrink-picture.ts';
import { openThumbnails, type ThumbnailCache } from '../files/thumbnail-cache.ts';
import { ok, type Result } from '../util/result.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';
import { type StoredCopies, storedCopies } from './stored-copies.ts';

export interface ShownPicture {
  readonly file: string;
  readonly sha256: string;
  /** Whether a result is where it may be; absent for a photo of the manifest, and for a copy of what is elsewhere. */
  readonly isOwn?: () => boolean;
}

/** Has to be closed. */
export function createLivePictures(runtime: Runtime) {
  const thumbnails = createThumbnailMaker();
  let copies: StoredCopies | undefined;
  const opened = (campaign: Campaign) => (copies ??= storedCopies(runtime, campaign));
  return {
    /** A text says why it cannot be had. */
    async whole(shown: Recorded, sha256: string): Promise<ShownPicture | string | undefined> {
      const found = recordedPicture(shown, runtime, sha256);
      const present = found && (await presentPicture(found, opened(shown.campaign)));
      return present && (present.ok ? present.value : present.error);
    },
    async small(shown: Recorded, sha256: string): Promise<Buffer | undefined> {
      const found = recordedPicture(shown, runtime, sha256);
      const { campaign } = shown;
      return found && thumbnails(found, { workFolder: campaign.workFolder, copies: opened(campaign) });
    },
    close: async () => copies?.close(),
  };
}

interface RecordedPicture extends ShownPicture {
  readonly source: PictureSource;
}

interface Recorded {
  readonly campaign: Campaign;
  readonly sources: readonly PictureSource[];
}

function recordedPicture(
  { campaign, sources }: Recorded,
  { disk }: Pick<Runtime, 'disk'>,
  sha256: string,
): RecordedPicture | undefined {
  const { manifest } = campaign;
  const { folder } = manifest;
  const places = sources.filter((each) => each.sha256 === sha256);
  // A file may have got another name since it was first shown.
  const found =
    places.find(({ file }) => disk.stat(path.resolve(folder, file)).type === 'file') ?? places.at(-1);
  if (!found) return undefined;
  const file = path.resolve(folder, found.file);
  if (found.from === 'photo') return { file, sha256, source: found };
  const place = outputFolderOf(manifest);
  return { file, sha256, source: found, isOwn: () => whyNotOwn(place, found.file) === undefined };
}

/** The file itself, or a copy of what the storage has where nothing is in its place; the error says why there is none. */
async function presentPicture(
  { source, ...own }: RecordedPicture,
  copies: StoredCopies | undefined,
): Promise<Result<ShownPicture, NotShown>> {
  if (!copies || whyNoFile(own.file) !== NOT_SHOWN.missing) return ok(own);
  const copy = await copies.copyOf(source);
  return copy.ok ? ok({ file: copy.value, sha256: own.sha256 }) : copy;
}

/** Decoders of one picture use one thread each. */
const AT_ONCE = 2;

function createThumbnailMaker() {
  const limit = pLimit(AT_ONCE);
  let cache: Promise<ThumbnailCache> | undefined;

  return async (
    recorded: RecordedPicture,
    { workFolder, copies }: { readonly workFolder: string; readonly copies: StoredCopies | undefined },
  ): Promise<Buffer | undefined> => {
    const { sha256 } = recorded;
    const { find, keep } = await (cache ??= openThumbnails(workFolder));
    const known = find(sha256, 'thumbnail');
    if (known) return known.read();
    const present = await presentPicture(recorded, copies);
    if (!present.ok) return undefined;
    const { file, isOwn } = present.value;
    return limit(async () => {
      if (isOwn && (!isOwn() || whyNoFile(file) !== undefined)) return undefined;
      const content = await readPicture(file, sha256);
      const small = typeof content === 'string' ? undefined : await shrinkPicture(content, 'thumbnail');
      return small && (await keep(sha256, 'thumbnail', small)).read();
    });
  };
}
