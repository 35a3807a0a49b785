/** The jobs that a process has claimed: it says that it still works on them until they are complete, or given back. */
import { randomInt } from 'node:crypto';
import type { FetchOptions, PgBoss } from 'pg-boss';
import { KINDS, type NodeKind, otherKinds } from '../../model/kinds.ts';
import type { Clock } from '../../util/clock.ts';
import type { Connection, Query } from './connection.ts';
import { asWriteError, DatabaseError } from './database-error.ts';
import type { Patiently } from './patience.ts';
import { completeJobs, endQueueOf, type JobClaim, queueOf } from './queue.ts';

const TOUCH_MS = 3_000;
/** So long the files of a post are kept for the process that has found it finished. */
const KEPT_MS = 3_000;
/** How long an answer of the database is waited for. */
export const PATIENCE_MS = 600_000;

interface Claiming {
  readonly run: number;
  readonly boss: PgBoss;
  readonly asking: Connection;
  readonly clock: Clock;
  readonly patiently: Patiently;
  /** What this process takes; absent: all. */
  readonly kinds?: readonly NodeKind[] | undefined;
  /** What else says that this process is there. */
  readonly touched: () => Promise<void>;
}

interface Claim extends JobClaim {
  readonly kind: NodeKind;
}

export class JobClaims {
  readonly #claims = new Map<string, Claim>();
  readonly #parts: Claiming;
  readonly #queue: string;
  /** A priority below all others that no other process has: of what is kept for this one. */
  readonly #own = -1 - randomInt(2 ** 31 - 1);
  #ending: JobClaim | undefined;
  #hasCompleted = false;
  /** Posts that were found finished here, and whose files nobody has claimed yet; until when those are kept for this process. */
  #finished = 0;
  #keptUntil = Number.NEGATIVE_INFINITY;
  #releasing: Promise<void> | undefined;
  #touching: Promise<void> | undefined;
  #isClosed = false;
  /** What nobody has expected happened meanwhile: whoever works here hears of it. */
  #bug: { readonly error: unknown } | undefined;
  #cancel = () => {};

  constructor(parts: Claiming) {
    this.#parts = parts;
    this.#queue = queueOf(parts.run);
    this.#touchLater();
  }

  has(address: string): boolean {
    return this.#claims.has(address);
  }

  /** Those of them that it has claimed. */
  of(
    addresses: readonly string[],
  ): { readonly address: string; readonly id: string; readonly retryCount: number }[] {
    return addresses.flatMap((address) => {
      const claim = this.#claims.get(address);
      return claim ? [{ address, id: claim.id, retryCount: claim.retryCount }] : [];
    });
  }

  drop(address: string): boolean {
    return this.#claims.delete(address);
  }

