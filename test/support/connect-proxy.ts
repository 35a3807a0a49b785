import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that leads every tunnel to one local port. */
export interface ConnectProxy {
  readonly port: number;
  /** Host and port that each CONNECT asked for, and the credentials that came along. */
  readonly asked: readonly { target: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

/** What becomes of a CONNECT: a tunnel to this port, this status instead, no answer, or the end of the connection. */
export type TunnelEnd = { readonly port: number } | { readonly status: number } | 'silent' | 'cut';

/** Starts one on a free port. */
export async function startConnectProxy(end: TunnelEnd): Promise<ConnectProxy> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.on('connect', (request: http.IncomingMessage, client: Socket) => {
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (end === 'silent') return;
    if (end === 'cut') client.destroy();
    else if ('status' in end) client.end(`HTTP/1.1 ${end.status} No\r\ncontent-length: 2\r\n\r\nno`);
    else {
      const inner = net.connect(end.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(inner).pipe(client);
      });
      inner.on('error', () => client.destroy());
      client.on('close', () => inner.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
