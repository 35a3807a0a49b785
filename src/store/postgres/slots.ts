/** How many nodes a process of a shared run may have under way, its part of what the account allows; and what it tells of that. */
import type { AccountNews, AmbiguousCreates, Hold } from '../../model/account-news.ts';
import type { NodeKind } from '../../model/kinds.ts';
import type { Progress } from '../shared-run.ts';
import { StateWriteError } from '../write-error.ts';
import type { Query } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { queueOf } from './queue.ts';
import { PROGRESS, progressIn } from './read-run.ts';

interface Whose {
  readonly query: Query;
  readonly run: number;
  /** The process. */
  readonly by: string;
  /** What it takes; absent: all. */
  readonly kinds?: readonly NodeKind[] | undefined;
}

/** What a process hears of its account when it asks for slots. */
export interface Taken extends AccountNews {
  readonly slots: number;
  readonly isPaced: boolean;
  readonly posts: PostsInFlight;
}

/** Of the account, in posts. `asked`: what the create asked for that came last; `comes`: some of them come to an end. */
export interface PostsInFlight {
  readonly asked: number;
  readonly generated: number;
  readonly most: number;
  readonly comes: boolean;
  /** A process of this run is lost that had begun a create. */
  readonly has_lost: boolean;
}

/** Before anything was asked. */
export const NO_NEWS: Taken = {
  slots: 0,
  isPaced: false,
  holds: [],
  ambiguous: { inARow: 0, ms: 0 },
  posts: { asked: 1, generated: 0, most: 1, comes: false, has_lost: false },
};

/** With how far the run is: one question, because it is asked before each claim. */
export async function takeSlots(
  { query, run, by }: Whose,
  { wanted, busy }: { readonly wanted: number; readonly busy: number },
): Promise<{ readonly taken: Taken; readonly progress: Progress }> {
  const [row] = await query(
    `select t.slots, t.per_second, t.ambiguous, t.trial_ms, t.held, ${PROGRESS}, r.asked, p.generated::int, p.most, p.comes,
        campaign.has_lost_creates(r.id, $2) as has_lost
      from campaign.take_slots($1, $3, $4, $5) t, campaign.run r, campaign.posts_in_flight($1) p where r.id = $1`,
    [run, queueOf(run), by, wanted, busy],
  );
  const taken = {
    slots: Number(row?.['slots']),
    isPaced: row?.['per_second'] !== null,
    holds: row?.['held'] as readonly Hold[],
    ambiguous: { inARow: Number(row?.['ambiguous']), ms: Number(row?.['trial_ms']) },
    posts: row as unknown as PostsInFlight,
  };
  return { taken, progress: progressIn(row) };
}

/** When requests may leave, in milliseconds from now. */
export async function takeTimes({ query, run }: Omit<Whose, 'by'>, most: number): Promise<number[]> {
  const asked = query('select ms from campaign.take_times($1, $2) ms', [run, most]);
  // Whatever is asked next says that the database does not come back.
  const rows = await asked.catch(unlessAway);
  return rows.map(({ ms }) => Number(ms));
}

export async function tellHold(
  { query, run }: Omit<Whose, 'by'>,
  { kind, problem, ms }: Hold,
): Promise<void> {
  await query('select campaign.hold($1, $2, $3, $4)', [run, kind, JSON.stringify(problem), ms]);
}

export async function tellCreates(
  { query, run }: Omit<Whose, 'by'>,
  { inARow, ms }: AmbiguousCreates,
): Promise<void> {
  await query('select campaign.tell_creates($1, $2, $3)', [run, inARow, ms]);
}

/** It may be busy for long, and takes no more meanwhile: what it has is not given to others. */
export async function keepSlots({ query, run, by, kinds }: Whose): Promise<void> {
  await query('update campaign.part set beat = clock_timestamp(), kinds = $3 where run = $1 and by = $2', [
    run,
    by,
    kinds ?? null,
  ]);
}

export async function giveSlotsBack({ query, run, by }: Whose): Promise<void> {
  await query('delete from campaign.part where run = $1 and by = $2', [run, by]);
}

/** How many other processes work at the run. */
export async function countOthers({ query, run, by }: Whose): Promise<number> {
  const [row] = await query(
    `select count(*)::int as n from campaign.part
      where run = $1 and by <> $2 and beat > clock_timestamp() - interval '15 seconds'`,
    [run, by],
  );
  return Number(row?.['n']);
}

/**
 * Whether another process may have to tell how nodes ended: it has what it may have under way until it has told that. Who
 * does not within five seconds is dead, or has been stopped, and is not waited for.
 */
export async function isToBeTold({ query, run, by }: Whose): Promise<boolean> {
  const rows = await query(
    `select from campaign.part
      where run = $1 and by <> $2 and beat > clock_timestamp() - interval '15 seconds' and exists (
        select from campaign_queue.job where name = $3 and completed_on > clock_timestamp() - interval '5 seconds'
      ) limit 1`,
    [run, by, queueOf(run)],
  );
  return rows.length > 0;
}

function unlessAway(error: unknown): [] {
  const { cause } = error as Error;
  if (error instanceof StateWriteError && cause instanceof DatabaseError && cause.isPassing) return [];
  throw error;
}
