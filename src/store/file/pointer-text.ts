/**
 * A pointer: one header with `moved_to` in the place of a log, which names the newest head of it that was seen here. Where two
 * clones have seen different heads, git leaves both in the file, between its marks: the later one counts.
 */
import { conflictIn, decodeHeader, type LogHeader } from './header.ts';
import { isLater, type KnownHead } from '../known-head.ts';

type PointerHeader = LogHeader & Required<Pick<LogHeader, 'movedTo'>>;

export type PointerText =
  | {
      readonly type: 'pointer';
      readonly head: KnownHead;
      readonly header: PointerHeader;
      /** Git has left a conflict, which is to be written anew. */
      readonly isConflicted: boolean;
    }
  /** Git has left a conflict of other things. */
  | { readonly type: 'conflict'; readonly why: string };

/** Undefined where the text is neither. */
export function pointerIn(text: string): PointerText | undefined {
  const lines = text.split(/\r?\n/);
  const conflicts = lines.map(conflictIn);
  const conflict = conflicts.find((why) => why !== undefined);
  const written = lines.filter((line) => line !== '' && conflictIn(line) === undefined);
  const found = (conflict === undefined ? lines.slice(0, 1) : written).map(headOf);
  const [first] = found;
  const isOne = found.every((one) => one !== undefined && one.head.lineage === first?.head.lineage);
  if (!first || !isOne) {
    const [why] = conflicts;
    return why === undefined ? undefined : { type: 'conflict', why };
  }
  const pointers = found.filter((one) => one !== undefined);
  const latest = pointers.reduce((a, b) => (isLater(b.head, a.head) ? b : a));
  return { type: 'pointer', ...latest, isConflicted: conflict !== undefined };
}

function headOf(line: string): { readonly head: KnownHead; readonly header: PointerHeader } | undefined {
  const reading = decodeHeader(Buffer.from(line));
  if (reading.type !== 'header') return undefined;
  const { header, crc } = reading;
  const { lineage, seq, last = crc, boundAt = '', movedTo } = header;
  if (movedTo === undefined) return undefined;
  return { head: { lineage, last: { seq, crc: last }, boundAt }, header: { ...header, movedTo } };
}
