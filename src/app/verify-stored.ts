/** Results in a storage, compared with what was recorded. */
import pLimit from 'p-limit';
import type { FatalProblem } from '../model/problem.ts';
import { type ObjectStore, outputKey } from '../storage/object-store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { OutputRow } from '../views/list-outputs.ts';
import type { Runtime } from './runtime.ts';
import type { VerifiedRow } from './verify-outputs.ts';

/** How many objects are read at once. */
const AT_ONCE = 8;

/** Every object is read to its end: what a store says of its length and checksum is no proof. */
export async function verifyStored(
  { clock, emit }: Pick<Runtime, 'clock' | 'emit'>,
  objects: ObjectStore,
  rows: readonly OutputRow[],
): Promise<Result<VerifiedRow[], FatalProblem>> {
  const limit = pLimit(AT_ONCE);
  const started = clock.monotonic();
  const total = rows.length;
  let done = 0;
  let problem: FatalProblem | undefined;
  const verify = async (row: OutputRow): Promise<VerifiedRow> => {
    if (problem) return { ...row, status: 'unreadable' };
    const read = await objects.read(keyOf(row));
    emit({ type: 'reading', what: 'checking files', done: ++done, total, ms: clock.monotonic() - started });
    if (!read.ok) problem ??= read.error;
    if (!read.ok || !read.value) return { ...row, status: read.ok ? 'missing' : 'unreadable' };
    return { ...row, status: read.value.sha256 === row.sha256 ? 'ok' : 'differs' };
  };
  const verified = await Promise.all(rows.map((row) => limit(verify, row)));
  return problem ? err(problem) : ok(verified);
}

export function keyOf({ sha256, content_type: contentType }: OutputRow): string {
  return outputKey({ sha256, contentType });
}
