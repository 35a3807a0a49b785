import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import { emptyState } from '../../../src/log/fold.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { LogWriter } from '../../../src/store/file/log-writer.ts';
import { StateWriteError } from '../../../src/store/write-error.ts';
import { StateRecorder } from '../../../src/store/recorder.ts';
import { createHeldFile, type HeldFile } from './held-file.ts';
import { AT, bytesOf, IDENTITY, LINEAGE, readBytes } from './sample-log.ts';

const HEADER = encodeHeader(LINEAGE, IDENTITY);

function event(name: string): StateEvent {
  return { type: 'learned', at: AT, name, value: name };
}

function writerOn(file: HeldFile, length = 0): LogWriter {
  return new LogWriter(file, { run: 'run-1', length, chain: { seq: 0, crc: HEADER.crc } });
}

async function namesIn(file: HeldFile): Promise<string[]> {
  const { reading, records } = await readBytes(bytesOf([HEADER.line, file.content()]));
  expect(reading.type).toBe('read');
  return records.map((record) => (record.event.type === 'learned' ? record.event.name : ''));
}

/** What has settled so far, without waiting for anything. */
function watch(promises: readonly Promise<unknown>[]): string[] {
  const seen: string[] = [];
  promises.forEach((promise, index) => {
    promise.then(
      () => seen.push(`done ${index}`),
      () => seen.push(`failed ${index}`),
    );
  });
  return seen;
}

describe('group commit', () => {
  it('writes and syncs once for what came together', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const appends = [0, 1, 2].map((index) => writer.append([event(`e${index}`)]));
    const seen = watch(appends);
    const sync = await file.nextSync();
    expect(seen).toEqual([]);
    sync.resolve();
    await Promise.all(appends);
    expect(file.calls).toEqual(['write 3', 'sync']);
    expect(seen).toEqual(['done 0', 'done 1', 'done 2']);
  });

  it('queues while a sync runs, and serves the queue with one more', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const first = writer.append([event('a')]);
    const sync = await file.nextSync();
    const later = [writer.append([event('b'), event('c')]), writer.append([event('d')])];
    const seen = watch(later);
    sync.resolve();
    await first;
    const second = await file.nextSync();
    expect(seen).toEqual([]);
    second.resolve();
    await Promise.all(later);
    expect(file.calls).toEqual(['write 1', 'sync', 'write 3', 'sync']);
    expect(await namesIn(file)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('keeps the order of a thousand appends', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const order: number[] = [];
    const appends = Array.from({ length: 1000 }, async (_, index) => {
      // In several turns, so that several commits are made.
      for (let turn = 0; turn < index % 7; turn++) await Promise.resolve();
      const name = `e${order.length}`;
      order.push(index);
      await writer.append([event(name)]);
    });
    const appending = { done: false };
    const syncing = (async () => {
      while (!appending.done) (await file.nextSync()).resolve();
    })();
    await Promise.all(appends);
    appending.done = true;
    const last = writer.append([event('last')]);
    await Promise.all([last, syncing]);
    const names = await namesIn(file);
    expect(names).toEqual([...Array.from({ length: 1000 }, (_, index) => `e${index}`), 'last']);
  });

  it('goes on where a write took only a part', async () => {
    const file = createHeldFile();
    file.limit(100, Number.MAX_SAFE_INTEGER);
    const append = writerOn(file).append([event('a'), event('b')]);
    (await file.nextSync()).resolve();
    await append;
    expect(await namesIn(file)).toEqual(['a', 'b']);
  });

  it('is waited for before the file is closed', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const append = writer.append([event('a')]);
    const closing = writer.close();
    const sync = await file.nextSync();
    expect(file.closed()).toBe(false);
    sync.resolve();
    await Promise.all([append, closing]);
    expect(file.closed()).toBe(true);
  });
});

