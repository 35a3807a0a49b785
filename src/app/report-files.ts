/** What stands in the places of the files that a report shows. */
import path from 'node:path';
import pLimit from 'p-limit';
import { NOT_SHOWN, type NotShown, whyNoFile } from '../files/read-picture.ts';
import { outputFolderOf, ownPlaces } from '../files/own-place.ts';
import { openRecordedFiles } from '../files/recorded-files.ts';
import type { Picture } from '../views/report-data.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { StoredCopies } from './stored-copies.ts';
import type { CampaignReport } from './report-campaign.ts';
import type { Runtime } from './runtime.ts';

export interface ReportFile {
  readonly picture: Picture;
  readonly source: PictureSource;
  /** Absolute. */
  readonly file: string;
  /** It is in the storage, and not here. */
  readonly isStored: boolean;
  /** Why it is not opened. */
  readonly why: NotShown | undefined;
}

/** As many files are read at once. */
const AT_ONCE = 4;
/** So many objects of a storage are looked for at once. */
const ASKED_AT_ONCE = 16;

/** In the order of the pictures; each place is looked at once, and the storage where nothing is in the place. */
export async function filesOf(
  runtime: Pick<Runtime, 'clock' | 'disk' | 'emit'>,
  made: CampaignReport,
  copies: StoredCopies | undefined,
): Promise<ReportFile[]> {
  const files = await filesHere(runtime, made);
  return copies ? alsoStored(runtime, files, copies) : files;
}

async function filesHere(
  { disk }: Pick<Runtime, 'disk'>,
  { data, sources, campaign: { manifest, workFolder } }: CampaignReport,
): Promise<ReportFile[]> {
  const recorded = await openRecordedFiles(disk, workFolder);
  const whyNotOwn = ownPlaces(outputFolderOf(manifest));
  // Whether photos may be links, or lie elsewhere, was decided when the manifest was read.
  const whyNot = async (source: PictureSource, file: string) => {
    if (source.from === 'photo') return undefined;
    if (whyNotOwn(source.file) !== undefined) return NOT_SHOWN.outside;
    return whyNoFile(file) ?? (await recorded.whyNot({ ...source, path: file }));
  };
  const limit = pLimit(AT_ONCE);
  const files = sources.map(async (source, index) => {
    const picture = data.pictures[index];
    const file = path.resolve(manifest.folder, source.file);
    const why = await limit(whyNot, source, file);
    return picture ? [{ picture, source, file, isStored: false, why }] : [];
  });
  const found = (await Promise.all(files)).flat();
  await recorded.save();
  return found;
}

function alsoStored(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  files: readonly ReportFile[],
  copies: StoredCopies,
): Promise<ReportFile[]> {
  const isMissing = ({ source, file, why }: ReportFile) =>
    why === NOT_SHOWN.missing || (source.from === 'photo' && whyNoFile(file) === NOT_SHOWN.missing);
  const missing = new Set(files.filter(isMissing));
  const limit = pLimit(ASKED_AT_ONCE);
  const started = clock.monotonic();
  const total = missing.size;
  let done = 0;
  const look = async (file: ReportFile): Promise<ReportFile> => {
    if (!missing.has(file)) return file;
    const why = await limit(() => copies.whyNot(file.source));
    emit({
      type: 'reading',
      what: 'looking at the storage',
      done: ++done,
      total,
      ms: clock.monotonic() - started,
    });
    return { ...file, why, isStored: why === undefined };
  };
  return Promise.all(files.map(look));
}
