/**
 * The content of the lock file: `<lineage> <seq> <crc> <check>`, with a CRC-32 over it, because it is written over an
 * older one and a write may be cut short. It outlives the state, so that one that was removed or replaced is noticed.
 */
import { crc32 } from 'node:zlib';
import type { RecordPlace } from '../../log/log-record.ts';
import type { RunSummary } from '../../model/run-summary.ts';
import { spellCrc } from './seal.ts';

export interface Checkpoint {
  /** Where a write was cut off, it is only a beginning, and there is no last record. */
  readonly lineage: string;
  readonly last?: RecordPlace;
  /**
   * When somebody had last decided about the log that had it; empty where nobody had. Whoever decides later settles it, from
   * whichever machine. Absent where that is not known: then it is settled only where it is remembered.
   */
  readonly boundAt?: string;
}

export function encodeCheckpoint(lineage: string, { seq, crc }: RecordPlace): string {
  const text = `${lineage} ${seq} ${spellCrc(crc)}`;
  return `${text} ${spellCrc(crc32(text))}\n`;
}

/** Any content counts: even a part of a lineage says that there was a state. */
export function decodeCheckpoint(content: string): Checkpoint | undefined {
  // After a power cut, bytes that were not written yet are zeros.
  const [lineage = '', seq = '', crc = ''] = content.replaceAll('\0', '').trim().split(' ');
  if (lineage === '') return undefined;
  const last = { seq: Number(seq), crc: Number.parseInt(crc, 16) };
  // The rest of an older, longer content may follow; it is ignored.
  return content.startsWith(encodeCheckpoint(lineage, last)) ? { lineage, last } : { lineage };
}

export type Divergence =
  | { readonly type: 'other-lineage'; readonly remembered: string; readonly found: string }
  | { readonly type: 'older'; readonly remembered: number; readonly found: number }
  | { readonly type: 'apart'; readonly remembered: number };

/** What shows whether a log continues from a record. */
export interface LogTrace {
  readonly lineage: string;
  /** The last record before a compacted log. */
  readonly base: { readonly seq: number; readonly crc: number | undefined };
  readonly end: RecordPlace;
  /** Checksum of the record with the checkpoint's number, if the log still has it. */
  readonly crcAt: number | undefined;
  readonly runs: readonly RunSummary[];
}

/** Why a log does not continue from the checkpoint; undefined where it does. */
export function divergenceOf({ lineage, last }: Checkpoint, log: LogTrace): Divergence | undefined {
  const isSame = last ? log.lineage === lineage : log.lineage.startsWith(lineage);
  if (!isSame) return { type: 'other-lineage', remembered: lineage, found: log.lineage };
  // The checkpoint of a log with nothing but a header is record 0.
  if (!last || last.seq === 0) return undefined;
  if (last.seq > log.end.seq) return { type: 'older', remembered: last.seq, found: log.end.seq };
  // A compacted log still has the end of what it replaced, and those of its runs.
  const compacted = [log.base, ...log.runs.flatMap((run) => [...(run.earlier ?? []), run.last])];
  const known = last.seq > log.base.seq ? [{ seq: last.seq, crc: log.crcAt }] : compacted;
  const isKnown = known.some(({ seq, crc }) => seq === last.seq && crc === last.crc);
  return isKnown ? undefined : { type: 'apart', remembered: last.seq };
}
