import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { testCertificate } from './tls-front.ts';

/** An HTTP proxy that leads every tunnel to one local port. */
export interface ConnectProxy {
  readonly port: number;
  /** Host and port that each CONNECT asked for, and the credentials that came along. */
  readonly asked: readonly { target: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

/** What becomes of a CONNECT: a tunnel to this port, this status instead, no answer, or the end of the connection. */
export type TunnelEnd =
  | { readonly port: number }
  | { readonly status: number; readonly page?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'silent'
  | 'cut';

/** The connection stays open, as many proxies leave it. */
function refusalOf({ status, page = 'no', headers = {} }: Extract<TunnelEnd, { status: number }>): string {
  const lines = Object.entries({ ...headers, 'content-length': page.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} No`, ...lines, '', page].join('\r\n');
}

/** Starts one on a free port; `secure`: its clients speak TLS with it. */
export async function startConnectProxy(
  end: TunnelEnd,
  { secure }: { secure?: true } = {},
): Promise<ConnectProxy> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = secure ? https.createServer(testCertificate()) : http.createServer();
  server.on('request', (_, response: http.ServerResponse) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.on('connect', (request: http.IncomingMessage, client: Socket) => {
    client.on('error', () => {});
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (end === 'silent') return;
    if (end === 'cut') client.destroy();
    else if ('status' in end) client.write(refusalOf(end));
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
