/** Makes the small pictures of a report, and says of each file whether it can be opened from there. */
import pLimit, { type LimitFunction } from 'p-limit';
import { NOT_SHOWN, type NotShown, readPicture } from '../files/read-picture.ts';
import { shrinkPicture, type ShrunkAs } from '../files/shrink-picture.ts';
import { openThumbnails, type Thumbnail, type ThumbnailCache } from '../files/thumbnail-cache.ts';
import { ok } from '../util/result.ts';
import type { Picture } from '../views/report-data.ts';
import type { CampaignReport } from './report-campaign.ts';
import { filesOf, type ReportFile } from './report-files.ts';
import type { Runtime } from './runtime.ts';
import type { StoredCopies } from './stored-copies.ts';

export interface ReportPictures {
  /** With their sizes, and with what is wrong with them. */
  readonly pictures: readonly Picture[];
  /** In the same order. */
  readonly thumbnails: readonly (Thumbnail | undefined)[];
  readonly previews: readonly (Thumbnail | undefined)[];
  readonly files: readonly ReportFile[];
}

interface Sources {
  /** Absent without a storage. */
  readonly copies: StoredCopies | undefined;
  /** Whether the files themselves are handed over with the page, too. */
  readonly packed: boolean;
}

/** Decoders of one picture use one thread each. */
const AT_ONCE = 2;
/** So many files are on their way from a storage. */
const READ_AT_ONCE = 8;
/** Previews are inside as long as the whole stays below this: a mail takes no more. */
const MOST_INSIDE = 20e6;
/** So much takes a preview at least; where they cannot all fit, none is made only to be thrown away. */
const SMALL_PREVIEW = 40_000;

type Telling = Pick<Runtime, 'clock' | 'disk' | 'emit'>;

export async function picturesOf(
  runtime: Telling,
  made: CampaignReport,
  sources: Sources,
): Promise<ReportPictures> {
  const cache = await openThumbnails(made.campaign.workFolder);
  const files = await filesOf(runtime, made, sources.copies);
  const thumbnails = await shrinkAll(runtime, files, { cache, as: 'thumbnail', ...sources });
  const previews = arePreviewsInside(thumbnails)
    ? await shrinkAll(runtime, files, { cache, as: 'preview', ...sources, packed: false })
    : [];
  await cache.prune(runtime.clock.now());
  return {
    files,
    pictures: files.map((file, index) => shownAs(file, thumbnails[index], sources)),
    thumbnails: thumbnails.map(({ small }) => small),
    previews: fitting(previews, bytesOf(thumbnails)),
  };
}

interface Shrunk {
  readonly small: Thumbnail | undefined;
  readonly why: NotShown | undefined;
}

function shownAs(
  { picture, why, isStored }: ReportFile,
  made: Shrunk | undefined,
  { packed }: Sources,
): Picture {
  const { width = 0, height = 0 } = made?.small ?? {};
  const problem = why ?? made?.why ?? null;
  // Another file than the recorded one would be shown as if it were that.
  const isMeant = problem === null || problem === NOT_SHOWN.undecodable;
  const isBeside = packed || !isStored;
  return { ...picture, width, height, problem, path: isMeant && isBeside ? picture.path : null };
}

interface Shrinking extends Sources {
  readonly cache: ThumbnailCache;
  readonly as: ShrunkAs;
}

function shrinkAll(
  { clock, emit }: Telling,
  files: readonly ReportFile[],
  how: Shrinking,
): Promise<Shrunk[]> {
  const limit = pLimit(READ_AT_ONCE);
  const decoding = pLimit(AT_ONCE);
  const started = clock.monotonic();
  const total = files.length;
  let done = 0;
  const shrink = async (file: ReportFile) => {
    const shrunk = await shrinkOne(file, how, decoding);
    done += 1;
    emit({ type: 'reading', what: 'making small pictures', done, total, ms: clock.monotonic() - started });
    return shrunk;
  };
  return Promise.all(files.map((file) => limit(shrink, file)));
}

async function shrinkOne(
  { picture, source, file, why, isStored }: ReportFile,
  { cache, as, copies, packed }: Shrinking,
  decoding: LimitFunction,
): Promise<Shrunk> {
  const isImage = picture.kind === 'image';
  if (!isImage && isStored && !packed) return { small: undefined, why: NOT_SHOWN.stored };
  const known = isImage ? cache.find(source.sha256, as) : undefined;
  const isNeeded = isImage ? !known : false;
  if (why !== undefined || !(isNeeded || (isStored && packed))) return { small: known, why: undefined };
  const from = isStored && copies ? await copies.copyOf(source) : ok(file);
  if (!from.ok || !isNeeded) return { small: known, why: from.ok ? undefined : from.error };
  return decoding(async () => {
    const content = await readPicture(from.value, source.sha256);
    if (typeof content === 'string') return { small: undefined, why: content };
    const made = await shrinkPicture(content, as);
    if (!made) return { small: undefined, why: NOT_SHOWN.undecodable };
    return { small: await cache.keep(source.sha256, as, made), why: undefined };
  });
}

/** As base64. */
function inText(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function bytesOf(thumbnails: readonly Shrunk[]): number {
  return thumbnails.reduce((sum, { small }) => sum + inText(small?.bytes ?? 0), 0);
}

function arePreviewsInside(thumbnails: readonly Shrunk[]): boolean {
  const shown = thumbnails.filter(({ small }) => small).length;
  return bytesOf(thumbnails) + inText(shown * SMALL_PREVIEW) < MOST_INSIDE;
}

/** In the order of the pictures, as many as fit. */
function fitting(previews: readonly Shrunk[], before: number): (Thumbnail | undefined)[] {
  let size = before;
  return previews.map(({ small }) => {
    size += inText(small?.bytes ?? 0);
    return size < MOST_INSIDE ? small : undefined;
  });
}
