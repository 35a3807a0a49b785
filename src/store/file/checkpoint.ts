/**
 * What the lock file remembers of the state that it guards: `<lineage> <seq> <crc> <check>`, its lineage and the last
 * record that this machine knows, with a CRC-32 over them: it is written over the older one, and a write may be cut
 * short. It outlives the state, so a state that vanished is noticed, and one that was put back to an older copy, or
 * replaced by one that went its own way, before anything is paid for a second time.
 */
import { crc32 } from 'node:zlib';
import type { RunSummary } from '../../model/run-summary.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import { spellCrc } from './seal.ts';

export interface Checkpoint {
  /** Only its beginning may be left where the content was cut off. */
  readonly lineage: string;
  /** Absent where the content was cut off while it was written. */
  readonly last?: RecordPlace;
}

export function encodeCheckpoint(lineage: string, { seq, crc }: RecordPlace): string {
  const text = `${lineage} ${seq} ${spellCrc(crc)}`;
  return `${text} ${spellCrc(crc32(text))}\n`;
}

/** Any content counts: a lineage that was cut off still says that there was a state. */
export function decodeCheckpoint(content: string): Checkpoint | undefined {
  // Zeros are what a loss of power leaves of bytes that were not written yet.
  const [lineage = '', seq = '', crc = ''] = content.replaceAll('\0', '').trim().split(' ');
  if (lineage === '') return undefined;
  const last = { seq: Number(seq), crc: Number.parseInt(crc, 16) };
  // What an older, longer content left behind the line says nothing.
  return content.startsWith(encodeCheckpoint(lineage, last)) ? { lineage, last } : { lineage };
}

/** How a log differs from the one that is remembered. */
export type Divergence =
  | { readonly type: 'other-lineage'; readonly remembered: string; readonly found: string }
  | { readonly type: 'older'; readonly remembered: number; readonly found: number }
  | { readonly type: 'apart'; readonly remembered: number };

/** What of a log shows whether it goes on from a record: where it begins and ends, one of its records, its runs. */
export interface LogTrace {
  readonly lineage: string;
  /** The last record before a compacted log. */
  readonly base: { readonly seq: number; readonly crc: number | undefined };
  readonly end: RecordPlace;
  /** Checksum of the record that has the remembered number, where the log still has it. */
  readonly crcAt: number | undefined;
  readonly runs: readonly RunSummary[];
}

/** Why a log is not the one that is remembered, or does not go on from it; undefined where all is well. */
export function divergenceOf({ lineage, last }: Checkpoint, log: LogTrace): Divergence | undefined {
  const isSame = last ? log.lineage === lineage : log.lineage.startsWith(lineage);
  if (!isSame) return { type: 'other-lineage', remembered: lineage, found: log.lineage };
  // A log that holds nothing but its header is remembered as record 0.
  if (!last || last.seq === 0) return undefined;
  if (last.seq > log.end.seq) return { type: 'older', remembered: last.seq, found: log.end.seq };
  const known = last.seq > log.base.seq ? [{ seq: last.seq, crc: log.crcAt }] : compactedEnds(log);
  const isKnown = known.some(({ seq, crc }) => seq === last.seq && crc === last.crc);
  return isKnown ? undefined : { type: 'apart', remembered: last.seq };
}

/** Of what is gone from a compacted log, it still says where it ended, and where each run did. */
function compactedEnds({ base, runs }: LogTrace) {
  return [base, ...runs.flatMap(({ earlier = [], last }) => [...earlier, last])];
}
