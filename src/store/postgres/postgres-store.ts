/**
 * A state in a Postgres database: a log in rows, and a file beside the manifest that says so (pointer.ts). All that works
 * with the database is loaded when it is first asked.
 */
import type { FatalProblem } from '../../model/problem.ts';
import type { Clock } from '../../util/clock.ts';
import { ok, type Result } from '../../util/result.ts';
import { leaveAt } from '../file/pointer.ts';
import type { Witnesses } from '../file/witnesses.ts';
import { statePaths } from '../file/work-folder.ts';
import type { SharedRun } from '../shared-run.ts';
import { createSeenHeads, type KnownHead, type SeenHeads } from '../known-head.ts';
import type { Joining, StateIdentity, StateReader, Store, Visit } from '../store.ts';
import type { Database } from './database-url.ts';
import type { followRows } from './load-rows.ts';
import { createLook } from './look.ts';
import { LEASE_MS, type Place } from './place.ts';

interface PostgresStore {
  readonly database: Database;
  /** Beside the manifest. */
  readonly file: string;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
  /** How long a run may be silent before another one takes over. */
  readonly leaseMs?: number;
  /** What the process has seen of logs; by default nothing. */
  readonly seen?: SeenHeads;
}

export function createPostgresStore(options: PostgresStore): Store {
  const { database, file, identity, witnesses, leaseMs = LEASE_MS, seen = createSeenHeads() } = options;
  const { name, url } = database;
  const place = { name, url, paths: statePaths(file), identity, witnesses, seen };
  const reading = createLook({ database, file });
  const writing = { database, file, use: 'unwritable', after: 'keep' } as const;
  function reader(begin: () => Visit | undefined = () => undefined): StateReader {
    let follow: ReturnType<typeof followRows> | undefined;
    return async () => {
      const { openToRead } = await import('./open-to-read.ts');
      const rows = await import('./load-rows.ts');
      const from = (follow ??= rows.followRows(place, begin));
      return reading.look((connection) => openToRead(connection, place, { witnesses, follow: from }));
    };
  }
  return {
    name,
    silenceMs: leaseMs,
    read: (visit) => reader(() => visit)(),
    reader,
    async write(run) {
      const { connected } = await parts();
      const { openToWrite } = await import('./open-to-write.ts');
      return connected(writing, (connection) =>
        openToWrite(connection, place, { ...run, database, witnesses, leaseMs }),
      );
    },
    async adopt(from, run) {
      const { connected } = await parts();
      const { adoptLog } = await import('./adopt-log.ts');
      return connected(writing, (connection) =>
        adoptLog(connection, place, { ...run, database, witnesses, leaseMs, from }),
      );
    },
    async hold(locking) {
      const { connected } = await parts();
      const { holdLog } = await import('./open-to-write.ts');
      return connected(writing, (connection) => holdLog(connection, place, { ...locking, leaseMs }));
    },
    async holder() {
      const { findHolder } = await parts();
      const found = await reading.look(async (connection) =>
        ok(await findHolder(connection, place, leaseMs)),
      );
      return found.ok ? found.value : undefined;
    },
    excludesOthers: async () => (await parts()).excludesOthers(database),
    examine: (clock) => examine(database, clock),
    async workers(of) {
      const { countWorkers } = await import('./worker-seat.ts');
      const found = await reading.look(async (connection) => ok(await countWorkers(connection, of)));
      return found.ok ? found.value : 0;
    },
    openRun: (taking) => joinRun(options, place, taking),
    async version() {
      const { versionOf } = await parts();
      const found = await reading.look(async (connection) => ok(await versionOf(connection, place)));
      return found.ok ? found.value : undefined;
    },
    stayConnected: () => reading.stayConnected(),
  };
}

async function examine(database: Database, clock: Clock) {
  const { examineDatabase } = await import('./examine-database.ts');
  return examineDatabase(database, clock);
}

async function parts() {
  return { ...(await import('./connected.ts')), ...(await import('./look-at-database.ts')) };
}

async function joinRun(
  { database, file, witnesses }: PostgresStore,
  place: Place,
  { clock, tellSpilled: tell, tellWaiting: waits, heads, allow }: Joining,
): Promise<Result<SharedRun | undefined, FatalProblem>> {
  const { findSharedRun } = await parts();
  const found = await createLook({ database, file }).look((connection) => findSharedRun(connection, place));
  if (!found.ok || found.value === undefined) return found.ok ? ok(undefined) : found;
  const { takePart } = await import('./share-run.ts');
  const { knownAround } = await import('./load-rows.ts');
  const { unlessDatabaseRefused } = await import('./database-error.ts');
  const { paths, seen } = place;
  const joining = { run: found.value, clock, waits, keeping: { work: paths.work, tell }, seen };
  if (allow === 'diverged') return unlessDatabaseRefused(database, () => takePart(database, joining));
  const known = await knownAround(place, witnesses, heads);
  const locking = { clock, command: 'campaign apply', lockTimeoutMs: 0 };
  const leave = (head: KnownHead) => leaveAt(paths, head, locking);
  return unlessDatabaseRefused(database, () => takePart(database, { ...joining, known, leave }));
}
