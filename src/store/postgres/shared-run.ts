/** A process's part in a shared run: what it has claimed, and what becomes of that. */
import { randomUUID } from 'node:crypto';
import { fold } from '../../log/fold.ts';
import type { Address } from '../../model/address.ts';
import type { PlannedNode } from '../../model/plan.ts';
import type { NodeEnd, RunEvent } from '../../model/run-event.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { JsonObject } from '../../util/json.ts';
import { StateRecorder } from '../recorder.ts';
import { type ClaimedNode, type Claims, type Progress, type SharedRun, TakenOver } from '../shared-run.ts';
import { beginCreates, begunCreates } from './begin-creates.ts';
import { claimNodes } from './claim-nodes.ts';
import type { Joining, Means } from './joining.ts';
import type { Query } from './connection.ts';
import { DatabaseError } from './database-error.ts';
import { JobClaims, PATIENCE_MS } from './job-claims.ts';
import { recordLate } from './late-answers.ts';
import { patiently } from './patience.ts';
import { endsIn, nodesIn, progressOf, toldIn } from './read-run.ts';
import { completeJobs, endQueueOf, queueOf } from './queue.ts';
import { reopenNodes } from './reopen-nodes.ts';
import { SharedLog } from './shared-log.ts';
import { insertNodes } from './shared-nodes.ts';
import { countOthers, giveSlotsBack, keepSlots, takeSlots } from './slots.ts';
import { settleNodes } from './settle-nodes.ts';
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
  #late: Promise<unknown> = Promise.resolve();
  #cancelTell = () => {};

  constructor(means: Means, joining: Joining) {
    const { run, spec, state, clock } = joining;
    this.#means = means;
    this.#joining = joining;
    this.id = run;
    this.spec = spec;
    this.#teller = createTeller(run);
    this.#whose = { run, by: randomUUID(), query: means.asking.query };
    const touched = () => keepSlots(this.#whose);
    this.#claims = new JobClaims({ run, clock, boss: means.boss, asking: means.asking, touched });
    this.#log = this.#createLog();
    const writer = {
      close: () => this.#log.close(),
      append: (events: readonly StateEvent[]) =>
        this.#log.append(events).catch((error: unknown) => this.#noteTakenOver(error, events)),
    };
    this.recorder = new StateRecorder(writer, state, {
      recorded: (events, { seq, crc }) => {
        for (const event of events) joining.runs.add({ seq, run: joining.runId, event }, crc);
      },
      spill: (events, open) => this.#recordLate(events, open),
    });
  }

  async claim({ wanted, busy }: { readonly wanted: number; readonly busy: number }): Promise<Claims> {
    let slots = busy;
    let part = 0;
    let claimed: readonly ClaimedNode[] = [];
    try {
      ({ slots, part } = await takeSlots(this.#whose, { wanted, busy }));
      claimed = await this.#claimNodes(slots - busy);
    } catch (error) {
      // What was given out, and nobody has heard of, is given out again.
      if (!(error instanceof DatabaseError && error.isPassing)) throw error;
    }
    return { claimed, slots, part, ...(await this.look()) };
  }

  async #claimNodes(most: number): Promise<readonly ClaimedNode[]> {
    const { mediaInFlight } = this.#joining;
    const { claimed, over } = await claimNodes(this.#means.asking, this.#claims, {
      run: this.id,
      most,
      mediaInFlight,
    });
    for (const { node } of claimed) this.#settled.delete(node.address);
    if (over.length > 0)
      await this.#log.run(async (query) => void (await this.#claims.complete(query, over)));
    for (const address of over) this.#claims.drop(address);
    return claimed;
  }

  async look(): Promise<Progress> {
    await this.#log.look();
    return progressOf(this.#ask, this.id);
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
        if (!wasSettled) isOurs = await this.#endNode(query, address, end);
        if (adds.length > 0) await insertNodes({ query, boss: this.#means.boss, run: this.id }, adds);
      });
    this.#claims.drop(address);
    return isOurs;
  }

  async #endNode(query: Query, address: Address, end: NodeEnd): Promise<boolean> {
    if ((await this.#claims.complete(query, [address])) === 0) return false;
    await query('update campaign.node set ended = $3 where run = $1 and address = $2 and ended is null', [
      this.id,
      address,
      end,
    ]);
    return true;
  }

  add(nodes: readonly PlannedNode[]): Promise<void> {
    return this.#log.run((query) => insertNodes({ query, boss: this.#means.boss, run: this.id }, nodes));
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

  others(): Promise<number> {
    return countOthers({ ...this.#whose, query: this.#ask });
  }

  nodes(): Promise<readonly PlannedNode[]> {
    return nodesIn(this.#ask, this.id);
  }

  async stop(reasons: readonly string[]): Promise<void> {
    await this.#ask(
      'update campaign.run set stop = (select array_agg(distinct x) from unnest(stop || $2::text[]) x) where id = $1',
      [this.id, [...reasons]],
    );
  }

  async finish(work: () => Promise<void>): Promise<boolean> {
    // What was told so far belongs to how the run is said to have ended.
    await this.#flush();
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
    await this.#claims.close();
    await this.recorder.close();
    await giveSlotsBack(this.#whose).catch(() => undefined);
    await boss.stop({ graceful: false });
    await asking.close();
    await writing.close();
  }

  #flush(): Promise<void> {
    return this.#log.run(() => Promise.resolve());
  }

  /** Asked again while the database is away: it has to come to the same, however often it is asked. */
  readonly #ask: Query = (text, values) => {
    const { clock } = this.#joining;
    return patiently(() => this.#means.asking.query(text, values), { clock, longestMs: PATIENCE_MS });
  };

  /** One after the other: each is a run of its own. */
  #recordLate(events: readonly StateEvent[], open: readonly StateEvent[]): Promise<string | undefined> {
    const late = { ...this.#joining, connection: this.#means.writing, log: this.#log };
    const recorded = this.#late.then(() => recordLate(late, events, open));
    this.#late = recorded.catch(() => undefined);
    return recorded;
  }

  #noteTakenOver(error: unknown, events: readonly StateEvent[]): never {
    if (error instanceof TakenOver)
      for (const event of events) if (event.type === 'intent') this.#takenOver.add(event.address);
    throw error;
  }

  #createLog(): SharedLog {
    const { campaign, run, runId, chain, clock, state, runs } = this.#joining;
    return new SharedLog({
      connection: this.#means.writing,
      campaign,
      run,
      runId,
      chain,
      clock,
      taken(record, crc) {
        fold(state, record.event);
        runs.add(record, crc);
      },
      begin: (query, addresses) =>
        beginCreates({ query, run, queue: queueOf(run) }, this.#claims.of(addresses)),
      begun: (query, addresses) => begunCreates({ query, run }, addresses),
      settle: async (query, events, more) => {
        const { done, late } = await settleNodes({ query, run }, events);
        if (late.length > 0) await reopenNodes({ query, run, boss: this.#means.boss }, late);
        await this.#claims.complete(query, done);
        for (const address of done) if (this.#claims.has(address)) this.#settled.add(address);
        for (const work of more) await work(query);
        await this.#teller.write(query);
      },
      settled: () => {
        this.#teller.written();
        this.#claims.release();
      },
    });
  }
}
