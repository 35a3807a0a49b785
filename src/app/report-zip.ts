import { constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { MOST_ZIPPED, type ZipEntry, zipEntries } from '../report/zip-entries.ts';
import { attempt } from '../util/attempt.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { CampaignReport } from './report-campaign.ts';
import type { ReportFile } from './report-files.ts';
import type { ReportPictures } from './report-pictures.ts';
import type { StoredCopies } from './stored-copies.ts';

/** Where a file of the manifest's folder is in the archive; what lies outside of that folder is not packed. */
export function zippedPath(file: string): string | null {
  const normal = path.posix.normalize(file);
  return normal.startsWith('../') || path.posix.isAbsolute(normal) ? null : `files/${normal}`;
}

export interface Packed {
  readonly made: CampaignReport;
  readonly shown: ReportPictures;
  /** Absent without a storage. */
  readonly copies: StoredCopies | undefined;
}

interface PackedFile {
  readonly name: string;
  readonly file: ReportFile;
}

/** The page and all pictures in one archive, in pieces; the error says why that is not possible. */
export function zipReport(
  page: Iterable<string>,
  { made: { data }, shown, copies }: Packed,
): Result<AsyncIterable<Uint8Array>, string> {
  const files = shown.pictures.flatMap(({ path: name }, index): PackedFile[] => {
    const file = shown.files[index];
    return name === null || !file ? [] : [{ name, file }];
  });
  const bytes = files.reduce((sum, { file }) => sum + bytesOfFile(file), 0);
  if (bytes > MOST_ZIPPED.bytes || files.length > MOST_ZIPPED.files) {
    const size = `${files.length} files of ${(bytes / 1e9).toFixed(1)} GB together`;
    return err(
      `${size} are more than every program can unpack. Write the report beside the pictures instead`,
    );
  }
  return ok(zipEntries(entries(page, files, copies), data.madeAt));
}

function bytesOfFile({ file, isStored, source }: ReportFile): number {
  if (isStored) return source.from === 'output' ? source.bytes : 0;
  return attempt(() => statSync(file))?.size ?? 0;
}

async function* entries(
  page: Iterable<string>,
  files: readonly PackedFile[],
  copies: StoredCopies | undefined,
): AsyncGenerator<ZipEntry> {
  yield { name: 'report.html', isCompressed: false, content: bytesOf(page) };
  for (const { name, file } of files) {
    const copy = file.isStored ? await copies?.copyOf(file.source) : undefined;
    yield { name, isCompressed: true, content: contentOf(copy?.ok ? copy.value : file.file) };
  }
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** Of a file that has gone meanwhile, or cannot be read to its end, as much as there is: the page has its preview. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return;
  try {
    if (!(await handle.stat()).isFile()) return;
    yield* handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>;
  } catch {
    return;
  } finally {
    await handle.close();
  }
}
