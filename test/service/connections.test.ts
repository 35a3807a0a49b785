import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/service/client.ts';
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

it('a create has a connection of its own, and what was idle is closed before', async () => {
  const { create, get } = await start();
  const ports = [await get(), await create(), await create(), await get()];
  expect(new Set(ports).size).toBe(4);
});

it('there are never more connections than are allowed, those of tokens and idle ones included', async () => {
  const counted = countConnections();
  const gateway = await startGateway({ serves: 100 });
  const client = clientOf(gateway, { concurrency: 4 });
  await mixOf(client, 60);
  client.woke();
  client.allow(2);
  await mixOf(client, 20);
  expect(counted.most).toBe(4);
});

it('a gateway that serves two connections gets all requests of four: what is idle is closed where one stalls', async () => {
  const counted = countConnections();
  const gateway = await startGateway({ serves: 2 });
  // Two seconds are 20 ms.
  const deadlines = {
    ...realClock,
    after: (ms: number, fire: () => void) => realClock.after(ms / 100, fire),
  };
  const requestTimeouts = { idleMs: 500, connectMs: 1e9, totalMs: 1e9, fileMs: 1e9 };
  const client = clientOf(gateway, { concurrency: 4, deadlines, requestTimeouts });
  await mixOf(client, 40);
  expect(counted.most).toBe(4);
});

/** Many requests at once, every third one a create; all are answered. */
async function mixOf(client: Client, requests: number): Promise<void> {
  const replies = Array.from({ length: requests }, (_, n) =>
    n % 3 === 0 ? client.createProduct(PRODUCT) : client.getProduct('p-1'),
  );
  for (const reply of await Promise.all(replies)) expect(meaning(reply)).toBe('ok');
}

function clientOf({ url }: { readonly url: string }, options: Partial<ClientOptions>): Client {
  const client = createClient({ baseUrl: url, apiKey: API_KEY, clock: realClock, ...options });
  closing.push(() => Promise.resolve(client.close()));
  return client;
}

/** Answers at once, over so many connections; further ones are accepted and wait until one of these is closed. */
async function startGateway({ serves }: { readonly serves: number }) {
  const sockets = new Set<Socket>();
  const queue: Socket[] = [];
  let served = 0;
  const service = http.createServer((request, response) => {
    const data = { id: 'p-1', name: 'Tote', access_token: 'token-1', expires_at: 3600 };
    const body = JSON.stringify({ status: 'success', message: 'ok', data });
    request.resume().once('end', () => response.writeHead(200).end(body));
  });
  const serve = () => {
    const socket = served < serves ? queue.shift() : undefined;
    if (!socket) return;
    served += 1;
    socket.once('close', () => {
      served -= 1;
      serve();
    });
    service.emit('connection', socket);
  };
  const server = net.createServer((socket) => {
    sockets.add(socket);
    queue.push(socket.on('error', () => {}));
    serve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Counts the connections that this process has opened and not closed: no server sees both in their order. */
function countConnections() {
  let open = 0;
  let most = 0;
  const count = (message: unknown) => {
    open += 1;
    most = Math.max(most, open);
    (message as { readonly socket: Socket }).socket.once('close', () => (open -= 1));
  };
  subscribe('net.client.socket', count);
  onTestFinished(() => void unsubscribe('net.client.socket', count));
  return {
    get most() {
      return most;
    },
  };
}

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
