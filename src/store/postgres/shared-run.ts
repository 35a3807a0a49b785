/** A process's part in a shared run: what it has claimed, and what becomes of that. */
import { randomUUID } from 'node:crypto';
import type { AmbiguousCreates, Hold } from '../../model/account-news.ts';
import type { Address } from '../../model/address.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { NodeEnd, RunEvent } from '../../model/run-event.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { JsonObject } from '../../util/json.ts';
import type { KnownHead } from '../known-head.ts';
import { StateRecorder } from '../recorder.ts';
import { type ClaimedNode, type Claims, type Progress, type SharedRun, TakenOver } from '../shared-run.ts';
import { claimNodes } from './claim-nodes.ts';
import type { Joining, Means } from './joining.ts';
import type { Query } from './connection.ts';
import { asWriteError, DatabaseError } from './database-error.ts';
import { JobClaims, PATIENCE_MS } from './job-claims.ts';
import { createKeeper } from './keep-answers.ts';
import { endOlder } from './run-lock.ts';
import { createPatience } from './patience.ts';
import { endInLog, endsIn, nodesIn, progressOf, toldIn, untakenIn } from './read-run.ts';
import { completeJobs, endQueueOf } from './queue.ts';
import { createRunLog } from './run-log.ts';
import type { SharedLog } from './shared-log.ts';
import { addNodes } from './shared-nodes.ts';
import { endLost, endNode } from './settle-nodes.ts';
import {
  countOthers,
  giveSlotsBack,
  isToBeTold,
  keepSlots,
  NO_NEWS,
  takeSlots,
  type Taken,
  takeTimes,
  tellCreates,
  tellHold,
} from './slots.ts';
import { createTeller } from './told-events.ts';

/** What is told waits for the next record, but not longer. */
const TELL_MS = 200;

export class PostgresRun implements SharedRun {
  readonly id: number;
  readonly spec: JsonObject;
  readonly recorder: StateRecorder;
  readonly #whose: Parameters<typeof keepSlots>[0];
  readonly #means: Means;
  readonly #joining: Joining;
  readonly #log: SharedLog;
  readonly #claims: JobClaims;
  readonly #teller: ReturnType<typeof createTeller>;
  /** Nodes that ended with an event of theirs. */
  readonly #settled = new Set<Address>();
  /** Nodes that somebody else works on, or may. */
  readonly #takenOver = new Set<Address>();
  /** What was heard last of the account. */
  #news: Taken = NO_NEWS;
  readonly #keeper: ReturnType<typeof createKeeper>;
  /** Asked again while the database is away: it has to come to the same, however often it is asked. */
  readonly #ask: Query;
  #cancelTell = () => {};

