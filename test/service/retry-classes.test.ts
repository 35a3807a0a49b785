import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/service/client.ts';
import type { HeldCall } from '../support/held-service.ts';
import { CREATED, heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();

const CALLS = {
  'POST /products/': (client: Client) => client.createProduct(PRODUCT),
  'GET /products/p-1/': (client: Client) => client.getProduct('p-1'),
  'PUT /products/p-1/': (client: Client) => client.putProduct('p-1', PRODUCT),
  'PATCH /products/p-1/': (client: Client) => client.patchProduct('p-1', { name: 'Bag' }),
  'DELETE /products/p-1/': (client: Client) => client.deleteProduct('p-1'),
  'POST /concepts/': (client: Client) =>
    client.createConcept({ name: 'a', description: 'b', ref_images: [] }),
  'PUT /concepts/c-1/': (client: Client) =>
    client.putConcept('c-1', { name: 'a', description: 'b', ref_images: [] }),
  'DELETE /concepts/c-1/': (client: Client) => client.deleteConcept('c-1'),
  'POST /media-config/': (client: Client) =>
    client.createMediaConfig({ content_pillar: 'c-1', number_of_posts: 0, items: [] }),
  'GET /media-config/m-1/': (client: Client) => client.getMediaConfig('m-1'),
  'DELETE /media-config/m-1/': (client: Client) => client.deleteMediaConfig('m-1'),
  'GET /media/m-1/i-1/': (client: Client) => client.getMedia('m-1', 'i-1'),
};

/** 64 MB of spaces. */
const BOMB = gzipSync(Buffer.alloc(64 << 20, 32));
const failed = { status: 'failed', message: 'no' };

/** Every way that an answer can go wrong, and what it means on every route. */
const WAYS: Record<string, { act: (call: HeldCall) => void; means: object }> = {
  'reset before the answer': {
    act: (call) => call.reset(),
    means: { came: 'no-answer' },
  },
  'body cut, length declared': {
    act: (call) => call.cut(201, CREATED),
    means: { came: 'unusable', status: 201 },
  },
  'body cut, chunked': {
    act: (call) => call.cut(201, CREATED, 'chunked'),
    means: { came: 'unusable', status: 201 },
  },
  'body cut, no length': {
    act: (call) => call.cut(201, CREATED, 'none'),
    means: { came: 'unusable', status: 201 },
  },
  'compressed body cut': {
    act: (call) => {
      const bytes = gzipSync(JSON.stringify(CREATED));
      call.respondRaw(201, bytes.subarray(0, 20), { 'content-encoding': 'gzip' });
    },
    means: { came: 'unusable', status: 201 },
  },
  'gzip bomb': {
    act: (call) => call.respondRaw(200, BOMB, { 'content-encoding': 'gzip' }),
    means: { came: 'unusable', status: 200 },
  },
  HTML: {
    act: (call) => call.respondRaw(200, '<!doctype html><p>hello', { 'content-type': 'text/html' }),
    means: { came: 'unusable', status: 200 },
  },
  'status failed under 200': {
    act: (call) => call.respond(200, failed),
    means: { came: 'unusable', status: 200 },
  },
  'nested without end': {
    act: (call) => call.respondRaw(200, '['.repeat(100_000) + ']'.repeat(100_000)),
    means: { came: 'unusable', status: 200 },
  },
  'a redirect': {
    act: (call) => call.respond(307, failed, { location: 'http://127.0.0.1:9/' }),
    means: { came: 'unproven', status: 307 },
  },
  400: {
    act: (call) => call.respond(400, failed),
    means: { came: 'refused', status: 400 },
  },
  'a 400 whose body is cut': {
    act: (call) => call.cut(400, failed),
    means: { came: 'refused', status: 400 },
  },
  404: {
    act: (call) => call.respond(404, failed),
    means: { came: 'refused', status: 404 },
  },
  ...Object.fromEntries(
    [408, 409, 425].map((status) => [
      status,
      {
        act: (call: HeldCall) => call.respond(status, failed),
        means: { came: status === 409 ? 'unproven' : 'passing', status },
      },
    ]),
  ),
  429: {
    act: (call) => call.respond(429, failed),
    means: { came: 'throttled', status: 429 },
  },
  ...Object.fromEntries(
    [500, 502, 503].map((status) => [
      status,
      {
        act: (call: HeldCall) => call.respond(status, failed),
        means: { came: 'server-error', status },
      },
    ]),
  ),
};

describe.each(Object.entries(CALLS))('%s', (route, send) => {
  it.each(Object.entries(WAYS))('%s', async (_, { act, means }) => {
    const { service, client } = await held.start();
    const reply = send(client);
    act(await service.next(route));
    expect(meaning(await reply)).toEqual(means);
    expect(service.seen).toEqual(['POST /get_auth_token', route]);
  });
});
