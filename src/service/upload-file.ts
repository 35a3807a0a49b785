import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { err, ok } from '../util/result.ts';
import type { SendAndRead, CallOptions, Reply } from './endpoints.ts';
import type { RequestTimeouts } from './connections.ts';
import { localFileError } from './download.ts';
import { FILE_CHANGED } from './error-code.ts';
import { readUploadUrl } from './read-upload-url.ts';
import { coded } from './stream-end.ts';

export async function uploadFile(
  ask: SendAndRead,
  file: UploadFile,
  { timeouts, uploadUrl, signal }: CallOptions & { timeouts: RequestTimeouts; uploadUrl: string | undefined },
): Reply<string> {
  const path = '/upload-media/';
  const upload = await openUploadForm(file);
  if (!upload) return err(localFileError(`POST ${path}`, 'ENOENT'));
  const totalMs = timeouts.fileMs + upload.bytes / timeouts.fileBytesPerMs;
  const url = await ask({ method: 'POST', path, form: upload.form, totalMs, signal }, ({ raw }) => {
    if (!upload.isSent()) return err('it came before the whole file was sent');
    const found = readUploadUrl(raw.whole ?? null, uploadUrl);
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

/** Undefined where the file cannot be opened. Its last piece is sent only if the hash of all of it is right. */
async function openUploadForm(file: UploadFile) {
  try {
    const blob = await openAsBlob(file.path, { type: file.contentType });
    const form = new FormData();
    form.set('file', blob, file.filename);
    let isSent = false;
    const part = form.get('file') as File;
    // A second attempt, with a new token, reads the file again.
    const stream = () => {
      isSent = false;
      return ReadableStream.from(checked(blob, file, () => (isSent = true)));
    };
    Object.defineProperty(part, 'stream', { value: stream });
    // Whether the service can have all of it: an answer that comes before that is not about this file.
    return { form, bytes: blob.size, isSent: () => isSent };
  } catch {
    return undefined;
  }
}

async function* checked(
  blob: Blob,
  { path, sha256 }: UploadFile,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  // Opening a pipe would wait for a writer, and the whole process with it.
  const stats = await stat(path).catch(() => undefined);
  if (stats && !stats.isFile()) throw coded(FILE_CHANGED);
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of blob.stream() as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) throw coded(FILE_CHANGED);
  done();
  if (held) yield held;
}
