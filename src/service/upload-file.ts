import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { err, ok } from '../util/result.ts';
import type { SendAndRead, CallOptions, Reply } from './endpoints.ts';
import type { RequestTimeouts } from './connections.ts';
import { localFileError } from './download.ts';
import { FILE_CHANGED } from './error-code.ts';
import { fileForm } from './file-form.ts';
import { readUploadUrl } from './read-upload-url.ts';
import { coded } from './stream-end.ts';

export async function uploadFile(
  ask: SendAndRead,
  file: UploadFile,
  { timeouts, uploadUrl, signal }: CallOptions & { timeouts: RequestTimeouts; uploadUrl: string | undefined },
): Reply<string> {
  const path = '/upload-media/';
  const upload = await uploadForm(file);
  if (!upload) return err(localFileError(`POST ${path}`, 'ENOENT'));
  const sendingMs = timeouts.uploadMs + upload.bytes / timeouts.fileBytesPerMs;
  const totalMs = Math.max(timeouts.totalMs, sendingMs);
  const url = await ask({ method: 'POST', path, form: upload.form, totalMs, signal }, ({ raw, askedAt }) => {
    if (!upload.isSent()) return err('it came before the whole file was sent');
    const found = readUploadUrl(raw.whole ?? null, { pointer: uploadUrl, askedAt });
    return found === undefined ? err('it holds no URL, or several') : ok(found);
  });
  const changed = !url.ok && url.error.code === FILE_CHANGED;
  return changed ? err(localFileError(`POST ${path}`, FILE_CHANGED)) : url;
}

export interface UploadFile {
  path: string;
  /** The name that the service gets. */
  filename: string;
  contentType: string;
  /** Of the planned content, 64 hex digits: other content is never sent completely. */
  sha256: string;
}

/** Undefined where there is no file. Its last piece is sent only if the hash of all of it is right. */
async function uploadForm(file: UploadFile) {
  const stats = await stat(file.path).catch(() => undefined);
  if (!stats) return undefined;
  let isSent = false;
  const read = () => {
    isSent = false;
    return checkedPieces(file, { bytes: stats.size, done: () => (isSent = true) });
  };
  const form = fileForm({ ...file, bytes: stats.size, read });
  // Whether the service can have all of it: an answer that comes before that is not about this file.
  return { form, bytes: stats.size, isSent: () => isSent };
}

/** Pieces of 64 kB take a fourteenth more of the processor's time. */
const PIECE_BYTES = 256 * 1024;

/**
 * What a file has, if it is what was meant: else it throws before the last piece.
 * Two buffers take turns, so a piece is valid until the next one is asked for. With a new buffer for each piece, a
 * quarter of the processor's time went to collecting them.
 */
export async function* checkedPieces(
  { path, sha256 }: Pick<UploadFile, 'path' | 'sha256'>,
  { bytes, done }: { bytes: number; done?: () => void },
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(path);
  try {
    const hash = createHash('sha256');
    // One byte more than it had shows that it has grown.
    const most = bytes + 1;
    const size = Math.min(PIECE_BYTES, most);
    let [next, other] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
    let held: Uint8Array | undefined;
    for (let at = 0; at < most; ) {
      const { bytesRead } = await handle.read(next, 0, Math.min(size, most - at), at);
      if (bytesRead === 0) break;
      const piece = next.subarray(0, bytesRead);
      hash.update(piece);
      if (held) yield held;
      held = piece;
      at += bytesRead;
      [next, other] = [other, next];
    }
    if (hash.digest('hex') !== sha256) throw coded(FILE_CHANGED);
    done?.();
    if (held) yield held;
  } finally {
    await handle.close();
  }
}

/** Opening a pipe that took its place does not wait for a writer. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if ((await handle?.stat())?.isFile()) return handle as FileHandle;
  await handle?.close();
  throw coded(FILE_CHANGED);
}
