import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { isThere } from '../../util/new-file.ts';
import { err, type Result } from '../../util/result.ts';
import { decisionsBeside, statePaths } from '../file/work-folder.ts';
import type { StateIdentity, Writing } from '../store.ts';
import { createSeenHeads } from '../known-head.ts';
import type { Witnesses } from '../file/witnesses.ts';
import { connected } from './connected.ts';
import type { Database } from './database-url.ts';
import { emulatorStays, twoDecisions } from './move-problem.ts';
import { moveToDatabase } from './move-to-database.ts';
import { moveToFile } from './move-to-file.ts';
import { LEASE_MS, type MovedLog } from './place.ts';

interface Move {
  readonly database: Database;
  /** Where the pointer is. */
  readonly pointer: string;
  readonly file: string;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
  readonly to: 'database' | 'file';
}

/** Moves a state, with the verdicts about its posts. */
export async function moveState(
  { database, pointer, file: named, identity, witnesses, to }: Move,
  run: Writing,
): Promise<Result<MovedLog, FatalProblem>> {
  const { name, url } = database;
  const file = path.resolve(named);
  const seen = createSeenHeads();
  const place = { name, url, paths: statePaths(pointer), identity, witnesses, seen };
  const isElsewhere = file !== place.paths.file;
  if (isElsewhere && identity.baseUrl === EMULATOR) return err(emulatorStays(file));
  const verdicts = [decisionsBeside(pointer), decisionsBeside(file)] as const;
  const [there, here] = to === 'file' ? verdicts : ([verdicts[1], verdicts[0]] as const);
  const isMoved = isElsewhere && (await isThere(there));
  if (isMoved && (await isThere(here))) return err(twoDecisions(there, here));
  const moving = { place, file, witnesses };
  const moved = await connected({ database, file, use: 'unwritable' }, (connection) =>
    to === 'file'
      ? moveToFile(connection, moving, { ...run, database, witnesses, leaseMs: LEASE_MS })
      : moveToDatabase(connection, moving, run),
  );
  if (moved.ok && isMoved) await fs.rename(there, here);
  return moved;
}

export { sameKind } from './move-problem.ts';
