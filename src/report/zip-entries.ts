import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

export interface ZipEntry {
  readonly name: string;
  /** Pictures and videos are compressed already. */
  readonly isCompressed: boolean;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** What the format holds without its extension for large archives, which not every program can open. */
export const MOST_ZIPPED = { bytes: 4e9, files: 65_000 } as const;

/** An archive in pieces: nothing of it is held but the piece that is made. */
export async function* zipEntries(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  madeAt: string,
): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    made.push(piece);
  });
  const taken = () => {
    const pieces = made;
    made = [];
    return pieces;
  };
  for await (const { name, isCompressed, content } of entries) {
    const entry = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 1 });
    entry.mtime = madeAt;
    zip.add(entry);
    for await (const piece of content) {
      entry.push(piece);
      yield* taken();
    }
    entry.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
