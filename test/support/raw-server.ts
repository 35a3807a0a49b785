import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A server that says what it is told, byte by byte, and ends the connection. */
export interface RawServer {
  readonly url: string;
  /** The head of every request so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** What a request gets: bytes and the end of the connection, or whatever is done with its socket, which stays open. */
export type RawAnswer = Uint8Array | ((socket: net.Socket) => void);

/** Starts one on a free port; `answer` says what the head of a request gets. */
export async function startRawServer(answer: (head: string) => RawAnswer): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that had enough may reset the connection.
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      requests.push(head);
      const given = answer(head);
      if (typeof given === 'function') given(socket);
      else socket.end(given);
      head = '';
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** How an answer says where its body ends. */
export type BodyLength = 'declared' | 'chunked' | 'none';

/** A 200 with the first `sent` bytes of a body; all of it, properly ended, unless told. */
export function fileAnswer(body: Uint8Array, length: BodyLength, sent = body.length): Buffer {
  const head = {
    declared: `content-length: ${body.length}\r\nconnection: close`,
    chunked: 'transfer-encoding: chunked\r\nconnection: close',
    none: 'connection: close',
  }[length];
  const part = Buffer.from(body.subarray(0, sent));
  const end = sent === body.length ? '\r\n0\r\n\r\n' : '';
  const framed =
    length === 'chunked' && sent > 0
      ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), part, Buffer.from(end)])
      : part;
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), framed]);
}
