import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import { fold } from './fold.ts';
import type { FoldState } from './fold-state.ts';
import type { LogWriter } from './log-writer.ts';

/** The log and the state in one: an event is durable, then folded, then the append resolves, all in log order. */
export class StateRecorder implements Recorder {
  readonly #writer: LogWriter;
  readonly #state: FoldState;
  /** Facts that wait for the next append. */
  #noted: StateEvent[] = [];
  #closing: Promise<void> | undefined;

  constructor(writer: LogWriter, state: FoldState) {
    this.#writer = writer;
    this.#state = state;
  }

  /** The same object all the time, advanced by every append. */
  get state(): RunState {
    return this.#state;
  }

  async append(events: readonly StateEvent[]): Promise<void> {
    const all = [...this.#noted, ...events];
    this.#noted = [];
    if (all.length === 0) return;
    await this.#writer.append(all);
    for (const event of all) fold(this.#state, event);
  }

  note(events: readonly StateEvent[]): void {
    this.#noted.push(...events);
  }

  /** Writes what was noted last and closes the log; rejects where it could not be written. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.append([]);
    } finally {
      await this.#writer.close();
    }
  }
}
