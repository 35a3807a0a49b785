/** Comments on pull requests as GitHub has them, and notes on merge requests as GitLab has them. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
  readonly author: { readonly id: string };
}

export interface CodeHost {
  readonly url: string;
  readonly comments: Comment[];
  /** Each request that changed something: `POST /repos/…`. */
  readonly writes: string[];
}

/** `me`: whose token it is, where the host says that; `mayWrite`: whether it may write. */
export async function startCodeHost({
  me,
  mayWrite = true,
}: {
  me?: string;
  mayWrite?: boolean;
} = {}): Promise<CodeHost> {
  const comments: Comment[] = [];
  const writes: string[] = [];
  const author = me ?? 'github-actions[bot]';
  const answer = (method: string, url: URL, body: string): [status: number, json: unknown] => {
    if (url.pathname === '/user') return me === undefined ? [403, {}] : [200, { login: me, id: me }];
    if (method === 'GET') {
      const page = Number(url.searchParams.get('page'));
      return [200, comments.slice((page - 1) * 100, page * 100)];
    }
    writes.push(`${method} ${url.pathname}`);
    if (!mayWrite) return [403, {}];
    const text = (JSON.parse(body) as { body: string }).body;
    const found = comments.find(({ id }) => url.pathname.endsWith(`/${id}`));
    if (found) found.body = text;
    else
      comments.push({
        id: 1_000 + comments.length,
        body: text,
        user: { login: author },
        author: { id: author },
      });
    return [found ? 200 : 201, {}];
  };
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const isKnown = /^(?:Bearer )?a-token$/.test(
        String(request.headers.authorization ?? request.headers['private-token']),
      );
      const url = new URL(request.url ?? '', 'http://host');
      const [status, json] = isKnown ? answer(request.method ?? '', url, body) : [401, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, comments, writes };
}
