/** Replaces a log by its snapshot: to make it shorter, or to give it a newer format. */
import { formatOf } from '../../log/format.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { snapshotEvents } from '../../log/snapshot.ts';
import type { StateEvent } from '../../model/state-event.ts';
import { ReplacedError } from '../write-error.ts';
import { encodeHeader, type LogHeader } from './header.ts';
import type { LoadedLog } from './load-log.ts';
import { logFileOf, type LogWriter } from './log-writer.ts';
import { encodeRecord } from './record.ts';
import { replaceLog } from './replace-log.ts';
import { openStateFile } from './state-file.ts';
import type { StatePaths } from './work-folder.ts';

interface Rewriting {
  readonly paths: StatePaths;
  readonly header: LogHeader;
  readonly writer: Pick<LogWriter, 'end' | 'verify'>;
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  /** The longest that the new log may be, in bytes. */
  readonly most?: number;
  /** The oldest format that will do. */
  readonly format?: 1 | 2;
}

export interface Rewritten {
  readonly header: LogHeader;
  /** Where the new log ends. */
  readonly chain: RecordPlace;
  readonly length: number;
}

/**
 * The lineage stays and the numbers go on, so that copies of the log can still be compared. Undefined where the old log
 * stays, because the new one would be too long or nobody knows where the old one ends.
 */
export async function rewriteLog(
  { state, runs }: Pick<LoadedLog, 'state' | 'runs'>,
  { paths, header: old, writer, run, at, most = Number.POSITIVE_INFINITY, ...wanted }: Rewriting,
): Promise<Rewritten | undefined> {
  const { end } = writer;
  if (!end) return undefined;
  const snapshot = () => snapshotEvents(state, runs.list(), at);
  const format = old.format === 2 || wanted.format === 2 || needsFormat2(snapshot()) ? 2 : 1;
  const { line, header, crc } = encodeHeader(old.lineage, { ...old, format }, end.chain);
  const lines = [line];
  let chain: RecordPlace = { seq: end.chain.seq, crc };
  let length = Buffer.byteLength(line);
  for (const event of snapshot()) {
    const sealed = encodeRecord(event, run, chain);
    chain = sealed.end;
    lines.push(sealed.line);
    length += Buffer.byteLength(sealed.line);
    if (length >= most) return undefined;
  }
  await replaceLog(paths, lines, () => writer.verify());
  return { header, chain, length };
}

/** Gives a log format 2, and lets its writer go on in the new file; `begin` makes the file of a new log. */
export async function renewLog(
  log: Pick<LoadedLog, 'state' | 'runs'>,
  { begin, ...options }: Rewriting & { readonly writer: LogWriter; readonly begin: () => Promise<void> },
): Promise<LogHeader> {
  const { paths, writer, run } = options;
  let { header } = options;
  await writer.goOnIn(async () => {
    await begin();
    const rewritten = await rewriteLog(log, { ...options, format: 2 });
    const opened = await openStateFile(paths.file, 'write');
    if (!rewritten || !opened.ok || !opened.value) throw new ReplacedError(`${paths.file} was replaced`);
    header = rewritten.header;
    return { ...rewritten, file: logFileOf(opened.value, paths.file, paths.replaced(run)) };
  });
  return header;
}

function needsFormat2(events: Iterable<StateEvent>): boolean {
  for (const event of events) if (formatOf(event) === 2) return true;
  return false;
}
