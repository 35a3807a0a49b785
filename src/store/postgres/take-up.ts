/**
 * What processes of shared runs could not record, from the files of this machine. It is recorded once nobody else writes
 * that log; what somebody has decided meanwhile stays, and so does a later attempt.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { FatalProblem } from '../../model/problem.ts';
import type { Clock } from '../../util/clock.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { KnownHead } from '../known-head.ts';
import {
  createSieve,
  findSpillFiles,
  importSpill,
  isOf,
  isOfSharedRun,
  lackingOf,
  type SpillFile,
  whyUnreadable,
} from '../file/import-spill.ts';
import { loadLog } from '../file/load-log.ts';
import { LogWriter } from '../file/log-writer.ts';
import type { StatePaths } from '../file/work-folder.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database-url.ts';
import { splitOf } from './load-rows.ts';
import { logInRows, PATIENCE_MS, rowsOfLog } from './log-lines.ts';
import { createPatience } from './patience.ts';
import { LEASE_MS } from './place.ts';
import { beginRun } from './run-lock.ts';

interface TakingUp {
  /** Of the database, for people. */
  readonly database: Pick<Database, 'name' | 'url'>;
  readonly open: () => Connection;
  readonly paths: StatePaths;
  readonly clock: Clock;
  /** What this process has seen of logs. */
  readonly heads: readonly KnownHead[];
}

export interface TakenUp {
  /** What to tell about each file that was taken up. */
  readonly told: readonly string[];
  /** Why a file cannot be, as long as nobody does something about it. */
  readonly left: readonly FatalProblem[];
}

export async function takeUp(taking: TakingUp): Promise<TakenUp> {
  const told: string[] = [];
  const left: FatalProblem[] = [];
  for (const spill of await findSpillFiles(taking.paths)) {
    // What a run of one process has kept is for the next command that writes: it may add all of it.
    if (!isOfSharedRun(spill)) continue;
    const unreadable = whyUnreadable(spill);
    if (unreadable) {
      left.push(unreadable);
      continue;
    }
    // Its end closes the connection.
    const connection = taking.open();
    try {
      const taken = await takeUpOne(connection, spill, taking);
      if (taken.ok) told.push(...taken.value);
      else left.push(taken.error);
    } finally {
      await connection.close();
    }
  }
  return { told, left };
}

async function takeUpOne(
  connection: Connection,
  spill: SpillFile,
  taking: TakingUp,
): Promise<Result<readonly string[], FatalProblem>> {
  const { database, paths, clock } = taking;
  const { reading } = spill;
  const lineage = reading.type === 'read' ? reading.header?.lineage : undefined;
  if (lineage === undefined || !isOf(lineage, spill)) return ok([]);
  const [row] = await connection.query(
    'select id::float8 as id, header from campaign.campaign where lineage = $1 and moved_to is null',
    [lineage],
  );
  if (!row) return ok([]);
  const campaign = Number(row['id']);
  const log = { campaign, header: String(row['header']) };
  // It is asked again and again until somebody decides: a run for each time would be in the way of who does.
  const before = await logFor(connection, spill, { ...taking, ...log });
  if (!before.ok) return before;
  const runId = randomUUID().slice(0, 8);
  const locking = { lockTimeoutMs: 0, clock, command: 'campaign worker' };
  const run = await beginRun(connection, {
    ...locking,
    name: database.name,
    campaign,
    runId,
    leaseMs: LEASE_MS,
  });
  // Somebody writes that log now.
  if (!run.ok) return ok([]);
  try {
    // Another worker in this folder may have been faster.
    if (!existsSync(spill.file)) return ok([]);
    const found = await logFor(connection, spill, { ...taking, ...log });
    if (!found.ok) return found;
    const { sieve, loaded } = found.value;
    const { chain } = loaded.reading;
    const begin = () => Promise.resolve();
    const patiently = createPatience({ clock, longestMs: PATIENCE_MS });
    const to = { campaign, run: run.value.id, after: chain.seq, clock, patiently, begin };
    const writer = new LogWriter(rowsOfLog(connection, to), { run: runId, length: 0, chain });
    const importing = { log: loaded, writer, paths, run: runId };
    const told = await importSpill(spill, lackingOf(spill, sieve, loaded), importing);
    await writer.close();
    return ok([told]);
  } finally {
    await run.value.release();
  }
}

/** The log of a file as it is now, unless it is older than the one that the file, or this process, goes on from. */
async function logFor(
  connection: Connection,
  spill: SpillFile,
  { database, heads, campaign, header }: TakingUp & { readonly campaign: number; readonly header: string },
) {
  const sieve = createSieve([spill]);
  const { seq: after = 0 } = JSON.parse(header) as { readonly seq?: number };
  const rows = logInRows(connection, { campaign, header, after });
  const loaded = await loadLog(rows, { file: database.name, visit: sieve.show });
  if (!loaded.ok) return loaded;
  const apart = splitOf(database, loaded.value, { own: [], heads, spilled: [spill] });
  return apart ? err(apart) : ok({ sieve, loaded: loaded.value });
}
