import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { checkPlace, openNewFile } from './new-file.ts';

/** What a file consists of, one after the other. */
export type Pieces = Iterable<string> | AsyncIterable<Uint8Array>;

/** Readers, and a crash, see the old content or the new one. Only a plain file is replaced; each path has one writer. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | Pieces,
  options: { mode: number } = { mode: 0o644 },
): Promise<void> {
  const pieces = typeof content === 'string' || ArrayBuffer.isView(content) ? [content] : content;
  const temporary = `${file}.${process.pid}.tmp`;
  await checkPlace(file);
  const handle = await openNewFile(temporary, options.mode);
  try {
    try {
      for await (const piece of pieces) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** Makes names that were created, renamed or removed in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and those above it; the new names survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await fs.mkdir(folder, { recursive: true });
  if (made === undefined) return;
  for (let at = folder; at.length >= made.length; at = path.dirname(at)) await syncFolder(path.dirname(at));
}
