import type { LogFile } from '../../../src/store/file/log-writer.ts';
import { deferred, type Deferred } from '../../../src/util/deferred.ts';

/** A log file in memory whose syncs the test answers by hand, and which can be told to fail. */
export interface HeldFile extends LogFile {
  /** Writes and syncs in the order of their calls; a write as its number of lines. */
  readonly calls: readonly string[];
  content(): string;
  /** Resolves when the next sync has been called; the sync waits until it is settled. */
  nextSync(): Promise<Deferred<void>>;
  /** Each write from now on takes at most `bytes` bytes, and none beyond `room` in all. */
  limit(bytes: number, room: number): void;
  closed(): boolean;
}

export function createHeldFile(): HeldFile {
  let written = Buffer.alloc(0);
  let atOnce = Number.MAX_SAFE_INTEGER;
  let room = Number.MAX_SAFE_INTEGER;
  let closed = false;
  const calls: string[] = [];
  const syncs: Deferred<void>[] = [];
  let arrived: Deferred<void> | undefined;
  return {
    calls,
    content: () => written.toString(),
    closed: () => closed,
    async write(bytes, offset) {
      const bytesWritten = Math.min(bytes.length - offset, atOnce, room);
      if (bytesWritten <= 0) throw new Error('ENOSPC: no space left on device, write');
      const part = Buffer.from(bytes.subarray(offset, offset + bytesWritten));
      room -= bytesWritten;
      written = Buffer.concat([written, part]);
      calls.push(`write ${part.toString().split('\n').length - 1}`);
      return Promise.resolve({ bytesWritten });
    },
    datasync() {
      calls.push('sync');
      const sync = deferred<void>();
      syncs.push(sync);
      arrived?.resolve();
      return sync.promise;
    },
    verify: () => Promise.resolve(),
    truncate(length) {
      calls.push(`truncate ${length}`);
      if (length === 0) return Promise.reject(new Error('EIO: i/o error, ftruncate'));
      written = written.subarray(0, length);
      return Promise.resolve();
    },
    close() {
      closed = true;
      return Promise.resolve();
    },
    async nextSync() {
      if (syncs.length === 0) {
        arrived = deferred<void>();
        await arrived.promise;
      }
      const sync = syncs.shift();
      if (!sync) throw new Error('no sync was called');
      return sync;
    },
    limit(bytes, left) {
      atOnce = bytes;
      room = left;
    },
  };
}
