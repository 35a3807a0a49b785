/** A front of a service that notes when requests come, and how many are under way at once. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Meter {
  readonly url: string;
  /** When each request came, but for those for a token: milliseconds. */
  readonly times: readonly number[];
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
  let underWay = 0;
  let most = 0;
  const server = http.createServer((request, response) => {
    const { url, method, headers } = request;
    if (!url?.endsWith('/get_auth_token')) times.push(performance.now());
    most = Math.max(most, ++underWay);
    response.once('close', () => void (underWay -= 1));
    const forward = http.request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      setTimeout(() => answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)), ms);
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    times,
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
