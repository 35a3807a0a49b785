import pLimit from 'p-limit';
import { type OutputFolder, ownPlaces, placeOf } from '../files/own-place.ts';
import { type FileState, verifyFile } from '../files/verify-file.ts';
import type { Problem } from '../model/problem.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import { notOwn } from './not-own.ts';
import type { Runtime } from './runtime.ts';

export interface VerifiedRow extends OutputRow {
  readonly status: FileState;
  /** Why it was not looked at. */
  readonly problem?: Problem;
}

export interface FetchedRow extends Omit<VerifiedRow, 'status'> {
  readonly status: VerifiedRow['status'] | 'fetched';
  /** Why it was not fetched. */
  readonly problem?: Problem;
  /** What stood in its place before, relative to the manifest's folder. */
  readonly backup?: string;
}

/** How many files are read at once: enough to use the disk. */
const AT_ONCE = 4;

/** Compares each file with the SHA-256 that was recorded; files are streamed. What is not ours is not read. */
export async function verifyOutputs(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  place: OutputFolder,
  rows: readonly OutputRow[],
): Promise<VerifiedRow[]> {
  const limit = pLimit(AT_ONCE);
  const started = clock.monotonic();
  const total = rows.length;
  let done = 0;
  const whyNot = ownPlaces(place);
  const verify = async (row: OutputRow): Promise<VerifiedRow> => {
    const why = whyNot(row.path);
    const status = why === undefined ? await verifyFile(placeOf(place, row.path), row.sha256) : 'unreadable';
    done += 1;
    emit({ type: 'reading', what: 'checking files', done, total, ms: clock.monotonic() - started });
    return { ...row, status, ...(why !== undefined && { problem: notOwn(row.path, why) }) };
  };
  return Promise.all(rows.map((row) => limit(verify, row)));
}
