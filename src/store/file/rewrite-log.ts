/** Replaces a log by its snapshot, to make it shorter. */
import type { RecordPlace } from '../../log/log-record.ts';
import { snapshotEvents } from '../../log/snapshot.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import type { LogWriter } from './log-writer.ts';
import { encodeRecord } from './record.ts';
import { replaceLog } from './replace-log.ts';
import type { StatePaths } from './work-folder.ts';

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
  const { writer, paths } = options;
  const { end } = writer;
  if (!end) return undefined;
  const { lines, length, chain } = snapshotOf(log, { ...options, end: end.chain, most });
  if (length >= most) return undefined;
  await replaceLog(paths, lines, () => writer.verify());
  return chain;
}

interface Snapshot extends Pick<Rewriting, 'header' | 'run' | 'at'> {
  readonly end: RecordPlace;
  /** In bytes: where there are as many, it is not finished. */
  readonly most: number;
}

/** The lineage stays and the numbers go on, so that copies of the log can still be compared. */
function snapshotOf({ state, runs }: Log, { header, run, at, end, most }: Snapshot) {
  const { line, crc } = encodeHeader(header.lineage, header, end);
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
  return { lines, chain, length };
}
