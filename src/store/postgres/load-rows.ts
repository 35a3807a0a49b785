/** Reads a log from its rows, and compares it with what is known of it elsewhere. */
import { countNodes } from '../../log/fold-state.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, type Result } from '../../util/result.ts';
import type { Checkpoint } from '../file/checkpoint.ts';
import type { KnownHead } from '../known-head.ts';
import { checkpointOf, isOf, type SpillFile, whyNotFor } from '../file/import-spill.ts';
import { type KnownLog, lookAround } from '../file/known-log.ts';
import { createLogLoader, divergenceFrom, type LoadedLog } from '../file/load-log.ts';
import { readCheckpoint } from '../file/lock.ts';
import { readSeal } from '../file/seal.ts';
import { foreign } from '../file/state-problem.ts';
import type { Visit } from '../store.ts';
import type { Witnesses } from '../file/witnesses.ts';
import type { Connection } from './connection.ts';
import { divergedDatabase, inDatabase, WHERE_NOTHING_IS_KNOWN } from './database-problem.ts';
import type { LogRow } from './find-log.ts';
import { logInRows } from './log-lines.ts';
import type { Place } from './place.ts';
import { readPointer } from '../file/pointer.ts';

/** What is known of a log besides its rows. */
export interface Known {
  /** Of this folder: the log that it has seen last. */
  readonly own: readonly (Checkpoint | undefined)[];
  /** Of whatever logs: those of other lineages say nothing. */
  readonly heads: readonly KnownHead[];
  readonly spilled: readonly SpillFile[];
}

/** `heads`: what is known of it elsewhere. It is asked before the log is read, or what others record meanwhile would be missing. */
export async function knownAround(
  { paths, identity, seen }: Place,
  witnesses: Witnesses,
  heads: readonly KnownHead[] = [],
): Promise<KnownLog & Known> {
  const checkpoint = await readCheckpoint(paths.lock);
  const around = await lookAround(paths, { stateFile: paths.file, identity, witnesses }, checkpoint);
  const { committed } = around;
  const pointer = await readPointer(paths);
  const head = pointer.ok && pointer.value.type === 'pointer' ? pointer.value.head : undefined;
  const inGit = committed.type === 'log' && !committed.isSettled ? committed.checkpoint : undefined;
  return { ...around, own: [checkpoint, head, inGit], heads: [...seen.all(), ...heads] };
}

/** The newest record of a log that was read. */
export function headOf({ header, boundAt = '', reading }: LoadedLog): KnownHead | undefined {
  return header && { lineage: header.lineage, last: reading.chain, boundAt };
}

export async function loadRows(
  connection: Connection,
  row: LogRow | undefined,
  { place: { name }, visit }: Loading,
): Promise<Result<LoadedLog, FatalProblem>> {
  return loadedFrom(connection, row, createLogLoader({ file: name, visit }));
}

interface Loading {
  readonly place: Pick<Place, 'name'>;
  readonly visit?: Visit | undefined;
}

async function loadedFrom(
  connection: Connection,
  row: LogRow | undefined,
  load: ReturnType<typeof createLogLoader>,
): Promise<Result<LoadedLog, FatalProblem>> {
  const header = row && (JSON.parse(row.header) as { readonly seq?: number });
  const from =
    row && logInRows(connection, { campaign: row.id, header: row.header, after: header?.seq ?? 0 });
  const loaded = await load(from);
  return loaded.ok ? loaded : err(inDatabase(loaded.error));
}

/** As `loadRows`, and when it is called again only what was added since, where the log goes on from what it was. */
export function followRows({ name }: Pick<Place, 'name'>, begin: () => Visit | undefined) {
  let known: Followed | undefined;
  return async (
    connection: Connection,
    row: LogRow | undefined,
  ): Promise<Result<LoadedLog, FatalProblem>> => {
    const before = known;
    known = undefined;
    if (row && before && (await goesOn(connection, row, before))) {
      const { id: campaign } = row;
      const { load, end } = before;
      const grown = await load(logInRows(connection, { campaign, after: end.seq }));
      if (grown.ok) {
        known = { row, load, end: grown.value.reading.chain };
        return grown;
      }
    }
    const load = createLogLoader({ file: name, visit: begin() });
    const loaded = await loadedFrom(connection, row, load);
    if (row && loaded.ok) known = { row, load, end: loaded.value.reading.chain };
    return loaded;
  };
}

interface Followed {
  readonly row: LogRow;
  readonly load: ReturnType<typeof createLogLoader>;
  /** The last record that was read. */
  readonly end: RecordPlace;
}

/** Whether a log has the last record that was read; its checksum covers all that stands before it. */
async function goesOn(
  { query }: Connection,
  { id, header }: LogRow,
  { row, end }: Followed,
): Promise<boolean> {
  if (id !== row.id || header !== row.header) return false;
  const [last] = await query('select line from campaign.event where campaign = $1 and seq = $2', [
    id,
    end.seq,
  ]);
  return last !== undefined && readSeal(Buffer.from(String(last['line']))) === end.crc;
}

/** Why a log belongs to something else. */
export function foreignLog({ name, identity }: Place, log: LoadedLog): FatalProblem | undefined {
  const { header } = log;
  const problem = header && foreign(name, header, { identity, known: countNodes(log.state) });
  return problem && { ...problem, detail: problem.detail.replace(`${name}, line 1:`, `${name}:`) };
}

/** Why a log may lack something that was there before; undefined where it has all that is known of it. */
export function splitOf(
  place: Pick<Place, 'name' | 'url'>,
  log: LoadedLog,
  { own, heads, spilled }: Known,
  row?: LogRow,
): FatalProblem | undefined {
  const { lineage, seq = 0 } = log.header ?? {};
  // What a log that was compacted in a file had before is in none of its records.
  const elsewhere = heads.filter((head) => head.lineage === lineage && head.last.seq > seq);
  for (const one of [...own, ...elsewhere]) {
    const divergence = one && divergenceFrom(log, one);
    if (divergence) return divergedDatabase(place, divergence);
  }
  if (row?.isOlder) return divergedDatabase(place);
  for (const file of spilled.filter((one) => isOf(lineage, one))) {
    const end = checkpointOf(file);
    const problem = end && whyNotFor(log, file, end);
    if (problem) return { ...problem, detail: `${problem.detail} ${WHERE_NOTHING_IS_KNOWN}` };
  }
  return undefined;
}
