/** An S3 store that lies, cuts and refuses: every answer is either tried again or said in words that say what to do. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { S3Surroundings } from '../../src/storage/s3-sender.ts';
import { createS3Store } from '../../src/storage/s3-store.ts';
import { readStorageUrl } from '../../src/storage/storage-url.ts';
import { realClock } from '../../src/util/clock.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { type Lie, type Seen, s3Error, startLyingS3 } from '../support/lying-s3.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';

let folder: string;
let server: S3Server;
const bytes = Buffer.from('a picture');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const file = () => ({ path: join(folder, 'sent'), bytes: bytes.length, sha256, contentType: 'image/png' });
const KEY = 'outputs/a.png';
const WHOLE = { ok: true, value: { bytes: bytes.length, sha256 } };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-s3-trouble-'));
  await writeFile(join(folder, 'sent'), bytes);
  server = await startS3Server();
  const store = storeOf({});
  await store.put(KEY, file());
  store.close();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(lie: (seen: Seen) => Lie | undefined, env: Record<string, string> = {}) {
  const front = await startLyingS3(server.port, lie);
  const store = storeOf({ AWS_ENDPOINT_URL_S3: front.url, ...env });
  onTestFinished(async () => {
    store.close();
    await front.close();
  });
  return { store, seen: front.seen };
}

function storeOf(env: Record<string, string>, around: Partial<S3Surroundings> = {}) {
  const place = readStorageUrl(`s3://${BUCKET}`, { ...server.env, ...env });
  if (!place.ok || place.value.type !== 's3') throw new Error(JSON.stringify(place));
  return createS3Store(place.value.settings, { clock: realClock, random: () => 0, ...around });
}

/** The first requests of a method get this. */
const first =
  (method: string, times: number, lie: Lie) =>
  (seen: Seen): Lie | undefined =>
    seen.method === method && seen.before < times ? lie : undefined;

const SLOW_DOWN: Lie = { status: 503, headers: { 'retry-after': '0' }, body: s3Error('SlowDown') };

describe('what passes is tried again', () => {
  const lies: readonly (readonly [string, string, Lie])[] = [
    ['503 SlowDown', 'PUT', SLOW_DOWN],
    ['503 SlowDown', 'GET', SLOW_DOWN],
    ['429', 'GET', { status: 429 }],
    [
      'a 400 that says that the request took too long',
      'PUT',
      { status: 400, body: s3Error('RequestTimeout') },
    ],
    ['a 200 whose body is an error', 'PUT', { status: 200, body: s3Error('InternalError') }],
    [
      'a cut in the middle',
      'GET',
      { status: 200, headers: { 'content-length': '9' }, body: 'a pi', isCut: true },
    ],
    ['no length', 'HEAD', { status: 200, headers: { 'transfer-encoding': 'chunked' } }],
    ['a cut before the head', 'HEAD', { status: 500, isCut: true }],
    [
      'less than was announced',
      'GET',
      { status: 200, headers: { 'content-length': '900' }, body: 'a picture', isCut: true },
    ],
  ];
  it.each(lies)('%s of a %s', async (_, method, lie) => {
    const { store, seen } = await open(first(method, 2, lie));
    expect(await store.put(KEY, file())).toEqual({ ok: true });
    expect(await store.read(KEY, join(folder, 'got'))).toEqual(WHOLE);
    expect(seen.filter((each) => each.method === method)).toHaveLength(3);
  });

  it('a store that shows late what it has taken is waited for', async () => {
    const { store } = await open(first('HEAD', 3, { status: 404 }));
    expect(await store.put(KEY, file())).toEqual({ ok: true });
  });
});

