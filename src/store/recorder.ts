import { fold } from '../log/fold.ts';
import type { FoldState } from '../log/fold-state.ts';
import type { RecordPlace } from '../log/log-record.ts';
import { storedEvent } from '../log/stored-event.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import { type Kept, StateWriteError } from './write-error.ts';

interface EventWriter {
  /** Resolves with the place of the last event once all are durable; rejects with a StateWriteError. */
  append(events: readonly StateEvent[]): Promise<RecordPlace>;
  close(): Promise<void>;
}

export interface RecorderOptions {
  /** Written before anything else. A run that records nothing leaves no trace. */
  readonly begin?: StateEvent | undefined;
  /**
   * Stores what the log does not take, and says where; nowhere where that is not possible either. `open`: intents of
   * creates that are under way.
   */
  readonly spill?: (events: readonly StateEvent[], open: readonly StateEvent[]) => Promise<Kept>;
  /** Called with events that are durable and folded, and with the place of the last one. */
  readonly recorded?: (events: readonly StateEvent[], end: RecordPlace) => void;
}

/** Log and state together: an event is durable, then folded, then the append resolves, all in the order of the log. */
export class StateRecorder implements Recorder {
  readonly #writer: EventWriter;
  readonly #state: FoldState;
  readonly #options: RecorderOptions;
  #noted: StateEvent[] = [];
  #begin: StateEvent | undefined;
  /** Intents of creates that are under way, by address. */
  readonly #open = new Map<string, StateEvent>();
  readonly #followers = new Set<(events: readonly StateEvent[]) => void>();
  #closing: Promise<void> | undefined;

  constructor(writer: EventWriter, state: FoldState, options: RecorderOptions = {}) {
    this.#writer = writer;
    this.#state = state;
    this.#options = options;
    this.#begin = options.begin;
  }

  get state(): RunState {
    return this.#state;
  }

  async append(events: readonly StateEvent[]): Promise<void> {
    const noted = this.#noted;
    const all = [...noted, ...events].map(storedEvent);
    this.#noted = [];
    if (all.length === 0) return;
    if (this.#begin) all.unshift(this.#begin);
    this.#begin = undefined;
    try {
      await this.#write(all);
    } catch (error) {
      // What was refused is this append; its notes go with the next one.
      if (!(error instanceof StateWriteError)) this.#noted.unshift(...noted);
      throw error;
    }
  }

  /** Records that the run has begun, if it was not recorded yet. */
  async start(): Promise<void> {
    const begin = this.#begin;
    this.#begin = undefined;
    if (begin) await this.#write([begin]);
  }

  async #write(all: readonly StateEvent[]): Promise<void> {
    const end = await this.#writer.append(all).catch((error: unknown) => this.#spill(error, all));
    for (const event of all) {
      fold(this.#state, event);
      if (event.type === 'intent') this.#open.set(event.address, event);
      else if ('address' in event) this.#open.delete(event.address);
    }
    this.#options.recorded?.(all, end);
    for (const told of this.#followers) told(all);
  }

  note(events: readonly StateEvent[]): void {
    this.#noted.push(...events);
  }

  follow(told: (events: readonly StateEvent[]) => void): () => void {
    this.#followers.add(told);
    return () => this.#followers.delete(told);
  }

  /** Writes the last notes. They may be lost, so an error is ignored. */
  async flush(): Promise<void> {
    try {
      await this.append([]);
    } catch (error) {
      if (!(error instanceof StateWriteError)) throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#writer.close();
    }
  }

  async #spill(error: unknown, events: readonly StateEvent[]): Promise<never> {
    const { spill } = this.#options;
    if (!(error instanceof StateWriteError) || !spill) throw error;
    const kept = await spill(events, [...this.#open.values()]);
    throw new StateWriteError(error.message, { cause: error.cause, ...kept });
  }
}
