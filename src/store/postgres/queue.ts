/**
 * The jobs of shared runs: pg-boss, a queue in Postgres, over a connection of ours. It keeps which job waits for which, who
 * has claimed one, and when that was last heard of. Each run has a queue of its own.
 */
import { PgBoss, systemClock } from 'pg-boss';
import type { Query } from './connection.ts';
import { QUEUE_SCHEMA } from './locks.ts';

/** Whoever has claimed a job and is silent for so long loses it. Less is not possible. */
const HEARTBEAT_SECONDS = 10;

/** A claim counts until its job was given to somebody else. */
export interface JobClaim {
  readonly id: string;
  readonly retryCount: number;
}

export function queueOf(run: number): string {
  return `run-${run}`;
}

/** It has one job: to end the run. */
export function endQueueOf(run: number): string {
  return `run-${run}-end`;
}

/** Makes the queue's tables. */
export async function installQueue(query: Query): Promise<void> {
  const [found] = await query('select to_regnamespace($1) is not null as there', [QUEUE_SCHEMA]);
  const boss = bossOver(query, { migrate: true, createSchema: found?.['there'] !== true });
  await boss.start();
  await boss.stop({ graceful: false });
}

/** The queue for a process that works with it. Nothing of it happens by itself. */
export async function openQueue(query: Query): Promise<PgBoss> {
  let refused: Error | undefined;
  const asked: Query = (text, values) =>
    query(text, values).catch((error: Error) => {
      refused = error;
      throw error;
    });
  const boss = bossOver(asked, { migrate: false, createSchema: false });
  await boss.start();
  // It starts also where it could not read which queues there are, and then it never knows one.
  if (refused) throw refused;
  return boss;
}

function bossOver(query: Query, options: { readonly migrate: boolean; readonly createSchema: boolean }) {
  const boss = new PgBoss({
    ...options,
    db: within(query),
    schema: QUEUE_SCHEMA,
    supervise: false,
    schedule: false,
    // It would look every minute which queues there are, and call that of an old run, which the next one has removed, a
    // mistake of whoever works with it. As it is, such a queue has no jobs, and that is right.
    clock: { ...systemClock, setInterval: () => undefined },
  });
  // Whoever asked gets the error.
  boss.on('error', () => undefined);
  return boss;
}

/** In a transaction; gives how many of them were still claimed so. */
export async function completeJobs(
  boss: PgBoss,
  queue: string,
  { claims, query }: { readonly claims: readonly JobClaim[]; readonly query: Query },
): Promise<number> {
  if (claims.length === 0) return 0;
  const answer = await boss.complete(queue, [...claims], undefined, { db: within(query) });
  // The types of the library leave it out.
  return (answer as { readonly affected: number }).affected;
}

/** For calls that belong to a transaction. */
export function within(query: Query) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await query(text, values))] }),
  };
}

/** `priority`: what goes first. */
export const JOB_OPTIONS = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // A job that was lost is given to the next one, however often.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retentionSeconds: 365 * 86_400,
  deleteAfterSeconds: 365 * 86_400,
} as const;
