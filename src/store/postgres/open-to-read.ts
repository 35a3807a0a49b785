import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { unreadWarnings } from '../file/committed.ts';
import { whyUnreadable } from '../file/import-spill.ts';
import { type KnownLog, spilledOf, whyNotNew } from '../file/known-log.ts';
import type { LoadedLog } from '../file/load-log.ts';
import { splitWarning, waits } from '../file/open-to-read.ts';
import { isUnseen } from '../file/state-problem.ts';
import type { Witnesses } from '../file/witnesses.ts';
import { placeProblem } from '../file/work-folder.ts';
import { openedState, type OpenState } from '../store.ts';
import type { Connection } from './connection.ts';
import { findLog, type LogRow } from './find-log.ts';
import { followRows, foreignLog, headOf, type Known, knownAround, splitOf } from './load-rows.ts';
import type { Place } from './place.ts';
import { schemaVersion, whyNotUsable } from './schema.ts';

/** As for a file: no lock, and what would stop a writer becomes a warning. A database without tables is empty. */
export async function openToRead(
  connection: Connection,
  place: Place,
  { witnesses, follow }: { witnesses: Witnesses; follow: ReturnType<typeof followRows> },
): Promise<Result<OpenState, FatalProblem>> {
  const misplaced = await placeProblem(place.paths);
  if (misplaced) return err(misplaced);
  const version = await schemaVersion(connection);
  const unusable = version === 0 ? undefined : whyNotUsable(place.name, version);
  if (unusable) return err(unusable);
  const known = await knownAround(place, witnesses);
  const found = await findLog(connection, place, version === 0 ? 'no-tables' : 'own');
  if (!found.ok) return found;
  const loaded = await follow(connection, found.value);
  if (!loaded.ok) return loaded;
  const log = loaded.value;
  const { problem, warnings } = log.header
    ? { problem: foreignLog(place, log), warnings: [] }
    : await whyNotNew(log, known);
  if (problem && !isUnseen(problem)) return err(problem);
  const open = told(place, log, { ...known, row: found.value, unseen: problem });
  return ok({ ...open, warnings: [...warnings, ...open.warnings] });
}

interface Unsure {
  readonly row: LogRow | undefined;
  readonly unseen: FatalProblem | undefined;
}

function told(place: Place, log: LoadedLog, known: KnownLog & Known & Unsure): OpenState {
  const waiting = spilledOf(known, log);
  const split = splitOf(place, log, known, known.row);
  const problem = known.unseen ?? split ?? waiting.map(whyUnreadable).find((one) => one !== undefined);
  const head = split ? undefined : headOf(log);
  if (head) place.seen.see(head);
  const warnings = problem ? [splitWarning(problem)] : waiting.map(waits);
  if (!known.unseen) warnings.push(...unreadWarnings(known.committed));
  const state = openedState(log, log.reading.chain);
  return {
    ...state,
    unended: waiting.length > 0 ? undefined : state.unended,
    diverged: problem,
    warnings,
  };
}
