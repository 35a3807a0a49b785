import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fault, FaultRule, WrongBody } from '../../src/emulator/fault-rules/fault-rule.ts';
import type { Clock } from '../../src/util/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { makePhoto, startRig, upload, type Rig } from './harness.ts';
import { headerOf, sendRaw, statusOf, type RawAnswer } from './raw-client.ts';

const CREATE = {
  method: 'POST',
  path: '/concepts/',
  json: { name: 'Morning', description: 'Soft side light' },
};

/** What each member of gzip begins with. */
const GZIP = Buffer.from([0x1f, 0x8b, 8]);

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** One create of a concept that meets this fault. */
async function create(fault: Fault, options: Parameters<typeof startRig>[0] = {}) {
  rig = await startRig({ ...options, orders: [{ on: 'POST /concepts/', do: fault }] });
  const answer = await sendRaw(rig, CREATE);
  return { answer, made: rig.ledger.entries(), call: rig.emulator.calls.at(-1) };
}

/** The bytes that are left when the framing by chunks is taken away. */
function unchunked({ body, head }: RawAnswer): Buffer {
  if (!/transfer-encoding: chunked/i.test(head)) return body;
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, line).toString(), 16);
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  throw new Error('the last chunk is missing');
}

/** A clock that goes on by the whole of every wait, at once. */
function createSkippingClock(): Clock {
  let elapsed = 0;
  return {
    now: () => elapsed,
    monotonic: () => elapsed,
    after(ms, fire) {
      const soon = setImmediate(() => {
        elapsed += ms;
        fire();
      });
      return () => clearImmediate(soon);
    },
  };
}

describe('a status', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s the effect is an envelope of failure', async (effect, effects) => {
    const { answer, made, call } = await create({ fault: 'status', status: 503, effect });
    expect([statusOf(answer), answer.body.toString()]).toEqual([
      503,
      '{"message":"Service Unavailable.","status":"failed"}',
    ]);
    expect(made).toHaveLength(effects);
    expect(call).toMatchObject({ status: 503, played: 'status' });
  });

  it.each([
    [7, '7'],
    ['abc', 'abc'],
    [1e12, '1000000000000'],
    [{ dateInSeconds: 90 }, 'Thu, 01 Jan 2026 00:01:30 GMT'],
    [{ dateInSeconds: -90 }, 'Wed, 31 Dec 2025 23:58:30 GMT'],
  ] as const)('may ask to come back after %j', async (retryAfter, header) => {
    const { answer } = await create(
      { fault: 'status', status: 429, retryAfter, message: 'Slow down.' },
      { clock: createManualClock() },
    );
    expect(headerOf(answer, 'retry-after')).toBe(header);
    expect(headerOf(answer, 'date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(answer.body.toString()).toContain('Slow down.');
  });
});

describe('a redirect', () => {
  it.each([
    ['same', undefined, 307, /^http:\/\/127\.0\.0\.1:\d+\/api\/concepts\/$/],
    ['other-host', 301, 301, /^http:\/\/other-host\.invalid\/api\/concepts\/$/],
    ['other-port', 302, 302, /^http:\/\/127\.0\.0\.1:9\/api\/concepts\/$/],
    ['other-scheme', 308, 308, /^https:\/\/127\.0\.0\.1:\d+\/api\/concepts\/$/],
  ] as const)('leads to %s', async (to, asked, status, location) => {
    const { answer, made } = await create({ fault: 'redirect', to, ...(asked && { status: asked }) });
    expect([statusOf(answer), made.length]).toEqual([status, 0]);
    expect(headerOf(answer, 'location')).toMatch(location);
  });
});

