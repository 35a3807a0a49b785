/**
 * What a log cannot take any more, above all the ends of requests under way, goes to a file in the log's own format.
 *
 * An append that failed may be in the log or not. The request of an intent in it was never sent, because it waits for
 * the append. The spill file has the end that says so; otherwise the next run would take it for an unknown create.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { StateEvent } from '../../model/state-event.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { encodeRecords } from './record.ts';

/** The header names the last record that is durable in the log (`after`), because a log without it is an older copy. */
export function createSpillFile(
  file: string,
  of: { readonly header: LogHeader; readonly run: string; readonly after: () => RecordPlace },
  tell: (line: string) => void,
) {
  let chain: RecordPlace | undefined;
  let handle: Promise<fs.FileHandle> | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function encode(events: readonly StateEvent[]): string {
    let head = '';
    if (!chain) {
      const { header } = of;
      const after = of.after();
      const { line, crc } = encodeHeader(header.lineage, header, after);
      head = line;
      chain = { seq: after.seq, crc };
    }
    const { lines, end } = encodeRecords(events, of.run, chain);
    chain = end;
    return head + lines;
  }

  async function write(lines: string): Promise<void> {
    handle ??= open(file);
    const opened = await handle;
    const { size } = await opened.stat();
    try {
      await opened.appendFile(lines);
      await opened.sync();
    } catch (error) {
      // All of it or nothing: an intent alone would count as sent.
      await opened.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  return {
    /**
     * Stores events durably and returns the path of the file; undefined where that cannot be written either. `open`:
     * intents whose requests are under way. They are in the log, but the next run may find another log in its place,
     * and without its intent an end has no meaning.
     */
    keep(events: readonly StateEvent[], open: readonly StateEvent[]): Promise<string | undefined> {
      const lines = encode([...(chain ? [] : open), ...withEnds(events)]);
      tell(lines);
      // In order: if one write fails, the chain of later ones does not hold.
      const written = before.then(() => write(lines));
      before = written;
      return written.then(
        () => file,
        () => undefined,
      );
    },
    async close(): Promise<void> {
      await before.catch(() => undefined);
      await (await handle?.catch(() => undefined))?.close();
    },
  };
}

async function open(file: string): Promise<fs.FileHandle> {
  const handle = await fs.open(file, 'ax', 0o600);
  await syncFolder(path.dirname(file));
  return handle;
}

const NEVER_SENT = {
  summary: 'the state could not be written',
  detail: 'The request was never sent.',
};

function withEnds(events: readonly StateEvent[]): StateEvent[] {
  const isOpen = (address: string, index: number) =>
    !events.slice(index + 1).some((event) => 'address' in event && event.address === address);
  return events.flatMap((event, index): StateEvent[] => {
    if (event.type !== 'intent' || !isOpen(event.address, index)) return [event];
    const { at, address } = event;
    return [event, { type: 'not-sent', at, address, problem: NEVER_SENT }];
  });
}
