/**
 * Opens a state for its one writer, in this order: make the tables right; begin a run; read the log; check that it is the
 * one that counts; import what an earlier run on this machine could not write. A new log begins with its first event.
 */
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { settleCommitted, unreadWarnings } from '../file/committed.ts';
import { createSieve, importSpill, lackingOf, whyUnreadable } from '../file/import-spill.ts';
import { ANEW, type KnownLog, spilledOf, whyNotNew } from '../file/known-log.ts';
import type { LoadedLog } from '../file/load-log.ts';
import { LogWriter } from '../file/log-writer.ts';
import { makeWorkFolder, placeProblem } from '../file/work-folder.ts';
import type { Locking, WritableState } from '../store.ts';
import { beginLog } from './begin-log.ts';
import type { Connection } from './connection.ts';
import { findLog, type LogRow, rowToBegin } from './find-log.ts';
import { foreignLog, type Known, knownAround, loadRows, splitOf } from './load-rows.ts';
import { PATIENCE_MS, rowsOfLog } from './log-lines.ts';
import { createPatience } from './patience.ts';
import type { Place, WriteOptions } from './place.ts';
import { beginRun, type OpenRun } from './run-lock.ts';
import { serverWarnings } from './server-changed.ts';
import { prepareSchema } from './schema.ts';
import { createWriteSession } from './write-session.ts';

export async function openToWrite(
  connection: Connection,
  place: Place,
  options: WriteOptions,
): Promise<Result<WritableState, FatalProblem>> {
  const misplaced = await placeProblem(place.paths);
  if (misplaced) return err(misplaced);
  const made = await makeWorkFolder(place.paths.work);
  if (!made.ok) return made;
  const prepared = await prepareSchema(connection, place);
  if (!prepared.ok) return prepared;
  const locked = await lockLog(connection, place, options);
  if (!locked.ok) return locked;
  const { run } = locked.value;
  let opened: Result<WritableState, FatalProblem> | undefined;
  try {
    opened = await openLocked(connection, place, { ...options, ...locked.value });
    return opened;
  } finally {
    if (!opened?.ok) await run.release();
  }
}

/** Begins a run that writes nothing. */
export async function holdLog(
  connection: Connection,
  place: Place,
  locking: Locking & Pick<WriteOptions, 'leaseMs'>,
): Promise<Result<OpenRun, FatalProblem>> {
  const prepared = await prepareSchema(connection, place);
  if (!prepared.ok) return prepared;
  const found = await findLog(connection, place, 'own');
  if (!found.ok) return found;
  const campaign = found.value?.id ?? (await rowToBegin(connection, place.identity));
  return beginRun(connection, { ...locking, name: place.name, campaign, runId: '' });
}

interface LockedLog {
  readonly run: OpenRun;
  /** That of the log, or the one that a new log will have. */
  readonly campaign: number;
  readonly row: LogRow | undefined;
  /** That the server is another one. */
  readonly warnings: readonly string[];
}

/** On another server the newest records may be missing: so long a worker may take to be connected there, and to object. */
const OBJECTIONS_MS = 5_000;

/** Which log it is may change until the run is begun: then it is looked for once more. */
async function lockLog(
  connection: Connection,
  place: Place,
  options: WriteOptions,
): Promise<Result<LockedLog, FatalProblem>> {
  for (;;) {
    const before = await findWanted(connection, place, options);
    if (!before.ok) return before;
    const campaign = before.value?.id ?? (await rowToBegin(connection, place.identity));
    const begun = await beginRun(connection, { ...options, name: place.name, campaign });
    if (!begun.ok) return begun;
    const run = begun.value;
    const warnings = await serverWarnings(connection, { run: run.id, name: place.name });
    if (warnings.length) await new Promise<void>((resolve) => options.clock.after(OBJECTIONS_MS, resolve));
    const row = await findWanted(connection, place, options);
    if (row.ok && row.value?.id === before.value?.id) return ok({ run, campaign, row: row.value, warnings });
    await run.release();
    if (!row.ok) return row;
  }
}

/** With `vanished` a log that is not there, or another one of this campaign, is no reason against a new one. */
async function findWanted(connection: Connection, place: Place, { allow = [] }: WriteOptions) {
  const found = await findLog(connection, place, allow.includes('elsewhere') ? 'any' : 'own');
  if (found.ok || !allow.includes('vanished')) return found;
  const isNoReason = ['state-vanished', 'state-elsewhere'].includes(found.error.code);
  return isNoReason ? ok(undefined) : found;
}

async function openLocked(
  connection: Connection,
  place: Place,
  { run, campaign, row, warnings: changes, ...options }: WriteOptions & LockedLog,
): Promise<Result<WritableState, FatalProblem>> {
  const { paths } = place;
  const { runId, witnesses, clock, heads } = options;
  const known = await knownAround(place, witnesses, heads);
  const sieve = createSieve(known.spilled);
  const read = await loadRows(connection, row, { place, visit: sieve.show });
  if (!read.ok) return read;
  const log = read.value;
  const checked = await check(log, { place, known, row }, options);
  if (!checked.ok) return checked;
  const { split, isOurs, waiting } = checked.value;
  const begun = beginLog(connection, { place, log, campaign, run: run.id }, options);
  const { header, chain } = begun;
  const patiently = createPatience({ clock, longestMs: PATIENCE_MS, waits: options.tellWaiting });
  const rows = { campaign, run: run.id, after: chain.seq, clock, patiently, begin: begun.begin };
  const file = rowsOfLog(connection, rows);
  const writer = new LogWriter(file, { run: runId, length: 0, chain });
  const warnings = [...checked.value.warnings, ...unreadWarnings(known.committed), ...changes];
  for (const spill of waiting)
    warnings.push(await importSpill(spill, lackingOf(spill, sieve, log), { log, writer, paths, run: runId }));
  if (isOurs) await begun.remember(writer.durable);
  const { committed } = known;
  const isContested = !log.header || split !== undefined;
  const settle =
    isContested && committed.type === 'log' ? () => settleCommitted(paths, committed) : undefined;
  return ok(
    createWriteSession(log, {
      connection,
      patiently,
      place,
      options,
      campaign,
      run,
      begun,
      header,
      writer,
      split,
      isOurs,
      settle,
      warnings,
    }),
  );
}

/** What is wrong and allowed all the same, and the spill files that may be imported: only if this log surely counts. */
async function check(
  log: LoadedLog,
  { place, known, row }: Pick<LockedLog, 'row'> & { readonly place: Place; readonly known: KnownLog & Known },
  { allow = [] }: WriteOptions,
) {
  if (!log.header) {
    const { problem, warnings } = allow.includes('vanished') ? ANEW : await whyNotNew(log, known);
    return problem ? err(problem) : ok({ split: undefined, isOurs: false, waiting: [], warnings });
  }
  const other = foreignLog(place, log);
  if (other && !allow.includes('foreign')) return err(other);
  const split = splitOf(place, log, known, row);
  if (split && !allow.includes('diverged')) return err(split);
  if (split || other) return ok({ split, isOurs: false, waiting: [], warnings: [] });
  const waiting = spilledOf(known, log);
  const unreadable = waiting.map(whyUnreadable).find((one) => one !== undefined);
  return unreadable ? err(unreadable) : ok({ split, isOurs: true, waiting, warnings: [] });
}