describe('the first error', () => {
  it('of a sync sticks, and the sync is not repeated', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const first = writer.append([event('a')]);
    const sync = await file.nextSync();
    const queued = writer.append([event('b')]);
    const cause = new Error('EIO: i/o error, fdatasync');
    sync.reject(cause);
    await expect(first).rejects.toThrow(StateWriteError);
    await expect(first).rejects.toMatchObject({ name: 'StateWriteError', cause });
    await expect(queued).rejects.toThrow('The state cannot be written: EIO: i/o error, fdatasync');
    await expect(writer.append([event('c')])).rejects.toMatchObject({ exit: 74 });
    expect(file.calls).toEqual(['write 1', 'sync']);
    await writer.close();
  });

  it('of a write takes a part that was written back, to the end of the last commit', async () => {
    const file = createHeldFile();
    const writer = writerOn(file);
    const first = writer.append([event('a')]);
    (await file.nextSync()).resolve();
    await first;
    const good = Buffer.byteLength(file.content());
    file.limit(10, 25);
    await expect(writer.append([event('b')])).rejects.toThrow('ENOSPC');
    expect(file.calls.at(-1)).toBe(`truncate ${good}`);
    expect(await namesIn(file)).toEqual(['a']);
    await expect(writer.append([event('c')])).rejects.toThrow(StateWriteError);
  });

  it('is told even where the part cannot be taken back', async () => {
    const file = createHeldFile();
    file.limit(10, 25);
    await expect(writerOn(file).append([event('b')])).rejects.toThrow('ENOSPC');
  });

  it('may be anything', async () => {
    const file = createHeldFile();
    const append = writerOn(file).append([event('a')]);
    (await file.nextSync()).reject('gone' as unknown as Error);
    await expect(append).rejects.toThrow('The state cannot be written: gone');
  });
});

describe('the recorder', () => {
  it('folds when it is durable, and not before', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    const append = recorder.append([event('a')]);
    const sync = await file.nextSync();
    expect(recorder.state.learned.size).toBe(0);
    sync.resolve();
    await append;
    expect([...recorder.state.learned.keys()]).toEqual(['a']);
  });

  it('folds nothing that could not be written', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    const append = recorder.append([event('a')]);
    (await file.nextSync()).reject(new Error('EIO'));
    await expect(append).rejects.toThrow(StateWriteError);
    expect(recorder.state.learned.size).toBe(0);
  });

  it('says who runs before the first thing is recorded, once', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState(), { begin: event('begin') });
    await recorder.append([]);
    expect(file.calls).toEqual([]);
    for (const name of ['a', 'b']) {
      const append = recorder.append([event(name)]);
      (await file.nextSync()).resolve();
      await append;
    }
    expect(await namesIn(file)).toEqual(['begin', 'a', 'b']);
    expect([...recorder.state.learned.keys()]).toEqual(['begin', 'a', 'b']);
  });

  it('says who runs alone, where others carry out the run, once', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState(), { begin: event('begin') });
    const start = recorder.start();
    (await file.nextSync()).resolve();
    await start;
    await recorder.start();
    expect(await namesIn(file)).toEqual(['begin']);
    const append = recorder.append([event('a')]);
    (await file.nextSync()).resolve();
    await append;
    expect(await namesIn(file)).toEqual(['begin', 'a']);
  });

  it('writes what was noted before the next event', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    recorder.note([event('noted')]);
    expect(file.calls).toEqual([]);
    const append = recorder.append([event('a')]);
    (await file.nextSync()).resolve();
    await append;
    expect(await namesIn(file)).toEqual(['noted', 'a']);
    expect([...recorder.state.learned.keys()]).toEqual(['noted', 'a']);
  });

  it('writes what was noted last when it is closed, once', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    recorder.note([event('noted')]);
    const closing = [recorder.close(), recorder.close()];
    (await file.nextSync()).resolve();
    await Promise.all(closing);
    expect(file.calls).toEqual(['write 1', 'sync']);
    expect(file.closed()).toBe(true);
  });

  it('syncs nothing for nothing', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    await recorder.append([]);
    await recorder.close();
    expect(file.calls).toEqual([]);
  });

  it('lets no bug pass for a state that cannot be written, and closes its file all the same', async () => {
    const file = createHeldFile();
    const bug = new TypeError('a bug');
    const recorder = new StateRecorder(writerOn(file), emptyState(), {
      recorded: () => {
        throw bug;
      },
    });
    recorder.note([event('noted')]);
    const closing = recorder.close();
    (await file.nextSync()).resolve();
    await expect(closing).rejects.toBe(bug);
    expect(file.closed()).toBe(true);
  });

  it('closes its file even where the last notes cannot be written', async () => {
    const file = createHeldFile();
    const recorder = new StateRecorder(writerOn(file), emptyState());
    recorder.note([event('noted')]);
    const closing = recorder.close();
    (await file.nextSync()).reject(new Error('EIO'));
    // What was noted may be lost: that is no failure.
    await closing;
    expect(file.closed()).toBe(true);
    expect(recorder.state.learned.size).toBe(0);
  });
});
