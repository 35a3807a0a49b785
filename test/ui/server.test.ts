/** The contract of the live page's server: who is let in, what is refused and why, and how a page catches up. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { whyNotOwn } from '../../src/files/own-place.ts';
import { createFeed, type Feed } from '../../src/ui/feed.ts';
import { type UiServer, serveUi } from '../../src/ui/server.ts';
import { realClock } from '../../src/util/clock.ts';
import { err, ok } from '../../src/util/result.ts';
import type { SentDecision } from '../../src/views/live-data.ts';
import { PNG } from '../cli/small-campaign.ts';
import { ask, type Asked, enter, listen, partsOf } from './ui-client.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'campaign-ui-')));
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'campaign-ui-outside-')));
const feed = createFeed();
const decided: SentDecision[] = [];
let server: UiServer;
let cookie: string;

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const VIDEO = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1'),
  Buffer.alloc(100, 7),
]);
const HTML = Buffer.from('<script>alert(1)</script>');
const SECRET = Buffer.from('a file of somebody else');
/** By content; the state of this campaign says all that, also where it is not so. */
const place = { folder, dir: 'out', outside: 'refuse' } as const;
const KNOWN = new Map([
  [sha256(PNG), 'out/hero.png'],
  [sha256(VIDEO), 'out/film.mp4'],
  [sha256(HTML), 'out/page.png'],
  [sha256(SECRET), `../${outside.split('/').at(-1)}/secret.png`],
  ['1'.repeat(64), 'out/pipe.png'],
  ['2'.repeat(64), 'out/link.png'],
  ['3'.repeat(64), '../../../../../../dev/zero'],
  ['4'.repeat(64), 'out/hero.png'],
  ['5'.repeat(64), 'out/gone.png'],
  ['6'.repeat(64), 'out'],
  ['7'.repeat(64), 'linked/secret.png'],
]);

beforeAll(async () => {
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'out/hero.png'), PNG);
  writeFileSync(join(folder, 'out/film.mp4'), VIDEO);
  writeFileSync(join(folder, 'out/page.png'), HTML);
  writeFileSync(join(outside, 'secret.png'), SECRET);
  await promisify(execFile)('mkfifo', [join(folder, 'out/pipe.png')]);
  symlinkSync(join(folder, 'out/hero.png'), join(folder, 'out/link.png'));
  symlinkSync(outside, join(folder, 'linked'));
  server = await serveUi(
    {
      html: '<!doctype html><title>campaign</title>',
      policy: "default-src 'none'; frame-ancestors 'none'",
      feed,
      async picture(sha, size) {
        const file = KNOWN.get(sha);
        if (file === undefined) return undefined;
        return size === 'thumbnail'
          ? PNG
          : { file: join(folder, file), sha256: sha, isOwn: () => whyNotOwn(place, file) === undefined };
      },
      async decide(sent) {
        decided.push(...sent);
        return sent.length > 1 ? err('m.decisions.yaml:3:1: It is broken.') : ok({ left: [] });
      },
    },
    { port: 0, clock: realClock },
  );
});
afterAll(async () => {
  await server.close();
  for (const each of [folder, outside]) rmSync(each, { recursive: true });
});

const json = { 'content-type': 'application/json' };

