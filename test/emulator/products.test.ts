import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProductRecord } from '../../src/service/wire.ts';
import { startRig, type Rig } from './harness.ts';

const MEDIA = [
  { type: 'image', url: 'https://cdn.example.com/1.jpg' },
  { type: 'image', url: 'https://cdn.example.com/2.jpg' },
];
const TOTE = { name: 'Tote & co', variant: 'product_with_label', media_urls: MEDIA };
const UNKNOWN = '/products/0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f/';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

function multipart(fields: Record<string, string>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method: 'POST', body };
}

describe('products', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await rig.call<ProductRecord>('POST', '/products/', TOTE);
    expect(created).toMatchObject({
      status: 201,
      body: { status: 'success', data: { ...TOTE, description: '' } },
    });
    const { id } = created.body.data;
    const path = `/products/${id}/`;
    expect(await rig.call('GET', path)).toMatchObject({ status: 200, body: { data: created.body.data } });

    const patched = await rig.call<ProductRecord>('PATCH', path, { description: 'Natural canvas' });
    expect(patched).toMatchObject({
      status: 200,
      body: { data: { ...TOTE, id, description: 'Natural canvas' } },
    });

    const put = await rig.call<ProductRecord>('PUT', path, { ...TOTE, name: 'Bag', media_urls: [] });
    expect(put.body.data).toMatchObject({ id, name: 'Bag', description: '', media_urls: [] });
    expect(put.body.data.created_at).toBe(created.body.data.created_at);
    // The interface has a slash at the end of its paths; a client without one is understood all the same.
    const headers = { authorization: `Bearer ${rig.token}` };
    const answer = await fetch(rig.url + path.slice(0, -1), { headers });
    expect(await answer.json()).toMatchObject({ data: put.body.data });

    const deleted = await rig.call('DELETE', path);
    expect(deleted).toEqual({
      status: 200,
      body: { message: 'Product deleted successfully.', status: 'success' },
    });
    for (const method of ['GET', 'DELETE']) expect((await rig.call(method, path)).status).toBe(404);
    expect(
      rig.ledger.entries().map(({ n, method, kind, action, id }) => ({ n, method, kind, action, id })),
    ).toEqual([
      { n: 1, method: 'POST', kind: 'product', action: 'create', id },
      { n: 2, method: 'PATCH', kind: 'product', action: 'update', id },
      { n: 3, method: 'PUT', kind: 'product', action: 'update', id },
      { n: 4, method: 'DELETE', kind: 'product', action: 'delete', id },
    ]);
  });

  it.each<[string, RequestInit]>([
    ['json', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(TOTE) }],
    [
      'urlencoded with JSON text',
      { method: 'POST', body: new URLSearchParams({ ...TOTE, media_urls: JSON.stringify(MEDIA) }) },
    ],
    [
      'urlencoded with bracketed names',
      {
        method: 'POST',
        body: new URLSearchParams([
          ['name', TOTE.name],
          ['variant', TOTE.variant],
          ['media_urls[1][type]', 'image'],
          ['media_urls[1][url]', 'https://cdn.example.com/2.jpg'],
          ['media_urls[0][type]', 'image'],
          ['media_urls[0][url]', 'https://cdn.example.com/1.jpg'],
        ]),
      },
    ],
    ['multipart with JSON text', multipart({ ...TOTE, media_urls: JSON.stringify(MEDIA) })],
    [
      'multipart with bracketed names',
      multipart({
        name: TOTE.name,
        variant: TOTE.variant,
        'media_urls[0][type]': 'image',
        'media_urls[0][url]': 'https://cdn.example.com/1.jpg',
        'media_urls[1]': JSON.stringify(MEDIA[1]),
      }),
    ],
  ])('accept %s', async (_encoding, init) => {
    const answer = await rig.send<ProductRecord>('/products/', init);
    expect(answer).toMatchObject({ status: 201, body: { data: TOTE } });
    expect(rig.ledger.entries().at(-1)).toMatchObject({ request: TOTE, name: TOTE.name });
  });

  it('name every bad field', async () => {
    const before = rig.ledger.entries().length;
    const answer = await rig.call('POST', '/products/', {
      name: ' ',
      media_urls: [{ type: 'image', url: 'x' }, 1],
    });
    const problems = [
      'name: must be a text that is not empty',
      'variant: this field is required',
      'media_urls[1]: must be an object',
      'media_urls[0].url: must be an http or https URL',
    ];
    expect(answer).toEqual({
      status: 400,
      body: { message: problems.join('; '), status: 'failed', data: problems },
    });
    expect((await rig.call('POST', '/products/', [])).body.message).toBe('body: must be an object');
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":' };
    expect(await rig.send('/products/', broken)).toMatchObject({
      status: 400,
      body: { message: 'body: not valid JSON', status: 'failed' },
    });
    expect(rig.ledger.entries()).toHaveLength(before);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'GET'])('%s of an unknown id is 404', async (method) => {
    const body = method === 'PUT' || method === 'PATCH' ? TOTE : undefined;
    expect(await rig.call(method, UNKNOWN, body)).toEqual({
      status: 404,
      body: { message: 'Product not found.', status: 'failed' },
    });
  });
});
