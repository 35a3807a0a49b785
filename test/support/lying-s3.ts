/** A server in front of a real S3 server that answers some requests in its place. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Lie {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection after the body, whatever the head announced. */
  readonly isCut?: true;
}

export interface Seen {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** How many requests of this method came before. */
  readonly before: number;
}

/** `lie` gives the answer; undefined lets the request through. */
export async function startLyingS3(port: number, lie: (seen: Seen) => Lie | undefined) {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const before = seen.filter((each) => each.method === method).length;
    const one = { method, path: url, headers, before };
    seen.push(one);
    const answer = lie(one);
    if (answer === undefined) {
      const onward = http.request({ host: '127.0.0.1', port, method, path: url, headers }, (came) => {
        response.writeHead(came.statusCode ?? 500, came.headers);
        came.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
      return;
    }
    request.resume();
    request.once('end', () => {
      response.writeHead(answer.status, answer.headers);
      if (answer.isCut) response.write(answer.body ?? '', () => response.destroy());
      else response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    seen,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function s3Error(code: string, message = 'no', more = ''): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;
}