it('lets in whoever has the link, once, and whoever has the cookie', async () => {
  const { origin, folder: below, token } = partsOf(server.link);
  const session = (body: string, headers = {}): Asked => ({
    method: 'POST',
    path: `${below}session`,
    headers: { origin, ...json, ...headers },
    body,
  });
  expect((await ask(server.link, session('{"token":"wrong"}'))).status).toBe(401);
  expect((await ask(server.link, session('{}'))).status).toBe(401);
  expect((await ask(server.link, session('null'))).status).toBe(401);
  expect((await ask(server.link, session('{'))).status).toBe(400);
  const admitted = await ask(server.link, session(JSON.stringify({ token })));
  expect(admitted.status).toBe(204);
  const [set = ''] = admitted.headers['set-cookie'] ?? [];
  expect(set).toMatch(/^campaign-ui=[\w-]{43}; Path=\/[0-9a-f]{16}\/; HttpOnly; SameSite=Strict$/);
  expect(set).not.toContain(token);
  cookie = set.split(';')[0] ?? '';
  // The link is worth nothing any more, but a second tab of the same browser may open it.
  const again = await ask(server.link, session(JSON.stringify({ token })));
  expect(again).toMatchObject({ status: 401 });
  expect(again.body.toString()).toContain('used before');
  expect((await ask(server.link, session(JSON.stringify({ token }), { cookie }))).status).toBe(204);
});

