/**
 * A door before a service: all passes, each request over a connection of its own, until one answer has passed. Then
 * nobody gets in any more: connections are refused, or never come about.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBlackHole, type BlackHole } from './black-hole.ts';

export interface Gate {
  /** `http://127.0.0.1:<port>` and the path of the service's URL. */
  readonly url: string;
  shut(how: 'refuse' | 'hang'): Promise<void>;
  /** Shuts before the answer to this request (`POST /get_auth_token`, any path that starts so) is passed on. */
  shutAfter(request: string, how: 'refuse' | 'hang'): void;
  /** Lets everybody in again. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one on 127.0.0.1 before the service at a base URL. */
export async function startGate(serviceUrl: string): Promise<Gate> {
  const { pathname, host: behind } = new URL(serviceUrl);
  let shutting: { request: string; how: 'refuse' | 'hang' } | undefined;
  let hole: BlackHole | undefined;
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;

  const host = `127.0.0.1:${port}`;

  async function listen(on: number): Promise<http.Server> {
    const made = http.createServer((request, response) => void pass(request, response));
    made.listen(on, '127.0.0.1');
    await once(made, 'listening');
    return made;
  }

  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const headers = { ...request.headers, host: behind };
    const onward = http.request(new URL(url, serviceUrl), { method, headers, agent: false });
    request.pipe(onward);
    const [answer] = (await once(onward, 'response')) as [http.IncomingMessage];
    const bytes = Buffer.concat(await answer.toArray());
    const isJson = /json/.test(answer.headers['content-type'] ?? '');
    // Links lead through the door too; the length is told anew.
    const body = isJson ? bytes.toString().replaceAll(behind, host) : bytes;
    const isLast = shutting && `${method} ${url}`.startsWith(shutting.request.replace(' ', ` ${pathname}`));
    if (isLast && shutting) await shut(shutting.how);
    const { 'content-length': _, ...kept } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, { ...kept, connection: 'close' }).end(body);
  }

  async function shut(how: 'refuse' | 'hang'): Promise<void> {
    shutting = undefined;
    // What is open stays open for the answer; new connections find nobody from this moment on.
    server.close();
    if (how === 'hang') hole = await startBlackHole(port);
  }

  return {
    url: `http://${host}${pathname}`,
    shut,
    shutAfter(request, how) {
      shutting = { request, how };
    },
    async open() {
      await hole?.close();
      hole = undefined;
      if (!server.listening) server = await listen(port);
    },
    async close() {
      await hole?.close();
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
