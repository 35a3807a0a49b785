/**
 * Moves a log from a file into a database: the same lines, checksums included. At every moment one side counts: until all
 * of it was read back, the row is closed (`moved_to` names the file); then the file becomes a pointer, and the row is
 * opened. A crash leaves the file as it was, or a pointer to a closed row: the same command finishes either.
 */
import { createReadStream } from 'node:fs';
import os from 'node:os';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { createFileStore } from '../file/file-store.ts';
import { loadLog } from '../file/load-log.ts';
import { statePaths } from '../file/work-folder.ts';
import type { WritableState, Writing } from '../store.ts';
import { type Connection } from './connection.ts';
import { elsewhereInDatabase } from './database-problem.ts';
import { logsOf } from './find-log.ts';
import { logInRows } from './log-lines.ts';
import { changedMeanwhile, nothingToMove, placeTaken } from './move-problem.ts';
import type { MovedLog, Moving } from './place.ts';
import { readPointer, writePointer } from '../file/pointer.ts';
import { prepareSchema } from './schema.ts';

const ROWS = 5_000;

export async function moveToDatabase(
  connection: Connection,
  moving: Moving,
  run: Writing,
): Promise<Result<MovedLog, FatalProblem>> {
  const { place, file, witnesses } = moving;
  const prepared = await prepareSchema(connection, place);
  if (!prepared.ok) return prepared;
  const opened = await createFileStore({ file, identity: place.identity, witnesses }).write(run);
  if (!opened.ok)
    return opened.error.code === 'state-moved' ? finish(connection, moving, opened.error) : opened;
  const open = opened.value;
  try {
    return open.version === '' ? err(nothingToMove(file)) : await move(connection, moving, open);
  } finally {
    await open.close('as-it-is');
  }
}

async function move(
  connection: Connection,
  { place, file }: Moving,
  { header, version, seq }: WritableState,
): Promise<Result<MovedLog, FatalProblem>> {
  const { paths, identity, name } = place;
  const [other] = await logsOf(connection, identity);
  if (other) return err(elsewhereInDatabase(place, other.identity));
  const there = await readPointer(paths);
  if (!there.ok) return there;
  const isFree =
    there.value.type === 'nothing' ||
    (there.value.type === 'pointer' && there.value.lineage === header.lineage);
  if (file !== paths.file && !isFree) return err(placeTaken(paths.file));
  const { campaign, text } = await copy(connection, { ...place, file, lineage: header.lineage });
  const from = logInRows(connection, { campaign, header: text, after: header.seq });
  const read = await loadLog(from, { file: name });
  if (!read.ok) return read;
  const { chain: end } = read.value.reading;
  if (`${header.lineage}:${end.seq}:${end.crc}` !== version) return err(changedMeanwhile(file));
  await connection.query('update campaign.campaign set head_seq = $2 where id = $1', [campaign, seq]);
  const pointer = { header, to: name, end };
  for (const at of new Set([paths.file, file])) await writePointer(statePaths(at), pointer);
  await open(connection, campaign);
  return ok({ records: seq - header.seq, wasThere: false });
}

interface Source extends Pick<Moving['place'], 'identity'> {
  readonly file: string;
  readonly lineage: string;
}

/** A row that is closed, with all lines of the file. One that an earlier move has left keeps what it has, and is no log any more. */
async function copy(connection: Connection, { identity, file, lineage }: Source) {
  const { campaign: name, environment, baseUrl } = identity;
  await connection.query(
    `update campaign.campaign set lineage = lineage || ' until ' || id where lineage = $1 and moved_to is not null`,
    [lineage],
  );
  let campaign = 0;
  let text = '';
  let after = 0;
  for await (const lines of linesOf(file)) {
    let records = lines;
    if (text === '') {
      [text = '', ...records] = lines;
      const [row] = await connection.query(
        `insert into campaign.campaign (name, environment, base_url, lineage, header, moved_to)
          values ($1, $2, $3, $4, $5, $6) returning id::float8 as id`,
        [name, environment, baseUrl, lineage, text, markOf(file)],
      );
      campaign = Number(row?.['id']);
      after = (JSON.parse(text) as { readonly seq?: number }).seq ?? 0;
    }
    await connection.query(
      `insert into campaign.event (campaign, seq, line)
        select $1, $2 + u.n, u.line from unnest($3::text[]) with ordinality u (line, n)`,
      [campaign, after, records],
    );
    after += records.length;
  }
  return { campaign, text };
}

/** Some lines at a time, without their newlines. */
async function* linesOf(file: string): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const found = `${rest}${chunk as string}`.split('\n');
    rest = found.pop() ?? '';
    lines.push(...found);
    for (; lines.length >= ROWS; lines = lines.slice(ROWS)) yield lines.slice(0, ROWS);
  }
  if (lines.length > 0) yield lines;
}

/** Where a log is that a database does not have any more. */
export function markOf(file: string): string {
  return `${file} on ${os.hostname()}`;
}

async function open({ query }: Connection, campaign: number): Promise<void> {
  await query('update campaign.campaign set moved_to = null where id = $1', [campaign]);
}

/** The file is a pointer: of this move, which was interrupted before its last step, or has ended before. */
async function finish(
  connection: Connection,
  { file }: Moving,
  problem: FatalProblem,
): Promise<Result<MovedLog, FatalProblem>> {
  const pointer = await readPointer(statePaths(file));
  const lineage = pointer.ok && pointer.value.type === 'pointer' ? pointer.value.lineage : '';
  const [row] = await connection.query(
    `select id::float8 as id, moved_to is null as is_open,
        (select count(*) from campaign.event e where e.campaign = c.id)::float8 as records
      from campaign.campaign c where lineage = $1 and (moved_to is null or moved_to = $2)`,
    [lineage, markOf(file)],
  );
  if (!row) return err(problem);
  const wasThere = row['is_open'] === true;
  if (!wasThere) await open(connection, Number(row['id']));
  return ok({ records: Number(row['records']), wasThere });
}
