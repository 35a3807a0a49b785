/**
 * Moves a log from a database into a file: the same lines, checksums included. The file is complete and was read back
 * before the row is closed, and gets its name afterwards. A crash in between leaves a pointer to a closed row: the same
 * command opens that row and begins anew.
 */
import * as fs from 'node:fs/promises';
import type { RecordPlace } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere, openNewFile } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { LogHeader } from '../file/header.ts';
import { loadLog } from '../file/load-log.ts';
import type { KnownHead } from '../known-head.ts';
import { makeWorkFolder, type StatePaths, statePaths } from '../file/work-folder.ts';
import type { WritableState } from '../store.ts';
import type { Connection } from './connection.ts';
import { findLog, type LogRow } from './find-log.ts';
import { loadRows } from './load-rows.ts';
import { logInRows } from './log-lines.ts';
import { changedMeanwhile, nothingToMove, placeTaken } from './move-problem.ts';
import { markOf } from './move-to-database.ts';
import { openToWrite } from './open-to-write.ts';
import { pathFrom, readPointer, rememberAt, writePointer } from '../file/pointer.ts';
import { schemaVersion } from './schema.ts';
import type { MovedLog, Moving, WriteOptions } from './place.ts';

export async function moveToFile(
  connection: Connection,
  moving: Moving,
  options: WriteOptions,
): Promise<Result<MovedLog, FatalProblem>> {
  const { place, file } = moving;
  const records = await recordsMoved(connection, moving);
  if (records !== undefined) return ok({ records, wasThere: true });
  if (file !== place.paths.file && (await isThere(file))) return err(placeTaken(file));
  await reopen(connection, moving);
  const opened = await openToWrite(connection, place, options);
  if (!opened.ok) return opened;
  const open = opened.value;
  try {
    return open.version === ''
      ? err(nothingToMove(place.name))
      : await move(connection, moving, { open, options });
  } finally {
    await open.close();
  }
}

/** How many, where the file is what an earlier command made of this log; what it may have left behind is removed. */
async function recordsMoved(connection: Connection, { place, file }: Moving): Promise<number | undefined> {
  const found = await readPointer(statePaths(file));
  if (!found.ok || found.value.type !== 'other' || (await schemaVersion(connection)) === 0) return undefined;
  const [row] = await connection.query(
    `select (select count(*) from campaign.event e where e.campaign = c.id)::float8 as records
      from campaign.campaign c where lineage = $1 and moved_to = $2`,
    [found.value.lineage ?? '', markOf(file)],
  );
  if (!row) return undefined;
  const pointer = await readPointer(place.paths);
  if (pointer.ok && pointer.value.type === 'pointer' && pointer.value.lineage === found.value.lineage) {
    const { header, head } = pointer.value;
    await leavePlace(place.paths, { file: statePaths(file), header, head });
  }
  return Number(row['records']);
}

/** Only where this very move was interrupted, on this machine, and the file beside the manifest is still a pointer. */
async function reopen(connection: Connection, { place, file }: Moving): Promise<void> {
  const found = await findLog(connection, place, 'closed');
  if (!found.ok || found.value?.movedTo !== markOf(file)) return;
  await connection.query('update campaign.campaign set moved_to = null where id = $1', [found.value.id]);
}

async function move(
  connection: Connection,
  { place, file }: Moving,
  { open, options }: { readonly open: WritableState; readonly options: WriteOptions },
): Promise<Result<MovedLog, FatalProblem>> {
  const target = statePaths(file);
  const found = await findLog(connection, place, 'own');
  if (!found.ok) return found;
  const row = found.value as LogRow;
  const made = await makeWorkFolder(target.work);
  if (!made.ok) return made;
  const written = await writeLog(connection, { place, row, fresh: target.fresh });
  if (!written.ok) return written;
  const end = written.value;
  const closed = await connection.query(
    `update campaign.campaign c set moved_to = $2 where c.id = $1 and c.head_seq = $3 and exists
      (select from campaign.run r where r.campaign = c.id and r.ended_at is null and r.run = $4) returning c.id`,
    [row.id, markOf(file), open.seq, options.runId],
  );
  if (closed.length === 0) return err(changedMeanwhile(place.name));
  await fs.rename(target.fresh, target.file);
  await syncFolder(target.folder);
  const { header } = open;
  const head = { lineage: header.lineage, last: end, boundAt: open.head?.().boundAt ?? '' };
  await leavePlace(place.paths, { file: target, header, head });
  await rememberAt(target, { ...options, lineage: header.lineage, end });
  return ok({ records: open.seq - open.header.seq, wasThere: false });
}

interface Left {
  readonly file: StatePaths;
  readonly header: LogHeader;
  readonly head: KnownHead;
}

/** The file beside the manifest names the log's file, unless that is its place. */
async function leavePlace(beside: StatePaths, { file, header, head }: Left): Promise<void> {
  if (file.file === beside.file) return;
  const to = pathFrom(beside, file.file);
  await writePointer(beside, { header, to, end: head.last, boundAt: head.boundAt });
}

interface Fresh extends Pick<Moving, 'place'> {
  readonly row: LogRow;
  readonly fresh: string;
}

/** The lines as they are. */
async function writeLog(
  connection: Connection,
  { place, row, fresh }: Fresh,
): Promise<Result<RecordPlace, FatalProblem>> {
  const loaded = await loadRows(connection, row, { place });
  if (!loaded.ok) return loaded;
  const { header, reading } = loaded.value;
  const end: RecordPlace = reading.chain;
  const handle = await openNewFile(fresh, 0o600);
  try {
    const from = logInRows(connection, { campaign: row.id, header: row.header, after: header?.seq ?? 0 });
    const block = Buffer.alloc(1 << 20);
    for (;;) {
      const { bytesRead } = await from.read(block, 0, block.length, null);
      if (bytesRead === 0) break;
      await handle.writeFile(block.subarray(0, bytesRead));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  const written = await fs.open(fresh, 'r');
  try {
    const read = await loadLog(written, { file: fresh });
    if (!read.ok) return read;
    const { seq, crc } = read.value.reading.chain;
    return seq === end.seq && crc === end.crc ? ok(end) : err(changedMeanwhile(fresh));
  } finally {
    await written.close();
  }
}