  /** Claims jobs; gives the addresses of their nodes. `priority`: the highest one, else any. */
  async fetch(most: number, priority?: number): Promise<string[]> {
    if (this.#bug) throw this.#bug.error;
    const kept = await this.#fetchKept(most);
    const left = most - kept.length;
    const jobs =
      left > 0
        ? [...kept, ...(await this.#fetch(left, priority === undefined ? {} : { maxPriority: priority }))]
        : kept;
    // A job that this process lost and has got back: it works on it all the time, and goes on.
    const fresh = jobs.filter(({ data }) => !this.#claims.has(data.address));
    for (const { id, retryCount, data, groupId } of jobs)
      this.#claims.set(data.address, { id, retryCount, kind: groupId as NodeKind });
    return fresh.map(({ data }) => data.address);
  }

  #fetch(batchSize: number, more: FetchOptions) {
    const { boss, kinds } = this.#parts;
    return boss.fetch<{ address: string }>(this.#queue, {
      batchSize,
      includeMetadata: true,
      ...more,
      ...(kinds && { ignoreGroups: otherKinds(kinds) }),
    });
  }

  async #fetchKept(most: number) {
    if (this.#finished === 0 || this.#parts.clock.monotonic() > this.#keptUntil) return [];
    const own = { minPriority: this.#own, maxPriority: this.#own, ignoreStartAfter: true };
    const jobs = await this.#fetch(most, own);
    this.#finished = Math.max(0, this.#finished - jobs.length);
    return jobs;
  }

  /**
   * The files of posts that were found finished here: this process knows their links, and any other one would have to ask
   * for them. For a moment nobody else claims them.
   */
  async #keepFiles(query: Query, finished: readonly JobClaim[]): Promise<void> {
    const { kinds, clock } = this.#parts;
    if (finished.length === 0 || (kinds && !kinds.includes('download'))) return;
    this.#finished += finished.length;
    this.#keptUntil = clock.monotonic() + KEPT_MS;
    await query(
      `update campaign_queue.job j set priority = $3, start_after = clock_timestamp() + $4 * interval '1 millisecond'
        from campaign_queue.job_dependency d
        where d.parent_name = $1 and d.parent_id = any ($2::uuid[]) and j.name = $1 and j.id = d.child_id
          and j.group_id = 'download' and j.state < 'active'`,
      [this.#queue, finished.map(({ id }) => id), this.#own, KEPT_MS],
    );
  }

  /** Those of them whose claim still counts are complete; gives their number. */
  async complete(query: Query, addresses: readonly string[]): Promise<number> {
    const claims = this.of(addresses).map(({ id, retryCount }) => ({ id, retryCount }));
    const completed = await completeJobs(this.#parts.boss, this.#queue, { claims, query });
    const isPost = (address: string) => this.#claims.get(address)?.kind === 'media';
    await this.#keepFiles(query, this.of(addresses.filter(isPost)));
    // Nothing waits for files.
    const isAwaited = addresses.some((address) => this.#isAwaited(address));
    if (completed > 0 && isAwaited) this.#hasCompleted = true;
    return completed;
  }

  #isAwaited(address: string): boolean {
    const claim = this.#claims.get(address);
    return claim !== undefined && KINDS[claim.kind].stored !== 'files';
  }

  /** What waited for jobs that are complete may be claimed. */
  release(): void {
    this.#releasing ??= this.#release()
      .catch(this.#unlessDatabase)
      .finally(() => (this.#releasing = undefined));
  }

  async #release(): Promise<void> {
    while (this.#hasCompleted) {
      this.#hasCompleted = false;
      await this.#parts.boss.resolveFlow();
    }
  }

  async handBack(addresses: readonly string[]): Promise<void> {
    const claims = this.of(addresses).map(({ id, retryCount }) => ({ id, retryCount }));
    for (const address of addresses) this.#claims.delete(address);
    const { boss, patiently } = this.#parts;
    if (claims.length > 0) await patiently(() => boss.fail(this.#queue, claims)).catch(asWriteError);
  }

  /** Carries out `work` if the job that ends the run can be claimed. */
  async whileEnding(work: (claim: JobClaim) => Promise<void>): Promise<boolean> {
    const { boss, run } = this.#parts;
    // Without an answer it is asked for again, and whoever got the job without hearing of it loses it.
    const fetched = await boss.fetch(endQueueOf(run), { includeMetadata: true }).catch(unlessPassing);
    const [job] = fetched;
    if (!job) return false;
    this.#ending = { id: job.id, retryCount: job.retryCount };
    try {
      await work(this.#ending);
      return true;
    } finally {
      this.#ending = undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#touching;
    const claims = [...this.#claims.values()];
    this.#claims.clear();
    if (claims.length > 0) await this.#parts.boss.fail(this.#queue, claims).catch(this.#unlessDatabase);
    await this.#releasing;
    if (this.#bug) throw this.#bug.error;
  }

  #touchLater(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#parts.clock.after(TOUCH_MS, () => {
      this.#touching = this.#touch()
        .catch(this.#unlessDatabase)
        .finally(() => this.#touchLater());
    });
  }

  /**
   * What nobody has heard of for too long goes to somebody else. While the server was away, nobody could be heard of: from
   * its start on everybody has that time again.
   */
  async #touch(): Promise<void> {
    const { boss, asking, run, touched } = this.#parts;
    await touched();
    const claims = [...this.#claims.values()];
    if (claims.length > 0) await boss.touch(this.#queue, claims);
    if (this.#ending) await boss.touch(endQueueOf(run), this.#ending);
    for (const name of [this.#queue, endQueueOf(run)]) {
      const lapsed = await asking.query(
        `select id, retry_count::int as retry from campaign_queue.job where name = $1 and state = 'active'
          and greatest(heartbeat_on, pg_postmaster_start_time()) + heartbeat_seconds * interval '1 second'
            < clock_timestamp()`,
        [name],
      );
      const lost = lapsed.map(({ id, retry }) => ({ id: String(id), retryCount: Number(retry) }));
      if (lost.length > 0) await boss.fail(name, lost);
    }
    await boss.resolveFlow();
  }

  /** The next one is tried in a moment; who needs an answer asks for it. */
  readonly #unlessDatabase = (error: unknown): void => {
    if (!(error instanceof DatabaseError)) this.#bug ??= { error };
  };
}

function unlessPassing(error: unknown): [] {
  if (error instanceof DatabaseError && error.isPassing) return [];
  return asWriteError(error);
}