describe('what does not pass is said', () => {
  it('five times, then once each, until it is well again', async () => {
    let isDown = true;
    const { store, seen } = await open(() => (isDown ? SLOW_DOWN : undefined));
    const problem = {
      code: 'storage',
      exit: 74,
      summary: 'The storage does not answer as it should',
      detail: `s3://${BUCKET}, HEAD ${KEY}: 503. What was recorded stays. Look at the store, then run again.`,
    };
    expect(await store.size(KEY)).toEqual({ ok: false, error: problem });
    expect(seen).toHaveLength(5);
    expect(await store.size(KEY)).toMatchObject({ ok: false });
    expect(seen).toHaveLength(6);
    isDown = false;
    expect(await store.size(KEY)).toEqual({ ok: true, value: 9 });
  });

  it('a put that left nothing, or something else', async () => {
    const { store } = await open((seen) => (seen.method === 'HEAD' ? { status: 404 } : undefined));
    const detail = `s3://${BUCKET}: ${KEY} was put with 9 bytes, and it is not there. Look at the store, then run again.`;
    const summary = 'The storage did not keep a file';
    expect(await store.put(KEY, file())).toMatchObject({ ok: false, error: { exit: 74, summary, detail } });
    const other = await open(first('HEAD', 9, { status: 200, headers: { 'content-length': '4' } }));
    expect(await other.store.put(KEY, file())).toMatchObject({
      error: { detail: expect.stringContaining('it has 4 bytes there') as string },
    });
  });

  it('other bytes of the same length are seen by whoever reads them', async () => {
    const { store } = await open(first('GET', 9, { status: 200, body: 'a forgery' }));
    const read = await store.read(KEY, join(folder, 'got'));
    expect(read).toMatchObject({ ok: true, value: { bytes: 9 } });
    expect(read).not.toEqual(WHOLE);
  });

  const refusals: readonly (readonly [string, Lie, number, string])[] = [
    ['NoSuchBucket', { status: 404, body: s3Error('NoSuchBucket') }, 78, `has no bucket ${BUCKET}: make it`],
    [
      'another region',
      { status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' }, body: s3Error('PermanentRedirect') },
      78,
      'It is in the region eu-west-1, and the request was for us-east-1: set AWS_REGION=eu-west-1.',
    ],
    [
      'another region in the text',
      { status: 400, body: s3Error('AuthorizationHeaderMalformed', 'x', '<Region>eu-west-1</Region>') },
      78,
      'set AWS_REGION=eu-west-1.',
    ],
    [
      'a redirect',
      { status: 307, headers: { location: 'https://elsewhere.example/?X-Amz-Signature=abc' } },
      78,
      'It redirects the request, which is not followed',
    ],
    [
      'a wrong clock',
      {
        status: 403,
        headers: { date: 'Mon, 23 Nov 2026 06:00:00 GMT' },
        body: s3Error('RequestTimeTooSkewed', 'The difference is too large.'),
      },
      78,
      'RequestTimeTooSkewed, The difference is too large. A store takes no signature of another time. It is 2026-11-23T06:00:00Z there and ',
    ],
    ['old credentials', { status: 400, body: s3Error('ExpiredToken') }, 77, 'Get new ones'],
    ['an unknown key', { status: 403, body: s3Error('InvalidAccessKeyId') }, 77, 'Check AWS_ACCESS_KEY_ID'],
    ['no right', { status: 403, body: s3Error('AccessDenied') }, 77, 's3:GetObject, s3:PutObject'],
    ['too large', { status: 400, body: s3Error('EntityTooLarge') }, 74, 'Lift the limit'],
    ['full', { status: 507, body: s3Error('XMinioStorageFull') }, 74, 'Make room there'],
    ['anything else', { status: 418, body: 'a page' }, 74, '418. What was recorded stays.'],
  ];
  it.each(refusals)('%s', async (_, lie, exit, words) => {
    const { store, seen } = await open(() => lie);
    const read = await store.read(KEY);
    expect(read).toMatchObject({ ok: false, error: { exit } });
    expect(JSON.stringify(read)).toContain(words);
    expect(seen).toHaveLength(lie.status === 507 ? 5 : 1);
  });

  // An answer to a HEAD has no text, and a report begins with one.
  const untold: readonly (readonly [string, Lie, string])[] = [
    ['no bucket', { status: 404, body: s3Error('NoSuchBucket') }, 'The storage has no such bucket'],
    ['old credentials', { status: 400, body: s3Error('ExpiredToken') }, 'have expired'],
    ['a wrong clock', { status: 403, body: s3Error('RequestTimeTooSkewed') }, 'The clock of this machine'],
    ['a page', { status: 404, body: '<!DOCTYPE html><html>' }, 'What answers is no S3 store'],
  ];
  it.each(untold)('%s, also where the length of an object is asked for first', async (_, lie, words) => {
    const { store, seen } = await open(() => lie);
    expect(JSON.stringify(await store.size(KEY))).toContain(words);
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  it('no more than once that the bucket is there', async () => {
    const { store, seen } = await open(() => undefined);
    for (const key of ['outputs/none', 'outputs/none', KEY]) await store.size(key);
    expect(seen.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD', 'HEAD']);
  });

  it('a web page that answers a put as if all were well', async () => {
    const { store, seen } = await open(() => ({ status: 200, body: '\n<html lang="en">A console</html>' }));
    expect(JSON.stringify(await store.put(KEY, file()))).toMatch(
      /"exit":78.*It is a web page\. 127\.0\.0\.1:/,
    );
    expect(seen).toHaveLength(1);
  });

  it('a proxy that lets nothing through', async () => {
    const proxy = await startConnectProxy({ status: 407 });
    onTestFinished(() => proxy.close());
    const proxyFor = () => new URL(`http://user:canary@127.0.0.1:${proxy.port}`);
    const store = storeOf({ AWS_ENDPOINT_URL_S3: 'https://s3.invalid' }, { proxyFor });
    const detail = `s3://${BUCKET}, GET ${KEY}: the proxy 127.0.0.1:${proxy.port} answered 407 No (no), it wants other credentials, ERR_PROXY_AUTHENTICATION. Check HTTPS_PROXY and NO_PROXY, then run again.`;
    expect(await store.read(KEY)).toMatchObject({ error: { exit: 78, detail } });
  });

  it('nobody there, and a wrong secret at a real server', async () => {
    const { store } = await open(() => undefined, { AWS_SECRET_ACCESS_KEY: 'another-secret' });
    expect(await store.read(KEY)).toMatchObject({
      ok: false,
      error: { exit: 77, summary: 'The storage refuses the credentials' },
    });
    const gone = await open(() => undefined, { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' });
    expect(await gone.store.put(KEY, file())).toMatchObject({
      ok: false,
      error: {
        exit: 74,
        detail: `s3://${BUCKET}, PUT ${KEY}: connection refused, ECONNREFUSED. Check the network and 127.0.0.1:9 (AWS_ENDPOINT_URL_S3, AWS_REGION, CAMPAIGN_S3_PATH_STYLE), then run again.`,
      },
    });
  });

  it('without a secret, whatever the store repeats', async () => {
    const keys = {
      AWS_ACCESS_KEY_ID: 'AKIACANARY0001',
      AWS_SECRET_ACCESS_KEY: 'canary/secret+0002',
      AWS_SESSION_TOKEN: 'canary-token-0003',
    };
    const { store } = await open((seen) => {
      const said = `${JSON.stringify(seen.headers)} ${Object.values(keys).join(' ')} https://h/x?X-Amz-Signature=${'ab'.repeat(32)}`;
      return { status: 418, body: s3Error(seen.before ? keys.AWS_ACCESS_KEY_ID : 'Odd', said) };
    }, keys);
    const text = JSON.stringify([await store.put(KEY, file()), await store.put(KEY, file())]);
    expect(text).toContain('Odd');
    expect(text).toContain('418, [redacted], ');
    expect(text).not.toMatch(/AKIACANARY|canary|X-Amz-Signature|(?:ab){8}|Signature=[0-9a-f]/);
  });
});
