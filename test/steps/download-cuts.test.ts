/** The step and the client together, at real sockets: what comes is cut, mistaken, expired or led astray. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { Facts } from '../../src/model/facts.ts';
import { createClient } from '../../src/service/client.ts';
import { downloadStep } from '../../src/steps/download.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Json } from '../../src/util/json.ts';
import { film, noisyPicture } from '../support/media-samples.ts';
import { fileAnswer, type RawServer, startRawServer } from '../support/raw-server.ts';
import { createIo, jobOf, mediaRecord, REQUESTED, signal } from './step-rig.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-cuts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NODE: PlannedNode = {
  address: 'download/hero/1@1',
  kind: 'download',
  action: 'create',
  reasons: [],
  dependsOn: ['media/hero/1@1', 'media-config/hero@1'],
  payload: {
    post: 'hero',
    item: '1',
    take: 1,
    request: 'media-config/hero@1',
    requestedAs: '1',
    path: 'out/1',
    older: [],
  },
};

const envelope = (data: object) => {
  const body = Buffer.from(JSON.stringify({ status: 'success', message: 'ok', data }));
  return fileAnswer(body, 'declared');
};
const status = (code: number, head = '') =>
  Buffer.from(`HTTP/1.1 ${code} X\r\n${head}content-length: 0\r\nconnection: close\r\n\r\n`);

function compressed(body: Uint8Array): Buffer {
  const answer = fileAnswer(gzipSync(body), 'declared').toString('latin1');
  return Buffer.from(answer.replace('\r\n', '\r\ncontent-encoding: gzip\r\n'), 'latin1');
}

/** A service that gives out tokens and, for every path of a file, what the test says. */
async function serviceOf(fileOf: (path: string, origin: string) => Uint8Array): Promise<RawServer> {
  const server: RawServer = await startRawServer((head) => {
    const path = head.split(' ')[1] ?? '';
    if (path === '/get_auth_token')
      return envelope({ access_token: 'canary-token', token_type: 'Bearer', expires_at: 3600 });
    if (path.startsWith('/media/')) {
      const media_info = JSON.stringify([`${server.url}/fresh`]);
      return envelope(mediaRecord({ status: 'success', media_info }));
    }
    return fileOf(path, server.url);
  });
  onTestFinished(() => server.close());
  return server;
}

/** One attempt at the file `/first`, or, after it, at what the medium names. */
async function attempt(server: RawServer, attempt: number, memo?: Json): Promise<Facts> {
  const client = createClient({ baseUrl: server.url, apiKey: 'canary-key', clock: realClock });
  const links = createLinks((text) => text);
  links.keep('media/hero/1@1', [`${server.url}/first`]);
  const io = createIo(client, {
    place: { folder, dir: 'out', outside: 'refuse' },
    links,
    lookup: createMediaLookup('/media/{config.id}/{item.id}/'),
  });
  const results = { ...REQUESTED, 'media/hero/1@1': { id: 'm-1', urls: [`${server.url}/first`] } };
  const job = jobOf(NODE, { results, attempt, ...(memo === undefined ? {} : { memo }) });
  try {
    return await downloadStep(io).run(job, signal);
  } finally {
    client.close();
  }
}

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const memoOf = ({ memo }: Facts) => memo;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const SAMPLES = {
  png: await noisyPicture('png', 100),
  jpg: await noisyPicture('jpeg', 230),
  mp4: film(24_000),
};

describe('a download that is cut', () => {
  const cells = Object.entries(SAMPLES).flatMap(([name, body]) =>
    (['declared', 'chunked', 'none'] as const).map((length) => ({ name, body, length })),
  );

  it.each(cells)('at every KiB: $name, length $length', async ({ name, body, length }) => {
    let sent = 0;
    const server = await serviceOf((path) =>
      fileAnswer(body, length, path === '/fresh' ? body.length : sent),
    );
    for (; sent < body.length; sent += 1024) {
      const cut = await attempt(server, 1);
      expect([sent, await files()]).toEqual([sent, []]);
      expect(cut).toMatchObject({
        came: expect.stringMatching(/^(unusable|doubtful)$/),
        problem: { summary: expect.stringMatching(/./) },
      });
    }
    expect(sent).toBeGreaterThan(20 * 1024);
    const outcome = await attempt(server, 2);
    expect(outcome).toMatchObject({
      came: 'result',
      sent: 'yes',
      result: { files: [{ sha256: sha256(body) }] },
    });
    expect(await files()).toEqual([`1.${name}`]);
  });

  it.each(['declared', 'chunked'] as const)(
    'twice (%s) leaves what came beside its place',
    async (length) => {
      // So large that much of it is written before its end is missed.
      const body = await noisyPicture('jpeg', 2_000);
      let sent = body.length - 1;
      const server = await serviceOf(() => fileAnswer(body, length, sent));
      const first = await attempt(server, 1);
      expect([first.came, await files()]).toEqual(['unusable', []]);
      expect(await attempt(server, 2, memoOf(first))).toMatchObject({
        came: 'no-result',
        sent: 'yes',
        problem: {
          summary: 'The answer of the service cannot be used',
          detail: expect.stringMatching(/, the file was cut.*\. What came is kept as out\/1\.partial\.$/),
        },
      });
      const kept = await readFile(join(folder, 'out/1.partial'));
      expect(kept.length).toBeGreaterThan(100);
      // Comparing a megabyte with `toEqual` takes half a minute.
      expect(kept.equals(body.subarray(0, kept.length))).toBe(true);
      // A later run that gets less keeps what there is, and one that gets it all needs it no more.
      sent = 100;
      await attempt(server, 2, memoOf(first));
      expect(kept.equals(await readFile(join(folder, 'out/1.partial')))).toBe(true);
      sent = body.length;
      expect(await attempt(server, 2)).toMatchObject({ came: 'result', sent: 'yes' });
      expect(await files()).toEqual(['1.jpg']);
    },
  );

  it('where it was made, with a length that fits, is kept and marked when it comes twice (scenario 27)', async () => {
    const half = SAMPLES.jpg.subarray(0, 9_000);
    const server = await serviceOf(() => fileAnswer(half, 'declared'));
    const first = await attempt(server, 1);
    expect(await attempt(server, 2, memoOf(first))).toMatchObject({
      came: 'result',
      sent: 'yes',
      result: {
        files: [
          {
            path: 'out/1.jpg',
            sha256: sha256(half),
            unverified: 'it is cut off or damaged',
          },
        ],
      },
    });
    expect(await files()).toEqual(['1.jpg']);
  });

  it.each(Object.entries(SAMPLES))(
    'twice at the same place, where nothing says how long it is (%s), is no result',
    async (name, body) => {
      const half = body.subarray(0, 9_000);
      const server = await serviceOf(() => fileAnswer(half, 'none'));
      const first = await attempt(server, 1);
      expect(await attempt(server, 2, memoOf(first))).toEqual({
        came: 'no-result',
        sent: 'yes',
        problem: {
          summary: 'The file was cut',
          detail: expect.stringMatching(
            /, 9,000 bytes: it .*\. The answer did not say how long it is\. What came is kept as out\/1\.partial\.$/,
          ),
        },
      });
      expect([name, await files()]).toEqual([name, ['1.partial']]);
      expect(await readFile(join(folder, 'out/1.partial'))).toEqual(half);
    },
  );

  it('is unpacked where it comes compressed, though nobody asked for that', async () => {
    const server = await serviceOf(() => compressed(SAMPLES.png));
    expect(await attempt(server, 1)).toMatchObject({ result: { files: [{ sha256: sha256(SAMPLES.png) }] } });
  });
});

