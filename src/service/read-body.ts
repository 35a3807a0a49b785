import { errorCode } from './error-code.ts';
import type { OpenAnswer } from './exchange.ts';

/** Decompressed. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A body as text; `fault` says why a part is missing. */
export interface BodyReading {
  text: string;
  /** Decompressed bytes that came. */
  bytes: number;
  fault?: { code: string | undefined; detail: string };
}

/** A bomb must not fill the memory. */
export async function readBody({
  stream,
  ending,
}: Pick<OpenAnswer, 'stream' | 'ending'>): Promise<BodyReading> {
  let body: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let isTooLarge = false;
  stream.on('data', (chunk: Buffer) => {
    const total = bytes + chunk.length;
    isTooLarge ||= total > MAX_BODY_BYTES;
    if (isTooLarge) return ending.cut();
    // One buffer instead of a list of chunks: a body that comes byte by byte would take a hundred times its size.
    if (total > body.length) body = enlarged(body, total);
    chunk.copy(body, bytes);
    bytes = total;
  });
  const { whole, error } = await ending.reached;
  // Unlike `toString`, it skips a byte order mark.
  if (whole) return { text: new TextDecoder().decode(body.subarray(0, bytes)), bytes };
  if (isTooLarge)
    return { text: '', bytes, fault: { code: undefined, detail: 'its body is larger than 16 MB' } };
  return { text: '', bytes, fault: { code: errorCode(error), detail: 'its body was cut' } };
}

function enlarged(body: Buffer, atLeast: number): Buffer {
  const larger = Buffer.alloc(Math.max(atLeast, Math.min(body.length * 2, MAX_BODY_BYTES)));
  body.copy(larger);
  return larger;
}
