import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { startRawServer } from '../support/raw-server.ts';
import { API_KEY, CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Time that the test moves; timers are real. */
function movedClock() {
  let moved = 0;
  return {
    ...realClock,
    monotonic: () => moved,
    advance: (ms: number) => void (moved += ms),
  };
}

/** A held service and a client whose idle times the test decides. */
async function start() {
  const clock = movedClock();
  const { service, client } = await held.start({ client: { clock } });
  const create = async () => {
    const reply = client.createProduct(PRODUCT);
    const call = await service.next('POST /products/');
    call.respond(201, CREATED);
    expect(meaning(await reply)).toBe('ok');
    return call.clientPort;
  };
  const get = async () => {
    const reply = client.getProduct('p-1');
    const call = await service.next('GET /products/p-1/');
    call.respond(200, CREATED);
    expect(meaning(await reply)).toBe('ok');
    return call.clientPort;
  };
  return { clock, service, client, create, get };
}

it('a create has a connection of its own, which nobody else gets', async () => {
  const { create, get } = await start();
  const first = await get();
  const ports = [first, await create(), await create()];
  expect(new Set(ports).size).toBe(3);
  expect(await get()).toBe(first);
});

it('anything but a create takes a kept connection however long it was idle', async () => {
  const { clock, get } = await start();
  const first = await get();
  clock.advance(600_000);
  expect(await get()).toBe(first);
});

it('woke() closes what is idle, and a new token is fetched', async () => {
  const { client, service, get } = await start();
  const first = await get();
  client.woke();
  expect(await get()).not.toBe(first);
  expect(service.seen.filter((name) => name === 'POST /get_auth_token')).toHaveLength(2);
});

it.each([
  ['a whole answer', answerOf(JSON.stringify({ ...CREATED, data: { id: 'ghost' } }))],
  ['the beginning of one', 'HTTP/1.1 200 OK\r\ncontent-'],
])('an idle connection on which %s comes is closed: it answers nobody', async (_, surplus) => {
  const sockets: Socket[] = [];
  const server = await startRawServer((head) => (socket) => {
    sockets.push(socket);
    const token = { data: { access_token: 'token-1', expires_at: 3600 } };
    socket.write(answerOf(JSON.stringify(head.startsWith('POST /get_auth_token') ? token : CREATED)));
  });
  const client = createClient({ baseUrl: server.url, apiKey: API_KEY, clock: realClock });
  closing.push(async () => {
    client.close();
    await server.close();
  });
  expect(meaning(await client.getProduct('p-1'))).toBe('ok');
  const [kept] = sockets;
  kept?.write(surplus);
  await new Promise((resolve) => kept?.once('close', resolve));
  expect(await client.createProduct(PRODUCT)).toMatchObject({ ok: true, value: { id: 'p-1' } });
  expect(new Set(sockets).size).toBe(2);
});

function answerOf(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
