import { join } from 'node:path';
import pLimit from 'p-limit';
import { type FileState, verifyFile } from '../files/verify-file.ts';
import type { Problem } from '../model/problem.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import type { Runtime } from './runtime.ts';

export interface VerifiedRow extends OutputRow {
  readonly status: FileState;
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

/** Compares each file with the SHA-256 that was recorded; files are streamed. */
export async function verifyOutputs(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  folder: string,
  rows: readonly OutputRow[],
): Promise<VerifiedRow[]> {
  const limit = pLimit(AT_ONCE);
  const started = clock.monotonic();
  const total = rows.length;
  let done = 0;
  const verify = async (row: OutputRow) => {
    const status = await verifyFile(join(folder, row.path), row.sha256);
    done += 1;
    emit({ type: 'reading', what: 'checking files', done, total, ms: clock.monotonic() - started });
    return { ...row, status };
  };
  return Promise.all(rows.map((row) => limit(verify, row)));
}
