import type { Request } from 'got';
import { errorCode } from './exchange.ts';

/** Decompressed bytes of a JSON answer. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A body as text; `fault` says why it is not all of it. */
export interface BodyReading {
  text: string;
  /** Decompressed bytes that came. */
  bytes: number;
  fault?: { code: string | undefined; detail: string };
}

/** Reads a whole JSON body; stops at 16 MB after decompression, so that a bomb costs no memory. */
export function readBody(stream: Request): Promise<BodyReading> {
  return new Promise((resolve) => {
    let body: Buffer = Buffer.alloc(0);
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      if (bytes + chunk.length > MAX_BODY_BYTES) {
        const fault = { code: undefined, detail: 'its body is larger than 16 MB' };
        resolve({ text: '', bytes: bytes + chunk.length, fault });
        stream.destroy();
        return;
      }
      // Not a list of chunks: a body that drips byte by byte would cost a hundred times its size.
      if (bytes + chunk.length > body.length) body = enlarged(body, bytes + chunk.length);
      chunk.copy(body, bytes);
      bytes += chunk.length;
    });
    stream.once('end', () => resolve({ text: body.toString('utf8', 0, bytes), bytes }));
    const cut = (error?: unknown) =>
      resolve({ text: '', bytes, fault: { code: errorCode(error), detail: 'its body was cut' } });
    stream.once('error', cut);
    stream.once('close', () => cut());
  });
}

function enlarged(body: Buffer, atLeast: number): Buffer {
  const larger = Buffer.alloc(Math.max(atLeast, Math.min(body.length * 2, MAX_BODY_BYTES)));
  body.copy(larger);
  return larger;
}