  constructor(means: Means, joining: Joining) {
    const { run, spec, state, clock, kinds, waits } = joining;
    this.#means = means;
    this.#joining = joining;
    this.id = run;
    this.spec = spec;
    this.#teller = createTeller(run);
    this.#whose = { run, by: randomUUID(), query: means.asking.query, kinds };
    const touched = () => keepSlots(this.#whose);
    const { boss, asking } = means;
    const patiently = createPatience({ clock, longestMs: PATIENCE_MS, waits });
    this.#ask = (text, values) => patiently(() => asking.query(text, values)).catch(asWriteError);
    this.#claims = new JobClaims({ run, clock, patiently, kinds, boss, asking, touched });
    this.#log = createRunLog({
      means,
      joining,
      patiently,
      claims: this.#claims,
      teller: this.#teller,
      ended: (address) => this.#settled.add(address),
    });
    this.#keeper = createKeeper({ ...joining, connection: means.writing, log: this.#log });
    const writer = {
      close: () => this.#log.close(),
      append: (events: readonly StateEvent[]) =>
        this.#log.append(events).catch((error: unknown) => this.#noteTakenOver(error, events)),
    };
    this.recorder = new StateRecorder(writer, state, {
      recorded: (events, { seq, crc }) => {
        for (const event of events) joining.runs.add({ seq, run: joining.runId, event }, crc);
      },
      spill: (events, open) => this.#keeper.keep(events, open),
    });
  }

  async claim({ wanted, busy }: { readonly wanted: number; readonly busy: number }): Promise<Claims> {
    try {
      const { taken, progress } = await takeSlots(this.#whose, { wanted, busy });
      this.#news = taken;
      const isStopped = progress.isOver || progress.stop.length > 0;
      const claimed = isStopped ? [] : await this.#claimNodes(taken.slots - busy);
      // Who has nothing to do hears what others record, too: so it notices a log that comes back older.
      if (claimed.length === 0) await this.#log.look();
      return { claimed, ...taken, ...progress };
    } catch (error) {
      // What was given out, and nobody has heard of, is given out again.
      if (!(error instanceof DatabaseError && error.isPassing)) asWriteError(error);
    }
    return { claimed: [], ...this.#news, slots: busy, ...(await this.look()) };
  }

  takeTimes(most: number): Promise<readonly number[]> {
    return takeTimes({ query: this.#ask, run: this.id }, most);
  }

  hold(hold: Hold): void {
    void tellHold({ query: this.#ask, run: this.id }, hold).catch(() => undefined);
  }

  tellCreates(ambiguous: AmbiguousCreates): void {
    void tellCreates({ query: this.#ask, run: this.id }, ambiguous).catch(() => undefined);
  }

  async #claimNodes(most: number): Promise<readonly ClaimedNode[]> {
    const wanted = { run: this.id, most, posts: this.#news.posts, look: () => this.#log.look() };
    const { claimed, over } = await claimNodes(this.#means.asking, this.#claims, wanted);
    for (const { node } of claimed) this.#settled.delete(node.address);
    if (over.length > 0)
      await this.#log.run(async (query) => void (await this.#claims.complete(query, over)));
    for (const address of over) this.#claims.drop(address);
    return claimed;
  }

  async look(): Promise<Progress> {
    await this.#log.look();
    return progressOf(this.#ask, this.id).catch(asWriteError);
  }

  async end(address: Address, end: NodeEnd, adds: readonly PlannedNode[] = []): Promise<boolean> {
    if (this.#takenOver.delete(address)) {
      await this.handBack([address]);
      return false;
    }
    const wasSettled = this.#settled.delete(address);
    let isOurs = wasSettled;
    if (!wasSettled || adds.length > 0)
      await this.#log.run(async (query) => {
        // Asked again after the answer to a commit was lost, the job is complete: it was this process that ended the node.
        if (!wasSettled) isOurs = (await this.#endNode(query, address, end)) || isOurs;
        if (adds.length > 0) await addNodes({ query, boss: this.#means.boss, run: this.id }, adds);
      });
    this.#claims.drop(address);
    return isOurs;
  }

  async #endNode(query: Query, address: Address, end: NodeEnd): Promise<boolean> {
    if ((await this.#claims.complete(query, [address])) === 0) return false;
    await endNode(query, [this.id, address, end]);
    return true;
  }

  add(nodes: readonly PlannedNode[]): Promise<void> {
    return this.#log.run((query) => addNodes({ query, boss: this.#means.boss, run: this.id }, nodes));
  }

  handBack(addresses: readonly Address[]): Promise<void> {
    return this.#claims.handBack(addresses);
  }

  tell(event: RunEvent): void {
    if (this.#teller.take(event) > 1) return;
    this.#cancelTell();
    this.#cancelTell = this.#joining.clock.after(TELL_MS, () => void this.#flush().catch(() => undefined));
  }

  told(after: number): ReturnType<typeof toldIn> {
    return toldIn(this.#ask, { run: this.id, after });
  }

  ends(): Promise<ReadonlyMap<Address, NodeEnd>> {
    return endsIn(this.#ask, this.id);
  }

  readonly endLost = () => endLost(this.#ask, this.id);
  readonly endInLog = () => endInLog(this.#ask, this.#joining);
  readonly others = () => countOthers({ ...this.#whose, query: this.#ask });
  readonly untaken = () => untakenIn(this.#ask, this.id);

  nodes(kept?: (node: PlannedNode) => PlannedNode): Promise<readonly PlannedNode[]> {
    return nodesIn(this.#ask, { run: this.id, kept });
  }

  async stop(reasons: readonly string[]): Promise<void> {
    await this.#ask(
      'update campaign.run set stop = (select array_agg(distinct x) from unnest(stop || $2::text[]) x) where id = $1',
      [this.id, [...reasons]],
    );
  }

  /** Once it is closed, the last record there is. */
  get head(): KnownHead {
    const { header, boundAt } = this.#joining;
    return { lineage: header.lineage, last: this.#log.durable, boundAt };
  }

  async finish(work: () => Promise<void>): Promise<boolean> {
    // What every process has to tell belongs to how the run is said to have ended.
    await this.#flush();
    const whose = { ...this.#whose, query: this.#ask };
    await giveSlotsBack(whose);
    if (await isToBeTold(whose)) return false;
    return this.#claims.whileEnding(async (claim) => {
      await work();
      await this.#log.run(async (query) => {
        const ended = { claims: [claim], query };
        if ((await completeJobs(this.#means.boss, endQueueOf(this.id), ended)) === 0) return;
        await query(
          `update campaign.run set ended_at = clock_timestamp(), ended_how = 'ended' where id = $1 and ended_at is null`,
          [this.id],
        );
      });
    });
  }

  async close(): Promise<void> {
    const { writing, asking, boss } = this.#means;
    this.#cancelTell();
    await this.#flush().catch(() => undefined);
    const claims = this.#claims.close();
    await claims.catch(() => undefined);
    await this.recorder.close();
    if (this.#log.isOlder) await endOlder(asking, this.#joining).catch(() => undefined);
    await giveSlotsBack(this.#whose).catch(() => undefined);
    await boss.stop({ graceful: false });
    await asking.close();
    await writing.close();
    await claims;
    await this.#joining.leave?.(this.head);
  }

  #flush(): Promise<void> {
    return this.#log.run(() => Promise.resolve());
  }

  #noteTakenOver(error: unknown, events: readonly StateEvent[]): never {
    if (error instanceof TakenOver)
      for (const event of events) if (event.type === 'intent') this.#takenOver.add(event.address);
    throw error;
  }
}
