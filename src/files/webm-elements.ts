import type { MediaBytes } from './media-bytes.ts';

const SEGMENT = 0x18_53_80_67;
const CLUSTER = 0x1f_43_b6_75;
const TRACKS = 0x16_54_ae_6b;

/** No real film has more. */
const MOST_ELEMENTS = 1_000_000;

/**
 * What is wrong with a WebM file; undefined where its elements end with the file and it has tracks and frames. Only the
 * segment and elements of unknown size are descended into: the content of an element of unknown size follows it as if
 * it were its neighbour.
 */
export async function webmProblem(media: MediaBytes, size: number): Promise<string | undefined> {
  const found = new Set<number>();
  let at = 0;
  for (let count = 0; at < size; count += 1) {
    const { buffer, bytesRead } = await media.read(Buffer.alloc(12), 0, 12, at);
    const id = readNumber(buffer, { at: 0, marker: 'kept' });
    const length = id && readNumber(buffer, { at: id.bytes, marker: 'dropped' });
    if (!id || !length || id.bytes + length.bytes > 12 || count >= MOST_ELEMENTS)
      return 'its elements make no sense';
    const head = id.bytes + length.bytes;
    if (bytesRead < head) return CUT;
    found.add(id.value);
    const isOpen = length.value === 2 ** (7 * length.bytes) - 1;
    if (!isOpen && at + head + length.value > size) return CUT;
    at += head + (isOpen || id.value === SEGMENT ? 0 : length.value);
  }
  return found.has(TRACKS) && found.has(CLUSTER) ? undefined : 'it has no track or no frames';
}

const CUT = 'it ends before its last element does';

/** A number of EBML: the number of zero bits at its beginning says how many bytes it has. */
function readNumber(
  buffer: Buffer,
  { at, marker }: { at: number; marker: 'kept' | 'dropped' },
): { value: number; bytes: number } | undefined {
  const first = buffer[at] ?? 0;
  const bytes = Math.clz32(first) - 23;
  if (bytes > 8 || at + bytes > buffer.length) return undefined;
  let value = marker === 'kept' ? first : first & (0xff >> bytes);
  for (let next = 1; next < bytes; next += 1) value = value * 256 + (buffer[at + next] ?? 0);
  return { value, bytes };
}
