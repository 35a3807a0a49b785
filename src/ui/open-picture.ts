import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { MEDIA_TYPE_BYTES, mediaTypeOf } from '../util/media-type.ts';

/** A file that the state or the manifest knows by its content. */
export interface PictureFile {
  readonly file: string;
  readonly sha256: string;
  /** Whether it is where campaign may have it, asked once it is open; absent for photos, which may be anywhere. */
  readonly isOwn?: () => boolean;
}

export interface OpenPicture {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly contentType: string;
}

/** Shows only what is the recorded content, however the file got its name; files are read once for that. */
export function createPictureOpener() {
  const verified = new Map<string, string>();

  /** The error is a short reason. The caller closes the handle. */
  return async function openPicture({ file, sha256, isOwn }: PictureFile): Promise<OpenPicture | string> {
    // The manifest may have a photo by a link.
    const flags = isOwn ? FLAGS | constants.O_NOFOLLOW : FLAGS;
    const handle = await open(file, flags).catch(() => undefined);
    if (!handle) return MISSING;
    const problem = await whyNot(handle).catch(() => MISSING);
    if (problem !== undefined) {
      await handle.close();
      return problem;
    }
    const { size: bytes } = await handle.stat();
    return { handle, bytes, contentType: await typeOf(handle) };

    async function whyNot(opened: FileHandle): Promise<string | undefined> {
      const stats = await opened.stat({ bigint: true });
      if (!stats.isFile()) return 'It is no file.';
      if (isOwn) {
        const real = await realpath(file);
        const here = await stat(real, { bigint: true });
        // Somebody may replace a folder by a link between two calls.
        const isSame = here.ino === stats.ino && here.dev === stats.dev;
        if (!isSame || !isOwn()) return 'It is not in the folder of the campaign.';
      }
      const mark = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
      if (verified.get(sha256) === mark) return undefined;
      if ((await digestOf(opened)) !== sha256) return 'The file is not as it was recorded.';
      verified.set(sha256, mark);
      return undefined;
    }
  };
}

/** A pipe is not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const MISSING = 'The file is not here.';

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const stream = handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>;
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

/** By content alone. What no browser shows, or what could hold a program, is bytes to it. */
async function typeOf(handle: FileHandle): Promise<string> {
  const head = Buffer.alloc(MEDIA_TYPE_BYTES);
  const { bytesRead } = await handle.read(head, 0, MEDIA_TYPE_BYTES, 0);
  return mediaTypeOf(head.subarray(0, bytesRead)) ?? 'application/octet-stream';
}