describe('a link', () => {
  it.each([403, 404, 410])('that has expired (%i) is asked for again', async (code) => {
    const server = await serviceOf((path) =>
      path === '/fresh' ? fileAnswer(SAMPLES.png, 'declared') : status(code),
    );
    const first = await attempt(server, 1);
    expect(first).toMatchObject({ came: 'doubtful', problem: { status: code } });
    expect(await attempt(server, 2, memoOf(first))).toMatchObject({ came: 'result', sent: 'yes' });
    expect(await files()).toEqual(['1.png']);
  });

  it('to a page or to nothing is fetched afresh', async () => {
    for (const body of ['<html>Sign in</html>', '']) {
      const server = await serviceOf((path) =>
        fileAnswer(path === '/fresh' ? SAMPLES.png : Buffer.from(body), 'declared'),
      );
      const first = await attempt(server, 1);
      expect(first).toMatchObject({ problem: { summary: 'The file is no picture and no video' } });
      expect(await files()).toEqual([]);
      expect(await attempt(server, 2, memoOf(first))).toMatchObject({ came: 'result', sent: 'yes' });
      await rm(join(folder, 'out'), { recursive: true });
    }
  });

  it('names no file of ours, whatever it and its answer say', async () => {
    const headers = [
      'content-disposition: attachment; filename="../../../../etc/cron.d/x"',
      "content-disposition: attachment; filename*=UTF-8''..%2f..%2fevil.sh",
      'content-location: /../../evil',
    ].join('\r\n');
    const named = fileAnswer(SAMPLES.png, 'declared').toString('latin1');
    const body = Buffer.from(named.replace('\r\n', `\r\n${headers}\r\n`), 'latin1');
    const server = await serviceOf((path, origin) =>
      path === '/first' ? status(302, `location: ${origin}/a/..%2f..%2f..%2fevil.exe\r\n`) : body,
    );
    expect(await attempt(server, 1)).toMatchObject({ result: { files: [{ path: 'out/1.png' }] } });
    expect(await files()).toEqual(['1.png']);
  });

  it('to another host carries no token, however it gets there', async () => {
    const other = await startRawServer(() => fileAnswer(SAMPLES.png, 'declared'));
    onTestFinished(() => other.close());
    const server = await serviceOf(() => status(302, `location: ${other.url}/x\r\n`));
    expect(await attempt(server, 1)).toMatchObject({ came: 'result', sent: 'yes' });
    expect(server.requests.at(-1)).toMatch(/^authorization: Bearer canary-token/im);
    expect(other.requests).toHaveLength(1);
    expect(other.requests.join('')).not.toMatch(/authorization|cookie|referer|canary/i);
  });

  it('is not followed round in circles, nor to another scheme', async () => {
    const circle = await serviceOf(() => status(302, 'location: /first\r\n'));
    expect(await attempt(circle, 1)).toMatchObject({
      came: 'refused',
      problem: { detail: expect.stringContaining('more than 3 redirects') },
    });
    expect(circle.requests.filter((head) => head.startsWith('GET /first'))).toHaveLength(4);
    for (const location of ['file:///etc/passwd', 'data:image/png;base64,AAAA', 'http://192.0.2.1/x']) {
      const server = await serviceOf(() => status(302, `location: ${location}\r\n`));
      expect(await attempt(server, 1)).toMatchObject({
        came: 'refused',
        problem: { detail: expect.stringContaining('only https is fetched') },
      });
    }
    expect(await files()).toEqual([]);
  });
});
