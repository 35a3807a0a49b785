import { once } from 'node:events';
import https from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder } from '../manifest/campaign-folder.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { runCli } from '../support/run-cli.ts';
import { noisyPicture } from '../support/media-samples.ts';
import { TEST_AUTHORITY, TEST_HOST, testCertificate } from '../support/tls-front.ts';

const photo = await noisyPicture('jpeg', 40);

/** What a host of images does for each path; other paths lead to nothing. */
const HOST: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/right.jpg': (_, response) => head(response, 200, { 'content-type': 'image/jpeg', 'content-length': 900 }),
  '/signed.jpg': (request, response) => forGet(request, response, 403),
  '/no-head.jpg': (request, response) => forGet(request, response, 405),
  '/untold': (request, response) => {
    if (request.method === 'HEAD') return head(response, 200, { 'content-type': 'application/octet-stream' });
    return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(photo);
  },
  '/moved.jpg': (_, response) => head(response, 301, { location: '/right.jpg' }),
  '/private.jpg': (_, response) => head(response, 302, { location: '/login' }),
  '/login': (_, response) => head(response, 200, { 'content-type': 'text/html; charset=utf-8' }),
  '/large.jpg': (_, response) =>
    head(response, 200, { 'content-type': 'image/jpeg', 'content-length': 2001 }),
  '/large-no-head.jpg': (request, response) => {
    if (request.method === 'HEAD') return head(response, 501, {});
    const range = { 'content-type': 'image/png', 'content-range': 'bytes 0-63/5000' };
    return response.writeHead(206, range).end(Buffer.alloc(64));
  },
  '/empty.jpg': (_, response) => head(response, 200, { 'content-type': 'image/jpeg', 'content-length': 0 }),
  '/film.mp4': (_, response) => head(response, 200, { 'content-type': 'video/mp4' }),
  '/words': (request, response) => {
    if (request.method === 'HEAD') return head(response, 200, {});
    return response.writeHead(200).end('words');
  },
  '/plain.jpg': (_, response) => head(response, 302, { location: 'http://cdn.example.com/a.jpg' }),
  '/cut.jpg': (request) => request.socket.destroy(),
  '/round.jpg': (_, response) => head(response, 302, { location: '/round.jpg' }),
};

function head(response: ServerResponse, status: number, headers: Record<string, string | number>) {
  return response.writeHead(status, headers).end();
}

function forGet(request: IncomingMessage, response: ServerResponse, refused: number) {
  if (request.method === 'HEAD') return head(response, refused, {});
  return response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': photo.length }).end(photo);
}

async function startHost() {
  const asked: string[] = [];
  let [now, most] = [0, 0];
  const server = https.createServer(testCertificate(), (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    most = Math.max(most, ++now);
    response.on('close', () => (now -= 1));
    const act =
      HOST[request.url ?? ''] ?? ((_, answer) => head(answer, 404, { 'content-type': 'text/html' }));
    setImmediate(() => act(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, asked, most: () => most };
}

const TRUSTED = { NODE_EXTRA_CA_CERTS: TEST_AUTHORITY };

function manifestOf(images: readonly string[]) {
  return `version: 1
name: x
service: { max_upload_bytes: 2000 }
products:
  mug:
    images:
${images.map((image) => `      - ${image}\n`).join('')}concepts: { c: { ref_images: ${images[0]} } }
`;
}

it('--links asks each image once, and an address that leads to no image is an error at its line', async () => {
  const { port, asked, most } = await startHost();
  const paths = [...Object.keys(HOST).filter((path) => path !== '/login'), '/gone.jpg'];
  const images = [...paths.map((path) => `https://localhost:${port}${path}`), 'https://localhost:1/a.jpg'];
  const { folder } = await campaignFolder(manifestOf(images));
  const run = (...args: string[]) => runCli(['validate', ...args], { cwd: folder, env: TRUSTED });
  expect((await run('--lint')).code).toBe(0);
  expect(asked).toEqual([]);
  const { code, stderr } = await run('--links');
  expect(code).toBe(65);
  const told = [...stderr.matchAll(/at campaign.yaml:(\d+):9\n(?:.*\|.*\n)* {2}(.*)/g)].map(
    ([, line, words]) => `${images[Number(line) - 7]?.replace(/.*[^/]\/(?=[^/])/, '')}: ${words}`,
  );
  expect(told.map((line) => line.replaceAll(String(port), 'PORT'))).toMatchInlineSnapshot(`
    [
      "private.jpg: The address redirects to https://localhost:PORT/login, which leads to a web page (to log in, for example), and not to an image.",
      "large.jpg: The address leads to an image of 2,001 bytes, and the most is 2,000.",
      "large-no-head.jpg: The address leads to an image of 5,000 bytes, and the most is 2,000.",
      "empty.jpg: The address leads to an empty file.",
      "film.mp4: The address leads to a file of the type "video/mp4". Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF.",
      "words: The address leads to a file that is no image.",
      "plain.jpg: The address redirects to http://cdn.example.com/a.jpg, and only https is fetched.",
      "cut.jpg: The address cannot be asked: HEAD https://localhost:PORT/cut.jpg: sent, but no answer came (the connection was reset, ECONNRESET).",
      "round.jpg: The address redirects more than 3 times.",
      "gone.jpg: The address leads to nothing (404).",
      "a.jpg: The address cannot be asked: HEAD https://localhost:1/a.jpg: not sent (connection refused, ECONNREFUSED).",
    ]
  `);
  expect(asked.filter((line) => line === 'HEAD /gone.jpg')).toHaveLength(1);
  expect(asked.filter((line) => line.startsWith('GET')).sort()).toEqual(
    ['/large-no-head.jpg', '/no-head.jpg', '/signed.jpg', '/untold', '/words'].map((path) => `GET ${path}`),
  );
  expect(most()).toBeLessThanOrEqual(10);
});

it('--links says nothing of images that are there, over the proxy of the environment', async () => {
  const { port, asked } = await startHost();
  const proxy = await startConnectProxy({ port });
  onTestFinished(() => proxy.close());
  const images = ['right.jpg', 'signed.jpg', 'right.jpg#top'].map((name) => `https://${TEST_HOST}/${name}`);
  const { folder } = await campaignFolder(manifestOf(images));
  const env = { ...TRUSTED, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  const end = await runCli(['validate', '--links', '--json'], { cwd: folder, env });
  expect([end.code, JSON.parse(end.stdout)]).toEqual([
    0,
    expect.objectContaining({ valid: true, diagnostics: [] }),
  ]);
  expect(asked.sort()).toEqual(['GET /signed.jpg', 'HEAD /right.jpg', 'HEAD /signed.jpg']);
  expect(proxy.asked.every(({ target }) => target === `${TEST_HOST}:443`)).toBe(true);
  const unsafe = { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect((await runCli(['validate', '--links'], { cwd: folder, env: unsafe })).code).toBe(78);
  expect(asked).toHaveLength(3);
});
