import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { syncFolder } from '../../util/atomic-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { settleCommitted } from './committed.ts';
import { emptyState, fold } from '../../log/fold.ts';
import { createRunSummaries } from '../../log/run-summaries.ts';
import type { Edit, Resealed, Resealing } from '../store.ts';
import { divergenceOf, type Divergence, type Checkpoint } from './checkpoint.ts';
import { encodeRecords } from './record.ts';
import { replaceLog } from './replace-log.ts';
import { reseal, type ResealedLog } from './reseal.ts';
import { LONGEST_LINE, TOO_LONG } from './read-log.ts';
import { openStateFile } from './state-file.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { badState, diverged, newer, notResealable, vanished } from './state-problem.ts';
import { type Lock, underLock } from './lock.ts';
import type { Witnesses } from './witnesses.ts';
import type { StatePaths } from './work-folder.ts';

/** Computes the chain of a log that was edited by hand anew, under the lock; the log from before is kept beside it. */
export function resealLog(
  paths: StatePaths,
  options: ResealOptions,
): Promise<Result<Resealed, FatalProblem>> {
  return underLock(paths, options, (lock) => resealLocked(paths, { ...options, lock }));
}

interface ResealOptions extends Resealing {
  readonly witnesses: Witnesses;
}

async function resealLocked(
  paths: StatePaths,
  { lock, runId: run, events, agree, clock, witnesses }: ResealOptions & { readonly lock: Lock },
): Promise<Result<Resealed, FatalProblem>> {
  const bytes = await readAll(paths);
  if (!bytes.ok) return bytes;
  const log = reseal(bytes.value);
  if (!log.ok) {
    const { error } = log;
    if (!('format' in error)) return err(notResealable(paths.file, error));
    return err(newer(paths.file, { line: 1, what: `its format is ${error.format}` }));
  }
  const { header, records } = log.value;
  const split = lock.checkpoint && divergenceAsStated(lock.checkpoint, log.value);
  // Nobody has edited it, so this is about which copy counts.
  if (split && split.type !== 'older' && log.value.edits.length === 0)
    return err(diverged(paths.file, split));
  const edits = [...log.value.edits, ...(split ? [editBehind(log.value, split)] : [])];
  if (edits.length === 0) return ok({ edits, kept: undefined });
  const state = emptyState();
  for (const { event } of records) fold(state, event);
  const version = createHash('sha256').update(bytes.value).digest('hex');
  if (!agree({ edits, state, version })) return ok({ edits, kept: undefined });
  const kept = `${paths.file}.before-reseal-${new Date(clock.now()).toISOString().replaceAll(':', '-')}`;
  await keepOriginal(paths, kept);
  const added = encodeRecords(events, run, log.value.end);
  // Its records are other ones from the rename on: a crash right after it must not look like a copy gone its own way.
  await replaceLog(paths, [...log.value.lines, added.lines], () =>
    lock.remember(header.lineage, { seq: 0, crc: 0 }),
  );
  await lock.remember(header.lineage, added.end);
  const committed = await witnesses.committed(paths);
  if (committed.type === 'log') await settleCommitted(paths, committed);
  return ok({ edits, kept });
}

/** How a log differs from its checkpoint, judged by what its lines say. */
function divergenceAsStated(
  checkpoint: Checkpoint,
  { header, records }: ResealedLog,
): Divergence | undefined {
  const { lineage, seq, last: crc } = header;
  const runs = createRunSummaries();
  let newest = seq;
  let crcAt: number | undefined;
  for (const record of records) {
    runs.add(record, record.crc ?? NO_CRC);
    if (record.seq === checkpoint.last?.seq) crcAt = record.crc;
    newest = Math.max(newest, record.seq);
  }
  const end = { seq: newest, crc: NO_CRC };
  const split = divergenceOf(checkpoint, { lineage, base: { seq, crc }, end, crcAt, runs: runs.list() });
  // The edit removed the record, or its checksum: then nobody can tell.
  const isTold = split?.type !== 'apart' || crcAt !== undefined || split.remembered <= seq;
  return isTold ? split : undefined;
}

/** No checksum has this value; the one at the end is not compared. */
const NO_CRC = -1;

function editBehind({ lines }: ResealedLog, split: Divergence): Edit {
  if (split.type !== 'older') return { type: 'other-log', line: 1 };
  return { type: 'cut', line: lines.length + 1, from: split.found + 1, to: split.remembered };
}

/** Node reads no larger file at once. */
const LARGEST_LOG = 2 ** 31 - 1;

function tooLarge(file: string): FatalProblem {
  const detail = `${file} has more than 2 GiB, and what is resealed is read as a whole. Bring it back from git or from a backup. Nothing was changed.`;
  return badState('damaged', { summary: 'The state cannot be resealed as it stands', detail });
}

/** The first line that is too long to be one of campaign's: it could not be held in memory. */
async function longLine(file: Pick<fs.FileHandle, 'read'>) {
  const block = Buffer.allocUnsafe(1 << 20);
  let line = 1;
  let start = 0;
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0) return undefined;
    const bytes = block.subarray(0, bytesRead);
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) {
      line += 1;
      start = at + end + 1;
    }
    at += bytesRead;
    if (at - start > LONGEST_LINE) return { line, offset: start, why: TOO_LONG };
  }
}

const NEWLINE = 0x0a;

async function readAll({ file }: StatePaths): Promise<Result<Buffer, FatalProblem>> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok) return opened;
  if (!opened.value) return err(vanished(file));
  try {
    const { size } = await opened.value.stat();
    if (size > LARGEST_LOG) return err(tooLarge(file));
    const long = await longLine(opened.value);
    if (long) return err(notResealable(file, long));
    return ok(await opened.value.readFile());
  } finally {
    await opened.value.close();
  }
}

async function keepOriginal({ file, folder }: StatePaths, kept: string): Promise<void> {
  await fs.copyFile(file, kept, constants.COPYFILE_EXCL);
  const copy = await fs.open(kept, 'r+');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
  await syncFolder(folder);
}
