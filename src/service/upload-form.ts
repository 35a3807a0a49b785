import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FILE_CHANGED } from './error-code.ts';

export interface UploadFile {
  path: string;
  /** The name that the service gets. */
  filename: string;
  contentType: string;
  /** Of the planned content, 64 hex digits: other content is never sent completely. */
  sha256: string;
}

export interface UploadForm {
  readonly form: FormData;
  /** Of the file. */
  readonly bytes: number;
  /** Whether the service can have all of it: an answer that comes before that is not about this file. */
  readonly isSent: () => boolean;
}

/**
 * The multipart form of an upload, with one part `file`; undefined where the file cannot be opened. The file is hashed
 * while it is streamed. Its last piece is sent only if the hash is right, so that a photo that was replaced in between
 * never arrives whole.
 */
export async function openUploadForm(file: UploadFile): Promise<UploadForm | undefined> {
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
  if (stats && !stats.isFile()) throw fileChanged();
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of blob.stream() as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== sha256) throw fileChanged();
  done();
  if (held) yield held;
}

function fileChanged(): Error {
  return Object.assign(new Error('the file is another one'), { code: FILE_CHANGED });
}
