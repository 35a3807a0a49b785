/** Answers whose head and body do not fit together: each request ends, at once where it can, and says what it means. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import type { Result } from '../../src/util/result.ts';
import { startRawServer } from '../support/raw-server.ts';
import { API_KEY, PRODUCT } from './fixtures.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const RECORD = JSON.stringify({ status: 'success', message: 'Créé', data: { id: 'p-1', name: 'Tote' } });
const BYTES = Buffer.byteLength(RECORD);
const TOKEN = JSON.stringify({ data: { access_token: 'canary-token-3e1f', expires_at: 3600 } });

const answer = (line: string, head: readonly string[], body = RECORD) =>
  [`HTTP/1.1 ${line}`, ...head, '', body].join('\r\n');
const at = (ms: number, socket: net.Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};

type Way = (socket: net.Socket) => void;
const writes =
  (text: string): Way =>
  (socket) =>
    void socket.write(text);

/** Everything in one piece, as small answers come; the connection stays open. */
const WAYS: Record<string, { way: Way; create: string; read: string }> = {
  'a Content-Length that counts characters': {
    way: writes(answer('201 Created', [`content-length: ${RECORD.length}`])),
    create: 'unknown: the body is not JSON, and more came than its head announces',
    read: 'unusable: the body is not JSON, and more came than its head announces',
  },
  'a Content-Length of 0': {
    way: writes(answer('201 Created', ['content-length: 0'])),
    create: 'unknown: it holds no record with an id',
    read: 'unusable: it holds no record with an id',
  },
  'less than its Content-Length, then the end of the connection': {
    way: (socket) => void socket.end(answer('201 Created', ['content-length: 1000'])),
    create: 'unknown: its body was cut ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    read: 'unusable: its body was cut ERR_HTTP_CONTENT_LENGTH_MISMATCH',
  },
  '204 with a body': {
    way: writes(answer('204 No Content', [])),
    create: 'unknown: it holds no record with an id',
    read: 'unusable: it holds no record with an id',
  },
  '205 with a body': {
    way: writes(answer('205 Reset Content', ['content-length: 0'])),
    create: 'unknown: it holds no record with an id',
    read: 'unusable: it holds no record with an id',
  },
  '304 with a body': {
    way: writes(answer('304 Not Modified', [])),
    create: 'unknown: 304',
    read: 'unproven: 304',
  },
  'a chunk without a size': {
    way: writes(answer('201 Created', ['transfer-encoding: chunked'], `zz\r\n${RECORD}`)),
    create: 'unknown: its body was cut HPE_INVALID_CHUNK_SIZE',
    read: 'unusable: its body was cut HPE_INVALID_CHUNK_SIZE',
  },
  'a last chunk without a size': {
    way: writes(
      answer('201 Created', ['transfer-encoding: chunked'], `${BYTES.toString(16)}\r\n${RECORD}\r\nzz\r\n`),
    ),
    create: 'unknown: its body was cut HPE_INVALID_CHUNK_SIZE',
    read: 'unusable: its body was cut HPE_INVALID_CHUNK_SIZE',
  },
  'another protocol': {
    way: writes(answer('101 Switching Protocols', ['connection: upgrade', 'upgrade: websocket'], '')),
    create: 'unknown: ERR_UPGRADE',
    read: 'no-answer: ERR_UPGRADE',
  },
  '101 without a protocol': {
    way: writes(answer('101 Switching Protocols', [])),
    create: 'unknown: 101',
    read: 'unproven: 101',
  },
  'two lengths': {
    way: writes(answer('201 Created', ['content-length: 4', 'content-length: 9'])),
    create: 'unknown: HPE_UNEXPECTED_CONTENT_LENGTH',
    read: 'no-answer: HPE_UNEXPECTED_CONTENT_LENGTH',
  },
  'a length and chunks': {
    way: writes(answer('201 Created', ['content-length: 4', 'transfer-encoding: chunked'])),
    create: 'unknown: HPE_INVALID_TRANSFER_ENCODING',
    read: 'no-answer: HPE_INVALID_TRANSFER_ENCODING',
  },
  'no HTTP at all': {
    way: writes(RECORD),
    create: 'unknown: HPE_INVALID_CONSTANT',
    read: 'no-answer: HPE_INVALID_CONSTANT',
  },
  'a head without an end': {
    way: (socket) => {
      socket.write('HTTP/1.1 201 Created\r\n');
      at(50, socket, 'x-more: to come\r\n');
    },
    create: 'unknown: ETIMEDOUT',
    read: 'no-answer: ETIMEDOUT',
  },
  'nothing but 102': {
    way: (socket) => at(50, socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
    create: 'unknown: ETIMEDOUT',
    read: 'no-answer: ETIMEDOUT',
  },
  'something behind the body': {
    way: writes(answer('201 Created', [`content-length: ${BYTES}`], `${RECORD}garbage`)),
    create: 'ok',
    read: 'ok',
  },
  'the answer twice': {
    way: writes(answer('201 Created', [`content-length: ${BYTES}`]).repeat(2)),
    create: 'ok',
    read: 'ok',
  },
  'a refusal with a length too short': {
    way: writes(answer('400 Bad Request', ['content-length: 4'])),
    create: 'refused: 400',
    read: 'refused: 400',
  },
  'a failure with a length of 0': {
    way: writes(answer('500 Oh', ['content-length: 0'])),
    create: 'unknown: 500',
    read: 'server-error: 500',
  },
};

/** A service that gives tokens as it should, and every other answer in its own way. */
async function startService(way: Way): Promise<{ client: Client; url: string }> {
  const token = answer('200 OK', [`content-length: ${TOKEN.length}`], TOKEN);
  const server = await startRawServer((head) =>
    head.startsWith('POST /get_auth_token') ? writes(token) : way,
  );
  const client = clientOf(server.url);
  closing.push(() => server.close());
  return { client, url: server.url };
}

function clientOf(baseUrl: string, deadlines: Clock = realClock): Client {
  const requestTimeouts = { totalMs: 600, fileMs: 600 };
  const client = createClient({ baseUrl, apiKey: API_KEY, clock: realClock, deadlines, requestTimeouts });
  closing.push(() => client.close());
  return client;
}

/** Real time, and how many of its timers are left: one alone keeps the process alive. */
function countingClock(): Clock & { readonly left: number } {
  const waiting = new Set<object>();
  return {
    ...realClock,
    get left() {
      return waiting.size;
    },
    after(ms, fire) {
      const timer = {};
      waiting.add(timer);
      const stop = realClock.after(ms, () => {
        waiting.delete(timer);
        fire();
      });
      return () => {
        waiting.delete(timer);
        stop();
      };
    },
  };
}

/** Whether the request was carried out is not known. */
const UNCLEAR: ReadonlySet<string> = new Set([
  'no-answer',
  'unusable',
  'server-error',
  'unproven',
  'passing',
]);

function wordsOf(result: Result<unknown, ServiceError>, unclear: string): string {
  if (result.ok) return 'ok';
  const { came, detail, code, status } = result.error;
  const why = detail === undefined ? [code ?? status] : [detail, code].filter((word) => word !== undefined);
  return `${UNCLEAR.has(came) ? unclear : came}: ${why.join(' ')}`;
}

describe.each(Object.entries(WAYS))('%s', (_, { way, create, read }) => {
  it('ends a create', async () => {
    const { client } = await startService(way);
    expect(wordsOf(await client.createProduct(PRODUCT), 'unknown')).toBe(create);
    // The next request is not confused by what was left of this one.
    expect(wordsOf(await client.createProduct(PRODUCT), 'unknown')).toBe(create);
  });

  it('ends a read', async () => {
    const { client } = await startService(way);
    const result = await client.getProduct('p-1');
    expect(wordsOf(result, result.ok ? '' : result.error.came)).toBe(read);
  });

  it('ends the wait for a token, and nothing was sent', async () => {
    const server = await startRawServer(() => way);
    closing.push(() => server.close());
    const result = await clientOf(server.url).createProduct(PRODUCT);
    expect(result).toMatchObject({ ok: false, error: { noToken: true } });
  });

  it('ends a download', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-framing-'));
    closing.push(() => rm(folder, { recursive: true }));
    const { url } = await startService(way);
    const clock = countingClock();
    const client = clientOf(url, clock);
    const result = await client.download({ url: `${url}/a.png`, path: path.join(folder, 'a') });
    expect(clock.left).toBe(0);
    // What came of a file that was cut is for the caller to keep or to remove.
    const isCut = !result.ok && result.error.came === 'unusable';
    expect(await readdir(folder)).toEqual(result.ok || isCut ? ['a'] : []);
  });
});

it('an answer that came while the process stood still is read, though all its time is over', async () => {
  const { client } = await startService((socket) => {
    socket.write(answer('201 Created', [`content-length: ${BYTES}`]));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  });
  expect(await client.createProduct(PRODUCT)).toMatchObject({ ok: true, value: { id: 'p-1' } });
});

it('an answer whose last byte was read is whole, whatever its connection comes to', async () => {
  const { client } = await startService((socket) => {
    socket.write(answer('201 Created', [`content-length: ${BYTES}`]), () => socket.resetAndDestroy());
  });
  expect(await client.createProduct(PRODUCT)).toMatchObject({ ok: true, value: { id: 'p-1' } });
});
