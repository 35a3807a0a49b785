import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createInflateRaw, createUnzip } from 'node:zlib';

/** What `decompressed` undoes, as a request says it. */
export const ENCODINGS = 'gzip, deflate, br';

/** The body of an answer without its compression. */
export function decompressed(answer: IncomingMessage): Readable {
  const encoding = answer.headers['content-encoding']?.toLowerCase();
  if (encoding === undefined || !ENCODINGS.split(', ').includes(encoding)) return answer;
  const body = new PassThrough();
  const failed = (error?: Error | null) => void (error && body.destroy(error));
  answer.once('error', failed);
  answer.once('readable', () => {
    const first = answer.read() as Buffer | null;
    // Nothing came, which decoders take for a cut.
    if (first === null) return void body.end();
    answer.unshift(first);
    return void pipeline(answer, decoderFor(encoding, first), body, failed);
  });
  return body;
}

function decoderFor(encoding: string, [first = 0]: Buffer) {
  if (encoding === 'br') return createBrotliDecompress();
  // Some servers leave out the head of `deflate`.
  return encoding === 'deflate' && (first & 0x08) === 0 ? createInflateRaw() : createUnzip();
}
