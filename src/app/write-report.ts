import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Thumbnail } from '../files/thumbnail-cache.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { pageHtml, type PageParts, REPORT_HEAD } from '../report/page-html.ts';
import { thumbnailBlocks } from '../report/thumbnail-blocks.ts';
import { makeFolder, writeFileAtomic } from '../util/atomic-file.ts';
import { lookAtPlace, type OwnPlace, wordsOf } from '../util/own-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { writeOwnFile } from '../util/write-own-file.ts';
import type { ReportData } from '../views/report-data.ts';
import type { Accounts } from './account.ts';
import type { Campaign } from './campaign.ts';
import { packageFile } from './package-info.ts';
import { pathFrom, reportOf } from './report-campaign.ts';
import { picturesOf, type ReportPictures } from './report-pictures.ts';
import { writeBeside } from './report-beside.ts';
import { type Packed, zippedPath, zipReport } from './report-zip.ts';
import type { Runtime } from './runtime.ts';
import { storedCopies } from './stored-copies.ts';

/** `schemas/report.schema.json` */
export interface WrittenReport {
  readonly file: string;
  /** Null where it was written to a pipe or a device. */
  readonly bytes: number | null;
  readonly posts: number;
  readonly pictures: number;
  /** Files that could not be shown. */
  readonly missing: number;
  /** The folder with the small pictures, where they are too many for the file. */
  readonly beside?: string;
}

/** About 8,000 thumbnails; 5,000 are shown after half a second. */
const MOST_TEXT = 60e6;

/** What a file that may be replaced begins with. */
const PAGE = { head: new RegExp(`^${REPORT_HEAD}`), name: 'report of `campaign report`' };
// oxlint-disable-next-line no-control-regex -- so begins an archive; its first file is the page
const ARCHIVE = { head: /^PK\u0003\u0004[^]{0,40}report\.html/, name: PAGE.name };

interface Wanted {
  /** The place as the person wrote it; without it the output folder is made if need be. */
  readonly out: string | undefined;
  readonly accounts: Accounts;
  /** Names the campaign in the commands of the page. */
  readonly target: string;
  /** So much text of thumbnails may be in the file: with more, they lie beside it. */
  readonly mostText?: number;
}

export async function writeReport(
  runtime: Runtime,
  loaded: Campaign,
  { out, accounts, target, mostText = MOST_TEXT }: Wanted,
): Promise<Result<WrittenReport, Refusal>> {
  const file = placeOf(loaded, out);
  if (file === undefined) return err(noPlace());
  const isZip = extname(file).toLowerCase() === '.zip';
  const kind = isZip ? ARCHIVE : PAGE;
  const place = lookAtPlace(file, kind);
  if (!place.ok) return err(cannotWrite(out ?? file, place.error));
  if (isZip && place.value === 'stream')
    return err(cannotWrite(out ?? file, 'an archive needs a plain file'));
  const folder = dirname(file);
  const pathOf: Parameters<typeof reportOf>[2]['pathOf'] = isZip
    ? zippedPath
    : (path, from) => pathFrom(folder, path, from);
  const made = await reportOf(runtime, loaded, { pathOf, empty: 'refuse', accounts, target });
  if (!made.ok) return made;
  const copies = storedCopies(runtime, made.value.campaign);
  try {
    const shown = await picturesOf(runtime, made.value, { copies, packed: isZip });
    const parts = { ...(await pageProgram()), data: { ...made.value.data, pictures: shown.pictures } };
    if (out === undefined) await makeFolder(folder);
    if (isZip) return await writeZip(file, parts, { made: made.value, shown, copies });
    // A pipe has no folder beside it.
    const beside =
      place.value === 'file' && textOf(shown) > mostText
        ? await writeBeside(
            join(folder, `${basename(file, extname(file))}-thumbnails`),
            shown,
            made.value.campaign.manifest,
          )
        : undefined;
    const why = await writeOwnFile(file, pageOf(parts, shown, beside), kind);
    return why === undefined
      ? ok({ ...(await sums(file, parts.data, place.value)), ...(beside && { beside: beside.folder }) })
      : err(cannotWrite(out ?? file, why));
  } catch (error) {
    return err(cannotWrite(out ?? file, wordsOf(error)));
  } finally {
    await copies?.close();
  }
}

async function writeZip(
  file: string,
  parts: PageParts,
  packed: Packed,
): Promise<Result<WrittenReport, Refusal>> {
  const zipped = zipReport(pageOf(parts, packed.shown, undefined), packed);
  if (!zipped.ok) return err(cannotWrite(file, zipped.error));
  await writeFileAtomic(file, zipped.value);
  return ok(await sums(file, parts.data));
}

function* pageOf(
  { data, ...program }: PageParts,
  { thumbnails, previews }: ReportPictures,
  beside: { readonly pathOf: (index: number) => string | null } | undefined,
): Generator<string> {
  if (!beside) return yield* pageHtml({ data, ...program }, blocksOf(thumbnails, previews));
  const pictures = data.pictures.map((each, index) => ({ ...each, thumbnail: beside.pathOf(index) }));
  return yield* pageHtml({ data: { ...data, pictures }, ...program });
}

function* blocksOf(
  thumbnails: readonly (Thumbnail | undefined)[],
  previews: readonly (Thumbnail | undefined)[],
): Generator<string> {
  yield* thumbnailBlocks('block', thumbnails);
  yield* thumbnailBlocks('preview', previews);
}

function textOf({ thumbnails }: ReportPictures): number {
  return (thumbnails.reduce((sum, thumbnail) => sum + (thumbnail?.bytes ?? 0), 0) * 4) / 3;
}

async function sums(
  file: string,
  { posts, pictures }: ReportData,
  place: OwnPlace = 'file',
): Promise<WrittenReport> {
  const missing = pictures.filter(({ problem }) => problem !== null).length;
  const bytes = place === 'file' ? (await stat(file)).size : null;
  return { file, bytes, posts: posts.length, pictures: pictures.length, missing };
}

/** The page's own program and style, from the installed package. */
export async function pageProgram(): Promise<Pick<PageParts, 'script' | 'style'>> {
  const read = (name: string) => readFile(packageFile('dist', name), 'utf8');
  const [script, style] = await Promise.all([read('page.js'), read('page-style.css')]);
  return { script, style };
}

/** In the output folder, unless somebody names another place. */
function placeOf({ manifest }: Campaign, out: string | undefined): string | undefined {
  if (out !== undefined) return resolve(out);
  return manifest.outputs ? resolve(manifest.folder, manifest.outputs.dir, 'report.html') : undefined;
}

function noPlace(): Refusal {
  const detail = 'This manifest has `outputs: false`, so there is no output folder. Name a file with --out.';
  return refusal(EXIT.usage, { code: 'no-output-folder', summary: 'No place for the report', detail });
}

function cannotWrite(file: string, why: string): Refusal {
  const detail = `${file}: ${why}.`;
  return refusal(EXIT.cannotWrite, { code: 'cannot-write', summary: 'The report cannot be written', detail });
}
