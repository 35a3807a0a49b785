/**
 * The log of a run that several processes write. They do so one after the other, because each locks the row of the
 * campaign: it reads what the others have recorded since, goes on from there, and records its own events, what they mean
 * for its nodes and what it tells about them, in one transaction. While one runs, the next one is collected.
 */
import type { LogRecord, RecordPlace } from '../../log/log-record.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Clock } from '../../util/clock.ts';
import { deferred, type Deferred } from '../../util/deferred.ts';
import { decodeRecord, encodeRecords } from '../file/record.ts';
import { readSeal } from '../file/seal.ts';
import { TakenOver } from '../shared-run.ts';
import { causeOf, StateWriteError } from '../write-error.ts';
import type { Connection, Query } from './connection.ts';
import { DatabaseError, LostRun, OlderLog } from './database-error.ts';
import type { Patiently } from './patience.ts';
import { addressesIn, type Allowing, refusedOf } from './refused-events.ts';
import { whyOver } from './run-lock.ts';

/** After so long, somebody else may have taken over the node of an intent. */
const FRESH_MS = 5_000;

interface SharedLogOptions extends Allowing {
  readonly connection: Connection;
  readonly campaign: number;
  readonly run: number;
  readonly runId: string;
  /** The last record that is known: a log without it has come back older than it was, and nothing is built on it. */
  readonly chain: RecordPlace;
  /** How many records came before those that the log has, where it was compacted once. */
  readonly base: number;
  /** Is told how far the log is known to go. */
  readonly seen: (end: RecordPlace) => void;
  readonly clock: Clock;
  readonly patiently: Patiently;
  /** Gets what others have recorded. */
  readonly taken: (record: LogRecord, crc: number) => void;
  /** Does what belongs into the same transaction as these events. */
  readonly settle: (query: Query, events: readonly StateEvent[], more: readonly Work[]) => Promise<void>;
  /** That transaction is durable. */
  readonly settled: () => void;
}

/** What else is to be done in a transaction of the log. It has to come to the same if it is done twice. */
type Work = (query: Query) => Promise<void>;

interface Entry {
  readonly events: readonly StateEvent[];
  readonly work?: Work | undefined;
  readonly done: Deferred<RecordPlace>;
}

interface Committed {
  readonly after: number;
  readonly lines: readonly string[];
  readonly end: RecordPlace;
  readonly refused: ReadonlyMap<Entry, Error>;
}

