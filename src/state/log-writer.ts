/**
 * Appends to the log in group commits, single flight: while one write and its fdatasync run, appends queue; then one
 * write and one sync serve all of them. No timer: alone, an append waits for nothing but its own sync.
 *
 * The first error of a write or a sync sticks: every later append is refused with the same error. A sync is never
 * repeated, because after a failed one the kernel may report pages as written that are not. A write that was cut
 * short is taken back, so that the next run does not find its fragment.
 */
import type { FileHandle } from 'node:fs/promises';
import { EXIT } from '../model/exit.ts';
import type { StateEvent } from '../model/state-event.ts';
import { deferred, type Deferred } from '../util/deferred.ts';
import { encodeRecord, type ChainEnd } from './record.ts';

/** The state cannot be written any more: what was appended since may or may not be in the log. */
export class StateWriteError extends Error {
  override readonly name = 'StateWriteError';
  readonly exit = EXIT.cannotWrite;
}

/** What the writer needs of its file, opened for appending. */
export interface LogFile {
  write(bytes: Uint8Array, offset: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file of a handle, without a position of its own: the kernel appends. */
export function logFileOf(handle: FileHandle): LogFile {
  return {
    write: (bytes, offset) => handle.write(bytes, offset),
    datasync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
}

interface Waiting {
  readonly lines: string;
  readonly durable: Deferred<void>;
}

/** Owns the log's file from the end of its last record on. */
export class LogWriter {
  readonly #file: LogFile;
  readonly #run: string;
  /** Where the file ends with the last complete write. */
  #length: number;
  #chain: ChainEnd;
  #queue: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #broken: StateWriteError | undefined;

  constructor(
    file: LogFile,
    from: { readonly run: string; readonly length: number; readonly chain: ChainEnd },
  ) {
    this.#file = file;
    this.#run = from.run;
    this.#length = from.length;
    this.#chain = from.chain;
  }

  /** Resolves when the events are durable, in the order of the calls; rejects with a StateWriteError. */
  append(events: readonly StateEvent[]): Promise<void> {
    if (this.#broken) return Promise.reject(this.#broken);
    let lines = '';
    for (const event of events) {
      const { line, end } = encodeRecord(event, this.#run, this.#chain);
      this.#chain = end;
      lines += line;
    }
    const waiting = { lines, durable: deferred<void>() };
    this.#queue.push(waiting);
    // Not at once: what the same turn appends goes into the same commit.
    this.#flushing ??= Promise.resolve().then(() => this.#flush());
    return waiting.durable.promise;
  }

  /** Waits for what was appended and closes the file; nothing may be appended after. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#commit(Buffer.from(batch.map(({ lines }) => lines).join('')));
      for (const { durable } of batch) {
        if (this.#broken) durable.reject(this.#broken);
        else durable.resolve();
      }
    }
    this.#flushing = undefined;
  }

  async #commit(bytes: Buffer): Promise<void> {
    if (this.#broken) return;
    try {
      await this.#write(bytes);
      await this.#file.datasync();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#broken = new StateWriteError(`The state cannot be written: ${why}`, { cause: error });
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      for (let written = 0; written < bytes.length; ) {
        written += (await this.#file.write(bytes, written)).bytesWritten;
      }
      this.#length += bytes.length;
    } catch (error) {
      // Where even this fails, the next run finds an unfinished line and cuts it off.
      await this.#file.truncate(this.#length).catch(() => undefined);
      throw error;
    }
  }
}
