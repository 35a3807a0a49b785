/**
 * One writer at a time: an open run in the database. It ends with its process, because its connection holds a lock, and
 * after a lease without a sign of life it may be taken over: from then on the database takes nothing more from the old
 * one, so that no request of that one leaves without its intent being refused first.
 */
import os from 'node:os';
import { EXIT } from '../../model/exit.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Locking } from '../store.ts';
import type { Connection } from './connection.ts';
import { DatabaseError, LostRun, OlderLog } from './database-error.ts';
import { LOCKS } from './locks.ts';

const BEAT_MS = 5_000;
/** After a sign of life that did not arrive. */
const AGAIN_MS = 1_000;
const POLL_MS = 250;

export interface OpenRun {
  readonly id: number;
  release(): Promise<void>;
}

interface Claim extends Locking {
  readonly name: string;
  readonly campaign: number;
  readonly runId: string;
  readonly leaseMs: number;
}

export async function beginRun(
  connection: Connection,
  { name, campaign, runId, leaseMs, ...locking }: Claim,
): Promise<Result<OpenRun, FatalProblem>> {
  const { clock, signal, lockTimeoutMs, command } = locking;
  const lease = intervalOf(leaseMs);
  const values = [campaign, runId, command, os.hostname(), process.pid, lease];
  const since = clock.monotonic();
  for (;;) {
    const [row] = await connection.query(
      'select id::int, held_by from campaign.begin_run($1, $2, $3, $4, $5, $6::interval)',
      values,
    );
    if (typeof row?.['id'] === 'number') return ok(openRun(connection, row['id'], locking));
    const left = since + lockTimeoutMs - clock.monotonic();
    if (left <= 0 || signal?.aborted) {
      const isShared = await isSharedRun(connection, campaign);
      return err(locked(name, { holder: String(row?.['held_by']), isShared }));
    }
    await new Promise<void>((resolve) => clock.after(Math.min(left, POLL_MS), resolve));
  }
}

export async function holderOf(
  { query }: Connection,
  campaign: number,
  leaseMs: number,
): Promise<string | undefined> {
  const [row] = await query('select campaign.holder($1, $2::interval) as held_by', [
    campaign,
    intervalOf(leaseMs),
  ]);
  return typeof row?.['held_by'] === 'string' ? row['held_by'] : undefined;
}

function openRun(connection: Connection, id: number, { clock }: Locking): OpenRun {
  let isReleased = false;
  let cancel = () => {};
  const beatIn = (ms: number) => {
    if (!isReleased) cancel = clock.after(ms, beat);
  };
  function beat(): void {
    cancel();
    const sent = connection.query(
      'update campaign.run set beat = clock_timestamp() where id = $1 and ended_at is null',
      [id],
    );
    void sent.then(
      () => beatIn(BEAT_MS),
      () => beatIn(AGAIN_MS),
    );
  }
  connection.watch({
    // The connection before may be there still.
    async begun(query) {
      await query('select pg_advisory_lock($1::int, $2::int)', [LOCKS, id]);
    },
    // Without a connection the run looks like one whose process has ended.
    lost: () => isReleased || beat(),
  });
  beatIn(BEAT_MS);
  return {
    id,
    /** Without the database the end of the connection says it, too. A shared run goes on. */
    async release() {
      isReleased = true;
      cancel();
      const ended = connection.query(
        `update campaign.run set ended_at = clock_timestamp(), ended_how = 'ended'
          where id = $1 and ended_at is null and shared is null`,
        [id],
      );
      await ended.catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
      });
      await connection.close();
    },
  };
}

/**
 * Ends a shared run whose log has come back older than somebody knows it: who does not know it would go on with it, and buy what
 * was bought. `runId`: its number may be that of another run in a database that has come back.
 */
export async function endOlder(
  { query }: Pick<Connection, 'query'>,
  { run, runId }: { readonly run: number; readonly runId?: string },
): Promise<void> {
  await query(
    `update campaign.run set ended_at = clock_timestamp(), ended_how = 'older'
      where id = $1 and run = coalesce($2, run) and ended_at is null and shared is not null`,
    [run, runId ?? null],
  );
}

/** Leaves in the database that somebody knows a log as newer: as a run that has ended so, where none is open to be ended. */
export async function markOlder({ query }: Pick<Connection, 'query'>, campaign: number): Promise<void> {
  await query(
    `insert into campaign.run (campaign, run, command, host, pid, ended_at, ended_how)
      values ($1, '', 'campaign worker', $2, $3, clock_timestamp(), 'older')`,
    [campaign, os.hostname(), process.pid],
  );
}

/** Why the database takes nothing more from a run. */
export async function whyOver({ query }: Pick<Connection, 'query'>, run: number): Promise<DatabaseError> {
  const [row] = await query(`select ended_how = 'older' as is_older from campaign.run where id = $1`, [run]);
  return row?.['is_older'] === true ? new OlderLog() : new LostRun();
}

function intervalOf(ms: number): string {
  return `${ms} milliseconds`;
}

async function isSharedRun({ query }: Connection, campaign: number): Promise<boolean> {
  const rows = await query(
    'select from campaign.run where campaign = $1 and ended_at is null and shared is not null',
    [campaign],
  );
  return rows.length > 0;
}

interface Holding {
  readonly holder: string;
  readonly isShared: boolean;
}

/** A shared run ends with no process: without workers it would be in the way for good. */
function locked(name: string, { holder, isShared }: Holding): FatalProblem {
  const advice = isShared
    ? 'Workers carry this run out (`campaign status --watch` shows it, `campaign stop` ends it).'
    : '';
  return {
    code: 'state-locked',
    exit: EXIT.locked,
    summary: 'Another run holds the lock',
    detail: `${name} is in use by ${holder}. ${advice && `${advice} `}Wait until it has ended, or let this one wait with --lock-timeout.`,
  };
}
