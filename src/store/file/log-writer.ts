/**
 * Appends to the log in group commits: while one write and its fdatasync run, appends are collected; then one write and
 * one sync serve all of them. There is no timer: a single append waits only for its own sync.
 *
 * After the first error of a write or a sync, every later append is refused with the same error. A sync is never
 * repeated, because after a failed one the kernel may report pages as written that are not. A write that was cut short
 * is removed, so that the next run does not find a part of it.
 */
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { RecordPlace } from '../../log/log-record.ts';
import type { StateEvent } from '../../model/state-event.ts';
import { deferred, type Deferred } from '../../util/deferred.ts';
import { unlessMissing } from '../../util/new-file.ts';
import { ReplacedError, StateWriteError } from '../write-error.ts';
import { keepAside } from './keep-aside.ts';
import { encodeRecords } from './record.ts';

export interface LogFile {
  write(bytes: Uint8Array, offset: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  /** Rejects where the file at the path is another one, or does not have this length. */
  verify(length: number): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** `aside`: where the log is copied if another file takes its name, because then this handle is all that is left. */
export function logFileOf(handle: fs.FileHandle, path: string, aside: string): LogFile {
  let rescue: Promise<string | undefined> | undefined;
  let stats: Promise<Stats> | undefined;
  return {
    write: (bytes, offset) => handle.write(bytes, offset),
    datasync: () => handle.datasync(),
    async verify(length) {
      const [own, found] = await Promise.all([(stats ??= handle.stat()), fs.stat(path).catch(unlessMissing)]);
      if (!found || own.ino !== found.ino || own.dev !== found.dev) {
        rescue ??= rescueLog(handle, length, aside);
        const how = found ? 'replaced' : 'deleted';
        throw new ReplacedError(`${path} was ${how} during the run`, await rescue);
      }
      if (found.size !== length)
        throw new ReplacedError(`${path} was changed by something else during the run`);
    },
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
}

/** The path of the copy; undefined where that could not be written either. */
function rescueLog(handle: fs.FileHandle, length: number, aside: string): Promise<string | undefined> {
  return keepAside(handle, { from: 0, to: length }, aside).then(
    () => aside,
    () => undefined,
  );
}

interface Waiting {
  readonly lines: string;
  readonly end: RecordPlace;
  readonly durable: Deferred<RecordPlace>;
}

/** Owns the log's file from the end of its last record on. `committed` is awaited after each commit. */
export class LogWriter {
  readonly #file: LogFile;
  readonly #run: string;
  readonly #committed: (end: RecordPlace) => Promise<void>;
  #length: number;
  #chain: RecordPlace;
  #durable: RecordPlace;
  #queue: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #broken: StateWriteError | undefined;

  constructor(
    file: LogFile,
    from: { readonly run: string; readonly length: number; readonly chain: RecordPlace },
    committed: (end: RecordPlace) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#file = file;
    this.#run = from.run;
    this.#length = from.length;
    this.#chain = from.chain;
    this.#durable = from.chain;
    this.#committed = committed;
  }

  /** The last record that is certainly durable. */
  get durable(): RecordPlace {
    return this.#durable;
  }

  /** Where the log ends, once everything appended is durable; undefined after an error, because then nobody knows. */
  get end(): { readonly chain: RecordPlace; readonly length: number } | undefined {
    return this.#broken ? undefined : { chain: this.#chain, length: this.#length };
  }

  /**
   * Resolves when the events are durable, in the order of the calls, with the place of the last one; rejects with a
   * StateWriteError. `run` is given where events of another run are imported.
   */
  append(events: readonly StateEvent[], run = this.#run): Promise<RecordPlace> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { lines, end } = encodeRecords(events, run, this.#chain);
    this.#chain = end;
    const waiting = { lines, end, durable: deferred<RecordPlace>() };
    this.#queue.push(waiting);
    // Not at once, so that all appends of one turn of the event loop go into one commit.
    this.#flushing ??= Promise.resolve().then(() => this.#flush());
    return waiting.durable.promise;
  }

  verify(): Promise<void> {
    return this.#file.verify(this.#length);
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#commit(batch, this.#chain);
      for (const { durable, end } of batch) {
        if (this.#broken) durable.reject(this.#broken);
        else durable.resolve(end);
      }
    }
    this.#flushing = undefined;
  }

  async #commit(batch: readonly Waiting[], end: RecordPlace): Promise<void> {
    if (this.#broken) return;
    try {
      await this.#write(Buffer.from(batch.map(({ lines }) => lines).join('')));
      await this.#file.datasync();
      // If another file has the log's name, the next run does not find what was written, however durable it is.
      await this.#file.verify(this.#length);
      this.#durable = end;
      await this.#committed(end);
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
      // If this fails as well, the next run finds an unfinished line and cuts it off.
      await this.#file.truncate(this.#length).catch(() => undefined);
      throw error;
    }
  }
}