export class SharedLog {
  readonly #options: SharedLogOptions;
  #chain: RecordPlace;
  #queue: Entry[] = [];
  #flushing: Promise<void> | undefined;
  #broken: Error | undefined;
  #checkedAt = 0;
  /** Of the last try: nobody knows whether it was committed. */
  #tried: Committed | undefined;

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#chain = options.chain;
  }

  /** Of records: the writer of a StateRecorder. */
  async append(events: readonly StateEvent[]): Promise<RecordPlace> {
    const end = await this.#enqueue(events);
    const { clock } = this.#options;
    const intents = addressesIn(events, 'intent');
    if (intents.length === 0 || clock.monotonic() - this.#checkedAt <= FRESH_MS) return end;
    const at = new Date(clock.now()).toISOString();
    const problem = { summary: 'it took too long until it could be sent' };
    await this.#enqueue(intents.map((address) => ({ type: 'not-sent', at, address, problem }) as const));
    throw new TakenOver('another process may work on this node');
  }

  /** Does it together with what is recorded next. */
  async run(work: Work): Promise<void> {
    await this.#enqueue([], work);
  }

  /**
   * After the end of the run: records in another one what is still missing, once all that others have recorded is known.
   * Whether there was something. A log that was moved away takes nothing more: there it would be lost.
   */
  recordIn(run: number, missing: () => readonly StateEvent[]): Promise<boolean> {
    const { connection, campaign, patiently, runId } = this.#options;
    const work = () =>
      connection.transaction(async (query) => {
        const [log] = await query('select moved_to from campaign.campaign where id = $1 for update', [
          campaign,
        ]);
        if (log?.['moved_to'] !== null) return false;
        this.#tried = undefined;
        this.#catchUp(linesIn(await query(this.#missing)));
        const { lines } = sealed(missing(), runId, this.#chain);
        if (lines.length > 0) await this.#write(query, lines, run);
        return lines.length > 0;
      });
    return patiently(work);
  }

  /** Resolves once the state has what others have recorded so far. */
  async look(): Promise<void> {
    await this.#enqueue([]);
  }

  /** The last record that is known to be in the database. */
  get durable(): RecordPlace {
    return this.#chain;
  }

  /** The database was away for longer than anybody waits; the run may go on without this process. */
  get isCutOff(): boolean {
    const { cause } = this.#broken ?? {};
    return cause instanceof DatabaseError && !(cause instanceof LostRun);
  }

  get isOlder(): boolean {
    return causeOf(this.#broken) instanceof OlderLog;
  }

  /** Whatever comes later is refused: it would open the connection again. */
  async close(): Promise<void> {
    await this.#flushing;
    this.#broken ??= new StateWriteError('The state is closed', { cause: undefined });
  }

  #enqueue(events: readonly StateEvent[], work?: Work): Promise<RecordPlace> {
    if (this.#broken) return Promise.reject(this.#broken);
    const done = deferred<RecordPlace>();
    this.#queue.push({ events, work, done });
    // Not at once, so that all of one turn of the event loop go into one transaction.
    this.#flushing ??= Promise.resolve().then(() => this.#flush());
    return done.promise;
  }

  async #flush(): Promise<void> {
    const { patiently } = this.#options;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const committed = await patiently(() => this.#attempt(batch));
        this.#take(batch, committed);
      } catch (error) {
        const said = `The state cannot be written: ${(error as Error).message}`;
        const isRefused = error instanceof DatabaseError;
        // What becomes of refused events says the recorder, which keeps them.
        const refusal = () => new StateWriteError(said, { cause: error, hasNothing: true });
        this.#broken = isRefused ? refusal() : (error as Error);
        for (const { done } of [...batch, ...this.#queue.splice(0)]) done.reject(this.#broken);
      }
    }
    this.#flushing = undefined;
  }

  #take(batch: readonly Entry[], { end, refused }: Committed): void {
    if (this.#tried) this.#options.settled();
    this.#tried = undefined;
    this.#chain = end;
    this.#options.seen(end);
    for (const entry of batch) {
      const why = refused.get(entry);
      if (why) entry.done.reject(why);
      else entry.done.resolve(end);
    }
  }

  async #attempt(batch: readonly Entry[]): Promise<Committed> {
    const { connection, campaign } = this.#options;
    if (batch.some(({ events, work }) => events.length > 0 || work)) {
      const lock = `select from campaign.campaign where id = ${campaign} for update`;
      return connection.transaction(
        (query, rows) => this.#commit(query, batch, linesIn(rows)),
        `${lock}; ${this.#missing}`,
      );
    }
    // Nobody is kept out. A standby has the newest records a moment later.
    const rows = await connection.query(`select pg_is_in_recovery() as standby; ${this.#missing}`);
    if (rows.some(({ standby }) => standby === true)) throw new DatabaseError('25006', 'it is a standby');
    this.#catchUp(linesIn(rows));
    return { after: this.#chain.seq, lines: [], end: this.#chain, refused: new Map() };
  }

  async #commit(query: Query, batch: readonly Entry[], missing: readonly string[]): Promise<Committed> {
    const { clock, settle } = this.#options;
    if (this.#catchUp(missing) && this.#tried) return this.#tried;
    this.#checkedAt = clock.monotonic();
    const refused = await refusedOf(query, this.#options, batch);
    const entries = batch.filter((entry) => !refused.has(entry));
    const events = entries.flatMap((entry) => entry.events);
    const { lines, end } = sealed(events, this.#options.runId, this.#chain);
    this.#tried = { after: this.#chain.seq, lines, end, refused };
    if (lines.length > 0) await this.#write(query, lines);
    const more = entries.flatMap(({ work }) => work ?? []);
    await settle(query, events, more);
    return this.#tried;
  }

  /** The last known record, and what is in the log after it, to be asked once nobody else writes. */
  get #missing(): string {
    const from = `campaign = ${this.#options.campaign} and seq >= ${this.#chain.seq}`;
    return `select line from campaign.event where ${from} order by seq`;
  }

  /** Takes in what others have recorded. Whether what was tried last is there, although the answer was lost. */
  #catchUp(found: readonly string[]): boolean {
    const { seq, crc: known } = this.#chain;
    const hasKnown = seq > this.#options.base;
    if (hasKnown && readSeal(Buffer.from(found[0] ?? '')) !== known) throw new OlderLog(seq);
    const lines = hasKnown ? found.slice(1) : found;
    const { after, lines: own = [] } = this.#tried ?? {};
    if (own.length > 0 && after === this.#chain.seq && own.every((line, n) => lines[n] === line)) return true;
    for (const line of lines) {
      const decoded = decodeRecord({ bytes: Buffer.from(line), text: line }, this.#chain);
      if (!decoded.ok) throw new DatabaseError('apart', 'the log in the database is damaged');
      const { record, crc } = decoded.value;
      this.#chain = { seq: record.seq, crc };
      this.#options.taken(record, crc);
    }
    return false;
  }

  async #write(query: Query, lines: readonly string[], run = this.#options.run): Promise<void> {
    const { campaign } = this.#options;
    const values = [campaign, run, this.#chain.seq, lines];
    const [row] = await query('select campaign.append($1, $2, $3, $4) as came', values);
    if (row?.['came'] === 'older') throw new OlderLog(this.#chain.seq);
    if (row?.['came'] === 'lost') throw await whyOver({ query }, run);
    if (row?.['came'] !== 'written') throw new DatabaseError('apart', 'another run has written the state');
  }
}

/** The lock of the campaign, which is asked for with them, has a row without a line. */
function linesIn(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows.flatMap(({ line }) => (typeof line === 'string' ? line : []));
}

function sealed(events: readonly StateEvent[], runId: string, after: RecordPlace) {
  const { lines, end } = encodeRecords(events, runId, after);
  return { lines: lines.split('\n').slice(0, -1), end };
}
