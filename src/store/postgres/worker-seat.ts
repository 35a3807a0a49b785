/** A worker's place in a database: that it is there, which runs it could take part in, and its part in one. */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { FatalProblem } from '../../model/problem.ts';
import type { Clock } from '../../util/clock.ts';
import { ok, type Result } from '../../util/result.ts';
import type { OpenRun, SharedRun } from '../shared-run.ts';
import { type Connection, createConnection } from './connection.ts';
import { unlessDatabaseRefused } from './database-error.ts';
import type { Database } from './database-url.ts';
import { LEASE_MS } from './place.ts';
import { schemaVersion, whyNotUsable } from './schema.ts';
import { sharedRuns, takePart } from './share-run.ts';

export interface WorkerSeat {
  /** Says that it is there, and takes part in these runs; gives all that are open. */
  look(taking: readonly number[]): Promise<Result<readonly OpenRun[], FatalProblem>>;
  takePart(run: number, clock: Clock): Promise<Result<SharedRun | undefined, FatalProblem>>;
  leave(): Promise<void>;
}

export function takeSeat(database: Database): WorkerSeat {
  const id = randomUUID();
  const connection = createConnection(database);
  return {
    look: (taking) =>
      unlessDatabaseRefused(database, async () => {
        const version = await schemaVersion(connection);
        const problem = whyNotUsable(database.name, version);
        if (problem) return { ok: false, error: problem };
        await connection.query(
          `insert into campaign.worker (id, host, pid, runs) values ($1, $2, $3, $4)
            on conflict (id) do update set runs = excluded.runs, beat = clock_timestamp()`,
          [id, os.hostname(), process.pid, [...taking]],
        );
        return ok(await sharedRuns(connection));
      }),
    takePart: (run, clock) => unlessDatabaseRefused(database, () => takePart(database, { run, clock })),
    async leave() {
      await connection.query('delete from campaign.worker where id = $1', [id]).catch(() => undefined);
      await connection.close();
    },
  };
}

export async function countWorkers({ query }: Connection, run: number | undefined): Promise<number> {
  const [row] = await query(
    `select count(*)::int as n from campaign.worker
      where beat > clock_timestamp() - $1::interval and ($2::int is null or $2 = any (runs))`,
    [`${LEASE_MS} milliseconds`, run ?? null],
  );
  return Number(row?.['n']);
}