describe('a wrong body', () => {
  it.each<[WrongBody, RegExp]>([
    ['html', /^<!DOCTYPE html>/],
    ['empty', /^$/],
    ['not-json', /^Status: created\n$/],
    ['null', /^null$/],
    ['list', /^\[\]$/],
    ['failed-envelope', /^\{"message":"It did not work\.","status":"failed"\}$/],
    ['no-data', /^\{"message":"It worked\.","status":"success"\}$/],
    ['number-id', /"data":\{"id":12345,"name":"Morning"/],
    ['empty-id', /"data":\{"id":"","name":"Morning"/],
  ])('%s comes with the status of success', async (body, shape) => {
    const { answer, made, call } = await create({ fault: 'body', body });
    expect([statusOf(answer), made.length, call?.status]).toEqual([201, 1, 201]);
    expect(unchunked(answer).toString()).toMatch(shape);
  });

  it('has an id of 10 MB', async () => {
    const { answer } = await create({ fault: 'body', body: 'long-id' });
    const { data } = JSON.parse(answer.body.toString()) as { data: { id: string } };
    expect(data.id).toHaveLength(10 * 1024 ** 2);
  });

  it('of 100 MB is whole JSON', async () => {
    const { answer } = await create({ fault: 'body', body: 'huge' });
    const body = unchunked(answer);
    expect(body.length).toBeGreaterThan(100 * 1024 ** 2);
    expect([body.subarray(0, 12).toString(), body.subarray(-4).toString()]).toEqual(['{"message":"', '0"}}']);
  });

  it('of 1 MB of gzip comes to 1 GB', async () => {
    const { answer } = await create({ fault: 'body', body: 'gzip-bomb' });
    expect(headerOf(answer, 'content-encoding')).toBe('gzip');
    const packed = unchunked(answer);
    expect(packed.length).toBeLessThan(1.2 * 1024 ** 2);
    // A member of gzip, one that is repeated, and a last one: to unpack one of all is enough.
    const start = packed.indexOf(GZIP, 1);
    const piece = packed.subarray(start, packed.indexOf(GZIP, start + 1));
    const count = Math.floor((packed.length - start) / piece.length);
    const end = start + count * piece.length;
    expect(packed.subarray(start, end).equals(Buffer.alloc(end - start, piece))).toBe(true);
    expect(gunzipSync(piece).length * count).toBeGreaterThanOrEqual(1024 ** 3);
    const short = Buffer.concat([packed.subarray(0, start), piece, packed.subarray(end)]);
    expect(JSON.parse(gunzipSync(short).toString())).toMatchObject({ status: 'success' });
  });

  it.each([
    ['token', 'POST /get_auth_token', { json: { api_key: 'any' } }, /"access_token":"",/],
    ['product', 'POST /products/', { json: { name: 'x', variant: 'y', media_urls: [] } }, /"id":"",/],
  ] as const)('without an id, of a %s', async (_what, on, { json }, shape) => {
    rig = await startRig({ orders: [{ on, do: { fault: 'body', body: 'empty-id' } }] });
    const [method = '', path = ''] = on.split(' ');
    expect((await sendRaw(rig, { method, path, json })).body.toString()).toMatch(shape);
  });

  it.each([
    ['data', 'data'],
    ['data.url', 'data.url'],
    ['nested', 'data.file.url'],
    ['list', 'data.0.url'],
    ['top-url', 'url'],
  ] as const)('without a URL, of an upload that is answered as %s', async (uploadAnswer, where) => {
    const orders: FaultRule[] = [{ on: 'POST /upload-media/', do: { fault: 'body', body: 'empty-id' } }];
    rig = await startRig({ behaviour: { uploadAnswer }, orders });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await makePhoto('#446'))]), 'photo.jpg');
    const headers = { authorization: `Bearer ${rig.token}` };
    const answer = await fetch(`${rig.url}/upload-media/`, { method: 'POST', body: form, headers });
    const found = where
      .split('.')
      .reduce<unknown>((value, key) => Reflect.get(Object(value), key), await answer.json());
    expect(found).toBe('');
  });
});

describe('a file', () => {
  it('may be cut, be a page, or be gone', async () => {
    rig = await startRig();
    const photo = await makePhoto('#446');
    const url = await upload(rig, photo);
    const path = url.slice(rig.url.length);
    const get = { method: 'GET', path };
    const on = 'GET /files/{id}';
    rig.emulator.order([
      { on, when: { nth: 1 }, do: { fault: 'half-body', length: 'declared' } },
      { on, when: { nth: 2 }, do: { fault: 'body', body: 'wrong-type' } },
      { on, when: { nth: 3 }, do: { fault: 'status', status: 410 } },
      { on, when: { nth: 4 }, do: { fault: 'drip', everyMs: 0, bytes: 1000 } },
    ]);
    const cut = await sendRaw(rig, get);
    expect([headerOf(cut, 'content-length'), cut.body]).toEqual([
      String(photo.length),
      photo.subarray(0, Math.floor(photo.length / 2)),
    ]);
    const page = await sendRaw(rig, get);
    expect(headerOf(page, 'content-type')).toBe('image/jpeg');
    expect(page.body.toString()).toMatch(/^<!DOCTYPE html>/);
    expect(statusOf(await sendRaw(rig, get))).toBe(410);
    expect((await sendRaw(rig, get)).body).toEqual(photo);
    expect((await sendRaw(rig, get)).body).toEqual(photo);
    expect(rig.emulator.calls.slice(-5).map(({ route, played }) => [route, played])).toEqual(
      ['half-body', 'body', 'status', 'drip', undefined].map((played) => [on, played]),
    );
  });
});

describe('time', () => {
  it('passes between the pieces of an answer that drips', async () => {
    const clock = createSkippingClock();
    rig = await startRig({
      clock,
      orders: [{ on: 'POST /concepts/', do: { fault: 'drip', everyMs: 1000, bytes: 100 } }],
    });
    const { body, head } = await sendRaw(rig, CREATE);
    expect(JSON.parse(body.toString())).toMatchObject({ status: 'success' });
    expect(head).toContain(`content-length: ${body.length}`);
    expect(clock.monotonic()).toBe(1000 * (Math.ceil(body.length / 100) - 1));
  });

  it('passes before a request that is delayed is seen by its route', async () => {
    const clock = createManualClock();
    rig = await startRig({ clock, orders: [{ on: '*', do: { fault: 'delay', ms: 60_000 } }] });
    const answer = sendRaw(rig, CREATE);
    while (clock.pending === 0) await clock.settle();
    await clock.advance(59_999);
    expect(rig.ledger.entries()).toEqual([]);
    await clock.advance(1);
    expect(statusOf(await answer)).toBe(201);
  });

  it('passes before every answer of a service with latency', async () => {
    const clock = createManualClock();
    rig = await startRig({ clock });
    rig.emulator.switch({ latencyMs: 100 });
    const answer = sendRaw(rig, CREATE);
    while (clock.pending === 0) await clock.settle();
    await clock.advance(100);
    expect(statusOf(await answer)).toBe(201);
  });

  it('does not hold up the end of the emulator', async () => {
    const held = await startRig({ orders: [{ on: '*', do: { fault: 'delay', ms: 1e9 } }] });
    const answer = sendRaw(held, CREATE);
    while (held.emulator.calls.length < 2) await new Promise(setImmediate);
    await held.close();
    expect((await answer).head).toBe('');
    expect(held.ledger.entries()).toEqual([]);
  });
});
