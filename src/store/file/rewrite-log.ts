/** Replaces a log by its snapshot: to make it shorter, or to give it a newer format. */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { formatOf } from '../../log/format.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { snapshotEvents } from '../../log/snapshot.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import { logFileOf, type LogWriter } from './log-writer.ts';
import { encodeRecord } from './record.ts';
import { replaceLog } from './replace-log.ts';
import type { StatePaths } from './work-folder.ts';

const FOR_WRITING = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW;

interface Rewriting {
  readonly paths: StatePaths;
  readonly header: LogHeader;
  readonly writer: LogWriter;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
}

type Log = Pick<LoadedLog, 'state' | 'runs'>;

/** Makes a log shorter; returns where the new one ends, undefined where it would not have fewer than `most` bytes. */
export async function compactLog(
  log: Log,
  { most, ...options }: Rewriting & { readonly most: number },
): Promise<RecordPlace | undefined> {
  const { writer, paths, header } = options;
  const { end } = writer;
  if (!end) return undefined;
  const format = header.format === 2 || needsFormat2(log, options) ? 2 : 1;
  const { lines, length, chain } = snapshotOf(log, { ...options, format, end: end.chain, most });
  if (length >= most) return undefined;
  await replaceLog(paths, lines, () => writer.verify());
  return chain;
}

/** Gives a log format 2, and lets its writer go on in the new file; `begin` makes the file of a new log. */
export async function renewLog(
  log: Log,
  { begin, ...options }: Rewriting & { readonly begin: () => Promise<void> },
): Promise<LogHeader> {
  const { paths, writer, run } = options;
  let { header } = options;
  await writer.goOnIn(async (end) => {
    await begin();
    const renewed = snapshotOf(log, { ...options, format: 2, end, most: Number.POSITIVE_INFINITY });
    // Opened before it gets its name: by then another file may have taken that name.
    const opened: fs.FileHandle[] = [];
    try {
      const handle = await replaceLog(paths, renewed.lines, async () => {
        await writer.verify();
        const added = await fs.open(paths.rewrite, FOR_WRITING);
        opened.push(added);
        return added;
      });
      const file = logFileOf(handle, paths.file, paths.replaced(run));
      await file.verify(renewed.length);
      header = renewed.header;
      return { ...renewed, file };
    } catch (error) {
      for (const handle of opened) await handle.close();
      throw error;
    }
  });
  return header;
}

interface Snapshot extends Pick<Rewriting, 'header' | 'run' | 'at'> {
  readonly format: 1 | 2;
  readonly end: RecordPlace;
  /** In bytes: where there are as many, it is not finished. */
  readonly most: number;
}

/** The lineage stays and the numbers go on, so that copies of the log can still be compared. */
export function snapshotOf({ state, runs }: Log, { header: old, run, at, format, end, most }: Snapshot) {
  const { line, header, crc } = encodeHeader(old.lineage, { ...old, format }, end);
  const lines = [line];
  let chain: RecordPlace = { seq: end.seq, crc };
  let length = Buffer.byteLength(line);
  for (const event of snapshotEvents(state, runs.list(), at)) {
    if (length >= most) break;
    const sealed = encodeRecord(event, run, chain);
    chain = sealed.end;
    lines.push(sealed.line);
    length += Buffer.byteLength(sealed.line);
  }
  return { lines, header, chain, length };
}

function needsFormat2({ state, runs }: Log, { at }: Pick<Rewriting, 'at'>): boolean {
  for (const event of snapshotEvents(state, runs.list(), at)) if (formatOf(event) === 2) return true;
  return false;
}
