/** A front of a service that notes when requests come, and how many are under way at once. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Meter {
  readonly url: string;
  /** When each request came: milliseconds. */
  readonly times: readonly number[];
  /** What each of them asked for: method and path. */
  readonly paths: readonly string[];
  /** How many are under way. */
  readonly underWay: number;
  /** The most that were under way at once. */
  readonly most: number;
  close(): Promise<void>;
}

/** Each answer comes so many milliseconds later. */
export async function startMeter(service: { readonly url: string }, ms: number): Promise<Meter> {
  const { port, pathname } = new URL(service.url);
  const times: number[] = [];
  const paths: string[] = [];
  let underWay = 0;
  let most = 0;
  const own = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function pass(answer: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await buffer(answer);
    const { 'transfer-encoding': _, ...head } = answer.headers;
    const isJson = head['content-type']?.includes('json') === true;
    // Files are fetched here, too.
    const told = isJson ? Buffer.from(String(body).replaceAll(`127.0.0.1:${port}`, own())) : body;
    const length = { 'content-length': told.length };
    setTimeout(() => response.writeHead(answer.statusCode ?? 500, { ...head, ...length }).end(told), ms);
  }

  const server = http.createServer((request, response) => {
    const { url, method, headers } = request;
    times.push(performance.now());
    paths.push(`${method} ${url?.slice(pathname.length)}`);
    most = Math.max(most, ++underWay);
    response.once('close', () => void (underWay -= 1));
    const forward = http.request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      void pass(answer, response);
    });
    // Who has asked may be killed in the middle of it.
    forward.on('error', () => response.destroy());
    request.on('error', () => forward.destroy());
    request.pipe(forward);
  });
  // A connection that it closes just as a create leaves would be a create without an answer.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://${own()}${pathname}`,
    times,
    paths,
    get underWay() {
      return underWay;
    },
    get most() {
      return most;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The most that came within so many milliseconds. */
export function mostWithin(times: readonly number[], ms: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
}
