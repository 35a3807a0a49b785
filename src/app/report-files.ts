/** What stands in the places of the files that a report shows. */
import path from 'node:path';
import { NOT_SHOWN, type NotShown, whyNoFile } from '../files/read-picture.ts';
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

/** In the order of the pictures; each place is looked at once. */
export function filesOf(
  { disk }: Pick<Runtime, 'disk'>,
  { data, sources, campaign: { manifest } }: CampaignReport,
): ReportFile[] {
  const { folder, outputs } = manifest;
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
  const whyNot = ({ from, bytes }: PictureSource, file: string) => {
    if (from === 'photo') return undefined;
    if (!isInside(path.dirname(file))) return NOT_SHOWN.link;
    const why = whyNoFile(file);
    if (why !== undefined || bytes === undefined) return why;
    // A video is not read, nor is a picture whose thumbnail is known.
    const found = disk.stat(file);
    return found.type === 'file' && found.size !== bytes ? NOT_SHOWN.differs : undefined;
  };
  return sources.flatMap((source, index) => {
    const picture = data.pictures[index];
    const file = path.join(folder, source.file);
    return picture ? [{ picture, sha256: source.sha256, file, why: whyNot(source, file) }] : [];
  });
}
