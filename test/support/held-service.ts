import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { watchTraffic } from './openapi-watch.ts';

/** A request that waits for the test to answer it. */
export interface HeldCall {
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Port of the client's end: equal for requests over one connection. */
  readonly clientPort: number | undefined;
  respond(status: number, json: unknown, headers?: http.OutgoingHttpHeaders): void;
  /** Any bytes as the body; the Content-Length is right unless `headers` say otherwise or ask for chunks. */
  respondRaw(status: number, body: string | Uint8Array, headers?: http.OutgoingHttpHeaders): void;
  /** Ends the connection once everything is out. */
  end(): void;
  /** Ends the connection with RST, without an answer. */
  reset(): void;
  /** Sends the head and half of the body, then ends the connection. `none`: no length is declared. */
  cut(status: number, json: unknown, length?: 'declared' | 'chunked' | 'none'): void;
}

/** A service whose requests the test answers by hand. */
export interface HeldService {
  readonly url: string;
  /** `POST /products/` of every request so far, in order, the token route included. */
  readonly seen: readonly string[];
  /** Resolves with the next request of this method and path, waiting for it where it has not come. */
  next(request: string): Promise<HeldCall>;
  close(): Promise<void>;
}

const TOKEN_ROUTE = 'POST /get_auth_token';

/** What a test says is sent back to it as it is: ids that are easy to read, files at any address. */
const GIVEN_BY_THE_TEST = [/ must match format "uuid"$/, /^GET \S+ is not in the document$/];

/** Starts one on a free port; the token route is answered with `token` (or its results in turn) unless held. */
export async function startHeldService(
  options: { token?: () => Record<string, unknown>; holdTokenRoute?: true } = {},
): Promise<HeldService> {
  const token =
    options.token ?? (() => ({ access_token: 'token-1', token_type: 'Bearer', expires_at: 3600 }));
  const seen: string[] = [];
  const arrived = new Map<string, HeldCall[]>();
  const waiting = new Map<string, ((call: HeldCall) => void)[]>();
  const watch = watchTraffic(GIVEN_BY_THE_TEST);

  async function receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const name = `${request.method ?? ''} ${request.url ?? ''}`;
    seen.push(name);
    const requestBody = await readBytes(request);
    const call = hold(request, response, requestBody.toString('utf8'));
    // A request that broke off says nothing about the client's forms.
    const { method = '', url: path = '', headers: requestHeaders } = request;
    if (request.complete) watch.request({ method, path, requestHeaders, requestBody });
    if (name === TOKEN_ROUTE && !options.holdTokenRoute) {
      call.respond(200, { status: 'success', message: 'ok', data: token() });
      return;
    }
    const waiter = waiting.get(name)?.shift();
    if (waiter) waiter(call);
    else arrived.set(name, [...(arrived.get(name) ?? []), call]);
  }

  const server = http.createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    next(name) {
      const call = arrived.get(name)?.shift();
      if (call) return Promise.resolve(call);
      return new Promise((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await watch.settle();
    },
  };
}

function hold(request: http.IncomingMessage, response: http.ServerResponse, body: string): HeldCall {
  const socket: Socket = request.socket;
  const respondRaw: HeldCall['respondRaw'] = (status, content, headers = {}) => {
    const bytes = Buffer.from(content);
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': bytes.length };
    response.writeHead(status, { ...length, ...headers }).end(bytes);
  };
  return {
    body,
    headers: request.headers,
    clientPort: socket.remotePort,
    respondRaw,
    respond(status, json, headers = {}) {
      respondRaw(status, JSON.stringify(json), { 'content-type': 'application/json', ...headers });
    },
    end() {
      socket.end();
    },
    reset() {
      socket.resetAndDestroy();
    },
    cut(status, json, length = 'declared') {
      const bytes = Buffer.from(JSON.stringify(json));
      const half = bytes.subarray(0, Math.floor(bytes.length / 2));
      const head = {
        declared: `content-length: ${bytes.length}`,
        chunked: 'transfer-encoding: chunked',
        none: 'connection: close',
      }[length];
      const chunk =
        length === 'chunked' ? `${half.length.toString(16)}\r\n${half.toString()}\r\n` : half.toString();
      socket.end(`HTTP/1.1 ${status} Cut\r\ncontent-type: application/json\r\n${head}\r\n\r\n${chunk}`);
    },
  };
}

async function readBytes(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // The client went away in the middle: what came is what the test sees.
  }
  return Buffer.concat(chunks);
}
