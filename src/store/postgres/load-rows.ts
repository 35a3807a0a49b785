/** Reads a log from its rows, and compares it with what is known of it elsewhere. */
import { countNodes } from '../../log/fold-state.ts';
import type { LogRecord } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, type Result } from '../../util/result.ts';
import { checkpointOf, whyNotFor } from '../file/import-spill.ts';
import { type KnownLog, lookAround, spilledOf } from '../file/known-log.ts';
import { divergenceFrom, loadLog, type LoadedLog } from '../file/load-log.ts';
import { readCheckpoint } from '../file/lock.ts';
import { foreign } from '../file/state-problem.ts';
import type { Witnesses } from '../file/witnesses.ts';
import type { Connection } from './connection.ts';
import { divergedDatabase, inDatabase } from './database-problem.ts';
import type { LogRow } from './find-log.ts';
import { logInRows } from './log-lines.ts';
import type { Place } from './place.ts';

export async function knownAround({ paths, identity }: Place, witnesses: Witnesses): Promise<KnownLog> {
  return lookAround(paths, { stateFile: paths.file, identity, witnesses }, await readCheckpoint(paths.lock));
}

export async function loadRows(
  connection: Connection,
  row: LogRow | undefined,
  {
    place: { name },
    known,
    visit,
  }: {
    readonly place: Place;
    readonly known: KnownLog;
    readonly visit?: ((record: LogRecord) => void) | undefined;
  },
): Promise<Result<LoadedLog, FatalProblem>> {
  const header = row && (JSON.parse(row.header) as { readonly seq?: number });
  const from =
    row && logInRows(connection, { campaign: row.id, header: row.header, after: header?.seq ?? 0 });
  const loaded = await loadLog(from, { file: name, checkpoints: known.checkpoints, visit });
  return loaded.ok ? loaded : err(inDatabase(loaded.error));
}

/** Why a log belongs to something else. */
export function foreignLog({ name, identity }: Place, log: LoadedLog): FatalProblem | undefined {
  const { header } = log;
  const problem = header && foreign(name, header, { identity, known: countNodes(log.state) });
  return problem && { ...problem, detail: problem.detail.replace(`${name}, line 1:`, `${name}:`) };
}

/** Why a log may lack something that was there before; undefined where it has all that is known of it. */
export function splitOf({ name }: Place, log: LoadedLog, known: KnownLog): FatalProblem | undefined {
  const { checkpoint, committed } = known;
  const isOpen = committed.type === 'log' && !committed.isSettled;
  for (const one of [checkpoint, isOpen ? committed.checkpoint : undefined]) {
    const divergence = one && divergenceFrom(log, one);
    if (divergence) return divergedDatabase(name, divergence);
  }
  for (const file of spilledOf(known, log)) {
    const end = checkpointOf(file);
    const problem = end && whyNotFor(log, file, end);
    if (problem) return problem;
  }
  return undefined;
}