it('refuses everything else with a short reason, and says nothing about the campaign', async () => {
  const { origin, folder: below } = partsOf(server.link);
  const { port } = new URL(server.link);
  const picture = `${below}picture/${sha256(PNG)}`;
  const own = { cookie };
  const cases: readonly (readonly [string, Asked, number])[] = [
    ['the page', { path: below }, 200],
    ['only its head', { method: 'HEAD', path: below }, 200],
    ['by its other name', { path: below, headers: { host: `LocalHost:${port}` } }, 200],
    ['by the new protocol', { path: below, headers: { host: `[::1]:${port}` } }, 200],
    ['another name (DNS rebinding)', { path: below, headers: { host: `evil.example:${port}` } }, 403],
    ['a name that ends like ours', { path: below, headers: { host: `x.localhost:${port}` } }, 403],
    ['another port', { path: below, headers: { host: '127.0.0.1:80' } }, 403],
    ['no port', { path: below, headers: { host: '127.0.0.1' } }, 403],
    ['a user in front', { path: below, headers: { host: `a@127.0.0.1:${port}` } }, 403],
    ['another site', { path: picture, headers: { ...own, origin: 'https://evil.example' } }, 403],
    ['another port as origin', { path: picture, headers: { ...own, origin: 'http://127.0.0.1:1' } }, 403],
    ['a sandboxed page', { path: picture, headers: { ...own, origin: 'null' } }, 403],
    ['an image on another site', { path: picture, headers: { ...own, 'sec-fetch-site': 'cross-site' } }, 403],
    ['an image on another port', { path: picture, headers: { ...own, 'sec-fetch-site': 'same-site' } }, 403],
    ['its own page', { path: picture, headers: { ...own, 'sec-fetch-site': 'same-origin', origin } }, 200],
    ['no cookie', { path: picture }, 401],
    ['a wrong cookie', { path: picture, headers: { cookie: 'campaign-ui=x' } }, 401],
    [
      'a cookie of the same length',
      { path: picture, headers: { cookie: `campaign-ui=${'a'.repeat(43)}` } },
      401,
    ],
    ['our cookie among others', { path: picture, headers: { cookie: `a=b; campaign-ui=x; ${cookie}` } }, 200],
    ['events without a cookie', { path: `${below}events` }, 401],
    ['events as JSON', { path: `${below}events`, headers: { ...own, accept: 'application/json' } }, 406],
    [
      'decisions without an origin',
      { method: 'POST', path: `${below}decisions`, headers: { ...own, ...json }, body: '[]' },
      403,
    ],
    [
      'decisions without a cookie',
      { method: 'POST', path: `${below}decisions`, headers: { origin, ...json }, body: '[]' },
      401,
    ],
    [
      'decisions as a form',
      {
        method: 'POST',
        path: `${below}decisions`,
        headers: { ...own, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      },
      415,
    ],
    [
      'no JSON',
      { method: 'POST', path: `${below}decisions`, headers: { ...own, origin, ...json }, body: '[' },
      400,
    ],
    [
      'a poisoned prototype',
      {
        method: 'POST',
        path: `${below}decisions`,
        headers: { ...own, origin, ...json },
        body: '{"__proto__":{}}',
      },
      400,
    ],
    [
      'far too much',
      {
        method: 'POST',
        path: `${below}decisions`,
        headers: { ...own, origin, ...json, 'content-length': '9000000' },
      },
      413,
    ],
    [
      'what the campaign refuses',
      { method: 'POST', path: `${below}decisions`, headers: { ...own, origin, ...json }, body: 'null' },
      422,
    ],
    ['another method', { method: 'DELETE', path: picture, headers: own }, 405],
    ['a preflight', { method: 'OPTIONS', path: below, headers: { origin } }, 405],
    ['a wrong method', { path: `${below}session` }, 404],
    ['the root', { path: '/' }, 404],
    ['without a slash', { path: below.slice(0, -1) }, 404],
    ['another folder', { path: '/0123456789abcdef/' }, 404],
    ['an absolute address', { path: `http://127.0.0.1:${port}${below}` }, 400],
    ['traversal', { path: `${below}picture/../../etc/passwd`, headers: own }, 404],
    ['encoded traversal', { path: `${below}picture/%2e%2e%2f%2e%2e%2fetc%2fpasswd`, headers: own }, 404],
    ['a path of a file', { path: `${below}out/hero.png`, headers: own }, 404],
    ['a broken escape', { path: `${below}%zz`, headers: own }, 400],
    ['a NUL', { path: `${below}picture/${sha256(PNG)}%00`, headers: own }, 404],
    ['capitals', { path: `${below}picture/${sha256(PNG).toUpperCase()}`, headers: own }, 404],
    ['unknown content', { path: `${below}picture/${'0'.repeat(64)}`, headers: own }, 404],
    ['a file of somebody else', { path: `${below}picture/${sha256(SECRET)}`, headers: own }, 404],
    ['a pipe', { path: `${below}picture/${'1'.repeat(64)}`, headers: own }, 404],
    ['a link', { path: `${below}picture/${'2'.repeat(64)}`, headers: own }, 404],
    ['a device', { path: `${below}picture/${'3'.repeat(64)}`, headers: own }, 404],
    ['other content than recorded', { path: `${below}picture/${'4'.repeat(64)}`, headers: own }, 404],
    ['a file that is gone', { path: `${below}picture/${'5'.repeat(64)}`, headers: own }, 404],
    ['a folder', { path: `${below}picture/${'6'.repeat(64)}`, headers: own }, 404],
    ['a folder that is a link', { path: `${below}picture/${'7'.repeat(64)}`, headers: own }, 404],
  ];
  const seen: Record<string, number> = {};
  for (const [name, asked] of cases) {
    const { status, headers, body } = await ask(server.link, asked);
    seen[name] = status;
    if (name === 'events as JSON') continue;
    expect([name, headers]).toMatchObject([
      name,
      {
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      },
    ]);
    expect(Object.keys(headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    if (status < 400) continue;
    expect(body.toString()).toMatch(/^[^\n]{5,140}\n$/);
    for (const secret of [folder, outside, 'hero', SECRET.toString()])
      expect(body.toString()).not.toContain(secret);
  }
  expect(seen).toEqual(Object.fromEntries(cases.map(([name, , status]) => [name, status])));
  expect(decided).toEqual([]);
});

it('serves what is recorded, in parts where a video player asks for them, and never as a program', async () => {
  const { folder: below } = partsOf(server.link);
  const get = (content: Buffer, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    ask(server.link, { method, path: `${below}picture/${sha256(content)}`, headers: { cookie, ...headers } });
  expect(await get(PNG)).toMatchObject({ status: 200, body: PNG, headers: { 'content-type': 'image/png' } });
  expect(await get(VIDEO)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' },
  });
  expect(await get(VIDEO, {}, 'HEAD')).toMatchObject({ status: 200, headers: { 'content-length': '124' } });
  const parts = [
    ['bytes=0-3', 206, 'bytes 0-3/124', VIDEO.subarray(0, 4)],
    ['bytes=120-', 206, 'bytes 120-123/124', VIDEO.subarray(120)],
    ['bytes=-4', 206, 'bytes 120-123/124', VIDEO.subarray(120)],
    ['bytes=100-900', 206, 'bytes 100-123/124', VIDEO.subarray(100)],
    ['bytes=-900', 206, 'bytes 0-123/124', VIDEO],
    ['bytes=124-', 416, 'bytes */124', Buffer.alloc(0)],
    ['bytes=-0', 416, 'bytes */124', Buffer.alloc(0)],
    ['bytes=3-1', 200, undefined, VIDEO],
    ['bytes=0-1,4-5', 200, undefined, VIDEO],
    ['bytes=-', 200, undefined, VIDEO],
    ['lines=0-1', 200, undefined, VIDEO],
  ] as const;
  for (const [range, status, contentRange, body] of parts) {
    const answer = await get(VIDEO, { range });
    expect([range, answer.status, answer.headers['content-range'], answer.body]).toEqual([
      range,
      status,
      contentRange,
      body,
    ]);
  }
  // A page that was recorded as a picture is bytes to the browser.
  expect((await get(HTML)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  });
  const thumbnail = await ask(server.link, {
    path: `${below}picture/${'5'.repeat(64)}?size=thumbnail`,
    headers: { cookie },
  });
  expect(thumbnail).toMatchObject({ status: 200, body: PNG, headers: { 'content-type': 'image/png' } });
  // Another file in its place is not shown.
  writeFileSync(join(folder, 'out/film.mp4'), 'other');
  expect((await get(VIDEO)).body.toString()).toBe('The file is not as it was recorded.\n');
});

it('sends everything once and then what has changed, and goes on where a page has stopped', async () => {
  const { folder: below } = partsOf(server.link);
  const path = `${below}events`;
  const first = listen(server.link, { path, headers: { cookie } });
  feed.publish({ posts: [{ status: 'pending' }, { status: 'missing' }] });
  const whole = await first.next();
  expect(whole).toMatchObject({
    event: 'whole',
    data: { posts: [{ status: 'pending' }, { status: 'missing' }] },
  });
  feed.publish({ posts: [{ status: 'done' }, { status: 'missing' }] });
  const change = await first.next();
  expect(change).toMatchObject({ event: 'changes', data: [[['posts', 0, 'status'], 'done']] });
  first.close();
  expect(feed.publish({ posts: [{ status: 'done' }, { status: 'missing' }] })).toBe(false);
  feed.publish({ posts: [{ status: 'done' }, { status: 'pending' }] });
  feed.publish({ posts: [{ status: 'done' }, { status: 'done' }] });
  // What was missed comes as one message, by the header of the browser or by what the page says.
  const missed = [
    [['posts', 1, 'status'], 'pending'],
    [['posts', 1, 'status'], 'done'],
  ];
  const again = listen(server.link, { path, headers: { cookie, 'last-event-id': change.id ?? '' } });
  expect(await again.next()).toMatchObject({ event: 'changes', data: missed });
  const byPage = listen(server.link, { path: `${path}?after=${change.id}`, headers: { cookie } });
  const last = await byPage.next();
  expect(last).toMatchObject({ event: 'changes', data: missed });
  // A version of another server, or none, means everything.
  for (const after of ['000000000000-1', `${last.id}9`, 'x']) {
    const other = listen(server.link, { path: `${path}?after=${after}`, headers: { cookie } });
    expect(await other.next()).toMatchObject({ event: 'whole', id: last.id });
    other.close();
  }
  // Who has everything hears of the next change alone.
  const upToDate = listen(server.link, { path: `${path}?after=${last.id}`, headers: { cookie } });
  expect(await upToDate.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  feed.publish({ posts: [] });
  for (const each of [again, byPage, upToDate])
    expect(await each.next()).toMatchObject({ event: 'changes', data: [[['posts', 'length'], 0]] });
  // Before it ends, each page is told.
  const other = await serveUi(
    { html: '', policy: '', feed, picture: async () => undefined, decide: async () => ok({ left: [] }) },
    { port: 0, clock: realClock },
  );
  const its = listen(other.link, {
    path: `${partsOf(other.link).folder}events`,
    headers: { cookie: await enter(other.link) },
  });
  await its.next();
  await other.close();
  expect(await its.next()).toEqual({ event: 'end', data: undefined });
  for (const each of [again, byPage, upToDate]) each.close();
});

it('drops a page that takes nothing of what is sent to it, and no other one', async () => {
  const large = createFeed();
  const page = { html: '', policy: '', picture: async () => undefined, decide: async () => ok({ left: [] }) };
  let open = 0;
  let drop = () => {};
  const dropped = new Promise<void>((resolve) => (drop = resolve));
  const watched: Feed = {
    ...large,
    onChange(listener) {
      const release = large.onChange(listener);
      open += 1;
      return () => {
        open -= 1;
        drop();
        release();
      };
    },
  };
  const other = await serveUi({ ...page, feed: watched }, { port: 0, clock: realClock, stuckMs: 500 });
  const path = `${partsOf(other.link).folder}events`;
  const headers = { cookie: await enter(other.link), accept: 'text/event-stream' };
  const { hostname, port } = new URL(other.link);
  const begin = async () => {
    const sent = request({ hostname, port, path, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return { sent, response };
  };
  const stuck = await begin();
  const reading = await begin();
  const taken = new Promise<void>((resolve) => {
    let bytes = 0;
    reading.response.on('data', (part: Buffer) => (bytes += part.length) > SIZE && resolve());
  });
  // More than the sockets between the two hold.
  large.publish({ text: 'x'.repeat(SIZE) });
  await Promise.all([taken, dropped]);
  expect(open).toBe(1);
  // It comes again by itself.
  large.publish({ text: 'y' });
  const again = listen(other.link, { path, headers });
  expect(await again.next()).toMatchObject({ event: 'whole', data: { text: 'y' } });
  again.close();
  for (const { sent } of [stuck, reading]) sent.destroy();
  await other.close();
});

const SIZE = 30e6;

it('says that a port is in use', async () => {
  const port = Number(new URL(server.link).port);
  const page = {
    html: '',
    policy: '',
    feed,
    picture: async () => undefined,
    decide: async () => ok({ left: [] }),
  };
  await expect(serveUi(page, { port, clock: realClock })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('hands on decisions, and says why they were not written', async () => {
  const { origin, folder: below } = partsOf(server.link);
  const send = (body: unknown) =>
    ask(server.link, {
      method: 'POST',
      path: `${below}decisions`,
      headers: { cookie, origin, ...json },
      body: JSON.stringify(body),
    });
  const good = { media: 'a', decision: { verdict: 'rejected', note: 'too dark' }, seen: 'undecided' };
  const answer = await send([good]);
  expect([answer.status, answer.body.toString()]).toEqual([200, '{"left":[]}']);
  expect(decided).toEqual([good]);
  expect((await send([{ media: 'a', decision: null, seen: 'rejected' }])).status).toBe(200);
  const wrong = [
    {},
    [good, null],
    [{ ...good, media: 1 }],
    [{ ...good, seen: 'x' }],
    [{ ...good, decision: 'approved' }],
    [{ ...good, decision: { verdict: 'fine' } }],
    [{ ...good, decision: { verdict: 'approved', note: 1 } }],
  ];
  for (const body of wrong) expect((await send(body)).status).toBe(422);
  const refused = await send([good, good]);
  expect([refused.status, refused.body.toString()]).toEqual([409, 'm.decisions.yaml:3:1: It is broken.\n']);
  expect(decided).toHaveLength(4);
});
