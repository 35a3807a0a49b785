import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { extensionOf, imageTypeOf, MEDIA_TYPE_BYTES } from '../../util/media-type.ts';
import { asMalformed } from '../requests/malformed.ts';
import { err, ok, type Result } from '../../util/result.ts';

/** Uploads being received have this ending; they are removed at the next start. */
export const PARTIAL_ENDING = '.part';

const MAX_BYTES = 50 * 1024 * 1024;

interface ReceivedFile {
  filename: string;
  file: string;
  sha256: string;
  bytes: number;
}

/**
 * Streams the file part of a request into the folder, under the id and with the extension of its content; it is never
 * held in memory.
 */
export async function receiveFile(
  request: FastifyRequest,
  target: { dir: string; id: string },
): Promise<Result<ReceivedFile, string>> {
  if (!request.isMultipart())
    return err('file: the body must be multipart/form-data with a file part "file"');
  const partial = join(target.dir, `${target.id}${PARTIAL_ENDING}`);
  try {
    const received = await receiveParts(request, { ...target, partial });
    if (received.ok) await rename(partial, join(target.dir, received.value.file));
    return received;
  } catch (error) {
    throw asMalformed(error);
  } finally {
    await rm(partial, { force: true });
  }
}

async function receiveParts(
  request: FastifyRequest,
  target: { id: string; partial: string },
): Promise<Result<ReceivedFile, string>> {
  let received: Result<ReceivedFile, string> = err('file: this field is required');
  let parts = 0;
  for await (const part of request.parts({ limits: { fileSize: MAX_BYTES } })) {
    if (part.type !== 'file') continue;
    if (part.fieldname !== 'file') {
      part.file.resume();
      continue;
    }
    parts += 1;
    if (parts > 1) {
      part.file.resume();
      continue;
    }
    const seen = inspectBytes();
    await pipeline(part.file, seen.pass, createWriteStream(target.partial, { mode: 0o600 }));
    const type = imageTypeOf(seen.head());
    if (part.file.truncated) received = err(`file: larger than ${MAX_BYTES} bytes`);
    else if (type === undefined)
      received = err('file: not an image (JPEG, PNG, WebP, GIF, AVIF, HEIC or TIFF)');
    else
      received = ok({ filename: part.filename, file: `${target.id}${extensionOf(type)}`, ...seen.result() });
  }
  return parts > 1 ? err('file: one file per request') : received;
}

/** A stream that passes everything on and computes the hash, the length and the first bytes. */
function inspectBytes(): {
  pass: Transform;
  head: () => Buffer;
  result: () => { sha256: string; bytes: number };
} {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  const pass = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (head.length < MEDIA_TYPE_BYTES)
        head = Buffer.concat([head, chunk.subarray(0, MEDIA_TYPE_BYTES)]).subarray(0, MEDIA_TYPE_BYTES);
      done(null, chunk);
    },
  });
  return { pass, head: () => head, result: () => ({ sha256: hash.digest('hex'), bytes }) };
}
