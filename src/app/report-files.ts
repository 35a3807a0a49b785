/** What stands in the places of the files that a report shows. */
import path from 'node:path';
import pLimit from 'p-limit';
import { NOT_SHOWN, type NotShown, whyNoFile } from '../files/read-picture.ts';
import { openRecordedFiles } from '../files/recorded-files.ts';
import { holds, realOf } from '../manifest/path-sandbox.ts';
import type { Picture } from '../views/report-data.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { CampaignReport } from './report-campaign.ts';
import type { Runtime } from './runtime.ts';

export interface ReportFile {
  readonly picture: Picture;
  readonly sha256: string;
  /** Absolute. */
  readonly file: string;
  /** Why it is not opened. */
  readonly why: NotShown | undefined;
}

/** As many files are read at once. */
const AT_ONCE = 4;

/** In the order of the pictures; each place is looked at once. */
export async function filesOf(
  { disk }: Pick<Runtime, 'disk'>,
  { data, sources, campaign: { manifest, workFolder } }: CampaignReport,
): Promise<ReportFile[]> {
  const { folder, outputs } = manifest;
  const recorded = await openRecordedFiles(disk, workFolder);
  const roots = [folder, ...(outputs ? [path.join(folder, outputs.dir)] : [])].map((root) =>
    realOf(disk, root),
  );
  const known = new Map<string, boolean>();
  const isInside = (place: string) => {
    const inside = known.get(place) ?? roots.some((root) => holds(root, realOf(disk, place)));
    known.set(place, inside);
    return inside;
  };
  // Whether photos may be links, or lie elsewhere, was decided when the manifest was read.
  const whyNot = async (source: PictureSource, file: string) => {
    if (source.from === 'photo') return undefined;
    if (!isInside(path.dirname(file))) return NOT_SHOWN.link;
    return whyNoFile(file) ?? (await recorded.whyNot({ ...source, path: file }));
  };
  const limit = pLimit(AT_ONCE);
  const files = sources.map(async (source, index) => {
    const picture = data.pictures[index];
    const file = path.join(folder, source.file);
    const why = await limit(whyNot, source, file);
    return picture ? [{ picture, sha256: source.sha256, file, why }] : [];
  });
  const found = (await Promise.all(files)).flat();
  await recorded.save();
  return found;
}
