/** JSON messages on a pair of streams, each after a `Content-Length: <bytes>` header and an empty line. */
import type { Readable, Writable } from 'node:stream';

const HEADER_END = '\r\n\r\n';

export interface Frames {
  send(message: unknown): void;
  /** Calls back with every message that arrives, in order. */
  receive(listener: (message: unknown) => void): void;
  /** Says that nothing will arrive any more. */
  fail(error: Error): void;
  onFailure(listener: (error: Error) => void): void;
}

/** Reads messages from one stream and writes them to another. */
export function createFrames(input: Readable, output: Writable): Frames {
  const listeners = new Set<(message: unknown) => void>();
  const failures = new Set<(error: Error) => void>();
  let rest = Buffer.alloc(0);
  input.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let body = takeBody(); body !== undefined; body = takeBody()) {
      const message: unknown = JSON.parse(body);
      for (const listener of listeners) listener(message);
    }
  });

  function takeBody(): string | undefined {
    const header = rest.indexOf(HEADER_END);
    if (header === -1) return undefined;
    const [, length] = /Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, header)) ?? [];
    if (length === undefined) throw new Error('a message without Content-Length');
    const start = header + HEADER_END.length;
    const end = start + Number(length);
    if (rest.length < end) return undefined;
    const body = rest.toString('utf8', start, end);
    rest = rest.subarray(end);
    return body;
  }

  return {
    send: (message) => {
      const body = JSON.stringify(message);
      output.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`);
    },
    receive: (listener) => void listeners.add(listener),
    fail: (error) => {
      for (const listener of failures) listener(error);
    },
    onFailure: (listener) => void failures.add(listener),
  };
}
