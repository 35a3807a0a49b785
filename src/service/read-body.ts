import type { Request } from 'got';
import { errorCode } from './exchange.ts';

/** Decompressed bytes of a JSON answer. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A body as text; `fault` says why it is not all of it. */
export interface BodyReading {
  text: string;
  fault?: { code: string | undefined; detail: string };
}

/** Reads a whole JSON body; stops at 16 MB after decompression, so that a bomb costs no memory. */
export function readBody(stream: Request): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      resolve({ text: '', fault: { code: undefined, detail: 'its body is larger than 16 MB' } });
      stream.destroy();
    });
    stream.once('end', () => resolve({ text: Buffer.concat(chunks).toString('utf8') }));
    const cut = (error?: unknown) =>
      resolve({ text: '', fault: { code: errorCode(error), detail: 'its body was cut' } });
    stream.once('error', cut);
    stream.once('close', () => cut());
  });
}
