/**
 * Brings results from a storage into their places here. Only the recorded bytes get there; what stood there becomes a backup.
 * What the storage lacks, or has with other bytes, is left for the service.
 */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { makeOutputFolder } from '../files/output-folder.ts';
import { type OutputFolder, ownPlaces, placeOf } from '../files/own-place.ts';
import { setAside } from '../files/set-aside.ts';
import type { FatalProblem, Problem } from '../model/problem.ts';
import type { ObjectStore, ReadObject } from '../storage/object-store.ts';
import { syncFolder } from '../util/atomic-file.ts';
import { checkPlaceNow, removePlainFile } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { shareRuns } from '../util/share-runs.ts';
import { diskProblem } from './disk-problem.ts';
import type { Runtime } from './runtime.ts';
import type { FetchedRow } from './verify-outputs.ts';
import { keyOf } from './verify-stored.ts';

const AT_ONCE = 8;

interface Fetching {
  readonly objects: ObjectStore;
  readonly place: OutputFolder;
}

export async function fetchStored(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  rows: readonly FetchedRow[],
  { objects, place }: Fetching,
): Promise<Result<FetchedRow[], FatalProblem>> {
  const limit = pLimit(AT_ONCE);
  const sync = shareRuns(syncFolder);
  const started = clock.monotonic();
  const whyNot = ownPlaces(place);
  const wanted = rows.filter(({ status, path: file }) => status !== 'ok' && whyNot(file) === undefined);
  const total = wanted.length;
  let done = 0;
  /** After the first failure of the storage itself nothing more is asked of it. */
  let problem: FatalProblem | undefined;

  async function fetchOne(row: FetchedRow): Promise<FetchedRow> {
    if (problem) return row;
    const target = placeOf(place, row.path);
    const part = path.join(path.dirname(target), `.${path.basename(target)}.part`);
    await makeOutputFolder(place, row.path);
    checkPlaceNow(part);
    try {
      const read = await objects.read(keyOf(row), part);
      if (!read.ok) {
        problem ??= read.error;
        return row;
      }
      if (read.value?.sha256 !== row.sha256) return { ...row, problem: notThere(row, objects, read.value) };
      // The fetch took time: a link may have taken the folder's place meanwhile.
      await makeOutputFolder(place, row.path);
      const backup = await setAside(target, row.sha256);
      await rename(part, target);
      await sync(path.dirname(target));
      const shown = backup && path.join(path.dirname(row.path), path.basename(backup));
      return { ...row, status: 'fetched', ...(shown && { backup: shown }) };
    } finally {
      await removePlainFile(part);
    }
  }

  const fetched = new Map<string, FetchedRow>();
  const fetch = async (row: FetchedRow) => {
    const came = await fetchOne(row).catch((error: unknown): FetchedRow => {
      const failed = diskProblem(error);
      if (!failed) throw error;
      return { ...row, problem: failed };
    });
    fetched.set(row.path, came);
    emit({ type: 'reading', what: 'fetching files', done: ++done, total, ms: clock.monotonic() - started });
  };
  await Promise.all(wanted.map((row) => limit(fetch, row)));
  return problem ? err(problem) : ok(rows.map((row) => fetched.get(row.path) ?? row));
}

function notThere(row: FetchedRow, { name }: ObjectStore, found: ReadObject | undefined): Problem {
  const recorded = `the recorded file has ${inBytes(row.bytes)} and the SHA-256 ${row.sha256.slice(0, 12)}…`;
  if (!found)
    return {
      summary: 'The storage does not have the file',
      detail: `${name}: no ${keyOf(row)}; ${recorded}`,
    };
  const what = `${inBytes(found.bytes)} with the SHA-256 ${found.sha256.slice(0, 12)}…`;
  return {
    summary: 'The storage has other bytes than were put there',
    detail: `${name}: ${keyOf(row)} has ${what}; ${recorded}`,
  };
}

function inBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`;
}

/** Files that are here and not in the storage are put there; gives what went wrong. */
export async function storeWhole(
  rows: readonly FetchedRow[],
  { objects, place }: Fetching,
): Promise<FatalProblem | undefined> {
  const limit = pLimit(AT_ONCE);
  let problem: FatalProblem | undefined;
  const store = async (row: FetchedRow) => {
    if (problem || (row.status !== 'ok' && row.status !== 'fetched')) return;
    const there = await objects.size(keyOf(row));
    if (!there.ok) return void (problem ??= there.error);
    const { bytes, sha256, content_type: contentType } = row;
    if (there.value === bytes && !row.problem) return;
    const put = await objects.put(keyOf(row), {
      path: placeOf(place, row.path),
      bytes,
      sha256,
      contentType,
    });
    if (!put.ok) problem ??= put.error;
  };
  await Promise.all(rows.map((row) => limit(store, row)));
  return problem;
}
