import { closeSync } from 'node:fs';
import { writeFileAtomic } from './atomic-file.ts';
import { lookAtPlace, openStream, wordsOf, writeToStream } from './own-file.ts';

/** Writes what a person asked for with `--out`, where `lookAtPlace` allows it; says why it could not. */
export async function writeOwnFile(
  file: string,
  text: string | Iterable<string>,
  kind: Parameters<typeof lookAtPlace>[1],
): Promise<string | undefined> {
  const place = lookAtPlace(file, kind);
  if (!place.ok) return place.error;
  try {
    if (place.value === 'file') await writeFileAtomic(file, text);
    else writeStream(file, text);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

function writeStream(file: string, text: string | Iterable<string>): void {
  const fd = openStream(file);
  try {
    for (const piece of typeof text === 'string' ? [text] : text) writeToStream(fd, piece);
  } finally {
    closeSync(fd);
  }
}
