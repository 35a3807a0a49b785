import { createHash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** What a page says of a file that it cannot show. */
export const NOT_SHOWN = {
  missing: 'The file is not here.',
  outside: 'The file is not in the folder of the campaign.',
  link: 'A link stands in the place of the file; it was not followed.',
  other: 'What stands in the place of the file is no file.',
  unreadable: 'The file cannot be read.',
  differs: 'The file is not what was recorded.',
  undecodable: 'The picture cannot be decoded.',
  stored: 'The file is in the storage, not here.',
  notStored: 'The file is neither here nor in the storage.',
  storedDiffers: 'The file is not here, and what the storage has is not what was recorded.',
  noStorage: 'The file is not here, and the storage cannot be asked.',
} as const;

export type NotShown = (typeof NOT_SHOWN)[keyof typeof NOT_SHOWN];

/** Larger files get no thumbnail: they would be held in memory. */
const MOST_BYTES = 256 * 1024 ** 2;

/** Why a path leads to no plain file; a link is not followed. Undefined where there is one. */
export function whyNoFile(path: string): NotShown | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return NOT_SHOWN.missing;
    if (stats.isSymbolicLink()) return NOT_SHOWN.link;
    return stats.isFile() ? undefined : NOT_SHOWN.other;
  } catch (error) {
    // A file stands where a folder was.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? NOT_SHOWN.missing : NOT_SHOWN.unreadable;
  }
}

/** The content of a file, if it is the one that is meant; a pipe is not waited for. */
export async function readPicture(path: string, sha256?: string): Promise<Buffer | NotShown> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return NOT_SHOWN.unreadable;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return NOT_SHOWN.other;
    if (stats.size > MOST_BYTES) return NOT_SHOWN.undecodable;
    const content = await handle.readFile();
    return sha256 === undefined || sha256Of(content) === sha256 ? content : NOT_SHOWN.differs;
  } catch {
    return NOT_SHOWN.unreadable;
  } finally {
    await handle.close();
  }
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
