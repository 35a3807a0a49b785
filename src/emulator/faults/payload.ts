import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

/** What the server is about to send: the text of an answer, or a file. */
export type Payload = string | Buffer | Readable | null | undefined;

/** Reads a request to its end without using it, as a server does that dies before it acts. */
export async function drain(request: IncomingMessage): Promise<void> {
  request.resume();
  // A client that closes the connection early ends the request as well.
  await finished(request, { writable: false }).catch(() => undefined);
}

/** The whole payload in memory: files of the emulator are small enough. */
export async function collect(payload: Payload): Promise<Buffer> {
  if (payload === null || payload === undefined) return Buffer.alloc(0);
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.from(payload) : buffer(payload);
}

/** Destroys a payload that will not be sent. */
export function discard(payload: Payload): void {
  if (typeof payload === 'object' && payload !== null && 'destroy' in payload) payload.destroy();
}
