/** A worker's place in a database: that it is there, which runs it could take part in, and its part in one. */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { NodeKind } from '../../model/kinds.ts';
import type { FatalProblem } from '../../model/problem.ts';
import type { Clock } from '../../util/clock.ts';
import { isThere } from '../../util/new-file.ts';
import { ok, type Result } from '../../util/result.ts';
import { findSpillFiles } from '../file/import-spill.ts';
import { statePaths } from '../file/work-folder.ts';
import { createSeenHeads, type KnownHead } from '../known-head.ts';
import type { OpenRun, SharedRun } from '../shared-run.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';
import type { Keeping } from './joining.ts';
import { logsThatLack } from './find-log.ts';
import { headOf, type Known, loadRows, splitOf } from './load-rows.ts';
import { LEASE_MS } from './place.ts';
import { leaveInPointer, readPointer } from '../file/pointer.ts';
import { endOlder, markOlder } from './run-lock.ts';
import { schemaVersion, whyNotUsable } from './schema.ts';
import { sharedRuns, takePart } from './share-run.ts';
import { type TakenUp, takeUp } from './take-up.ts';

const LONG_GONE = `beat < clock_timestamp() - interval '1 hour'`;

interface Part {
  readonly run: number;
  readonly clock: Clock;
  readonly kinds?: readonly NodeKind[] | undefined;
  readonly keeping: Keeping;
  /** Gets why it takes longer than a moment until something is recorded. */
  readonly waits: (why: string) => void;
  /** What is known of its log elsewhere. */
  readonly heads: readonly KnownHead[];
  /** The file that names the log, where this process has it. */
  readonly pointer: string;
}

export interface WorkerSeat {
  /** Says that it is there, and takes part in these runs; gives all that are open. */
  look(taking: readonly number[]): Promise<Result<readonly OpenRun[], FatalProblem>>;
  /** `kinds`: what it takes; absent: all. */
  takePart(joining: Part): Promise<Result<SharedRun | undefined, FatalProblem>>;
  /** Records what processes in this folder could not, where nobody writes that log now. */
  takeUp(folder: string, clock: Clock): Promise<Result<TakenUp, FatalProblem>>;
  leave(): Promise<void>;
}

export function takeSeat(database: Database): WorkerSeat {
  const id = randomUUID();
  const connection = createConnection(database);
  const seen = createSeenHeads();
  /** What was kept in this folder and goes on from a log is known of it, too, and the pointer where that is here. */
  const knownOf = async ({ keeping, heads, pointer }: Part): Promise<Known> => {
    const paths = statePaths(path.join(path.dirname(keeping.work), 'worker'));
    // What stands in the place of such a file is told where it would be taken up.
    const spilled = await findSpillFiles(paths).catch(() => []);
    const found = await readPointer(statePaths(pointer)).catch(() => undefined);
    const inFolder = found?.ok && found.value.type === 'pointer' ? [found.value.head] : [];
    return { own: [], heads: [...seen.all(), ...heads, ...inFolder], spilled };
  };
  /** How far each of these logs went, so that it is not read every second. */
  const lookedAt = new Map<number, number>();
  /**
   * An apply that knows less could begin a run with a log that has come back older, and buy before a worker takes part in it
   * and finds that out.
   */
  const objectToOlder = async () => {
    for (const row of await logsThatLack(connection, seen.all())) {
      if (lookedAt.get(row.id) === row.head) continue;
      const loaded = await loadRows(connection, row, { place: database });
      lookedAt.set(row.id, row.head);
      // Whoever opens it says what is the matter with it.
      if (!loaded.ok) continue;
      const split = splitOf(database, loaded.value, { own: [], heads: seen.all(), spilled: [] });
      if (split?.code === 'state-diverged') await markOlder(connection, row.id);
      const head = headOf(loaded.value);
      if (!split && head) seen.see(head);
    }
  };
  let isSeated = false;
  return {
    look: (taking) =>
      unlessDatabaseRefused(database, async () => {
        const version = await schemaVersion(connection);
        const problem = whyNotUsable(database.name, version);
        if (problem) return { ok: false, error: problem };
        // Those that were killed could not leave.
        if (!isSeated) await connection.query(`delete from campaign.worker where ${LONG_GONE}`);
        isSeated = true;
        await connection.query(
          `insert into campaign.worker (id, host, pid, runs) values ($1, $2, $3, $4)
            on conflict (id) do update set runs = excluded.runs, beat = clock_timestamp()`,
          [id, os.hostname(), process.pid, [...taking]],
        );
        await objectToOlder();
        return ok(await sharedRuns(connection));
      }),
    takePart: (part) =>
      unlessDatabaseRefused(database, async () => {
        const known = await knownOf(part);
        const { heads: _, pointer, ...joining } = part;
        const locking = { clock: part.clock, command: 'campaign worker', lockTimeoutMs: 0 };
        // Without it one check is weaker.
        const leave = async (head: KnownHead) => {
          if (!(await isThere(pointer))) return;
          await leaveInPointer(statePaths(pointer), head, { ...locking, which: 'own' }).catch(
            () => undefined,
          );
        };
        const joined = await takePart(database, { ...joining, seen, known, leave });
        // A decision would be in the log, and what is known here says so.
        if (!joined.ok && joined.error.code === 'state-diverged') await endOlder(connection, joining);
        return joined;
      }),
    takeUp: (folder, clock) =>
      unlessDatabaseRefused(database, async () => {
        const open = () => createConnection(database);
        const paths = statePaths(path.join(folder, 'worker'));
        return ok(await takeUp({ database, open, paths, clock, heads: seen.all() }));
      }),
    async leave() {
      await connection.query('delete from campaign.worker where id = $1', [id]).catch(() => undefined);
      await connection.close();
    },
  };
}

export async function countWorkers(
  { query }: Connection,
  { id: run, account }: Pick<Partial<OpenRun>, 'id' | 'account'>,
): Promise<number> {
  const [row] = await query(
    `select (select count(*) from campaign.worker w
          where w.beat > clock_timestamp() - $1::interval and ($2::int is null or $2 = any (w.runs)))
        + (select count(*) from campaign.part p
          where p.account = $3 and p.beat > clock_timestamp() - interval '15 seconds') as n`,
    [`${LEASE_MS} milliseconds`, run ?? null, account ?? null],
  );
  return Number(row?.['n']);
}
