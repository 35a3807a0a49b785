import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/service/client.ts';
import { heldFixture, meaning, PRODUCT } from './fixtures.ts';

const held = heldFixture();
const LOST = { came: 'unusable' };

const CREATES = {
  'POST /products/': (client: Client) => client.createProduct(PRODUCT),
  'POST /concepts/': (client: Client) =>
    client.createConcept({ name: null, description: null, ref_images: [] }),
  'POST /media-config/': (client: Client) =>
    client.createMediaConfig({ content_pillar: 'c', number_of_posts: 0, items: [] }),
};

describe.each(Object.entries(CREATES))('%s', (route, send) => {
  it.each(['null', '[]', '{}', '""', '', '7'])('answers %j: created, and its id is lost', async (body) => {
    const { service, client } = await held.start();
    const reply = send(client);
    (await service.next(route)).respondRaw(201, body);
    expect(meaning(await reply)).toEqual({ ...LOST, status: 201 });
  });

  it.each([null, '', 'a b', '..', 'x'.repeat(10_000_000)])('an id that is none', async (id) => {
    const { service, client } = await held.start();
    const reply = send(client);
    (await service.next(route)).respond(201, { status: 'success', data: { id, items: [] } });
    expect(meaning(await reply)).toEqual({ ...LOST, status: 201 });
  });

  it.each([200, 201, 202])('answers %i', async (status) => {
    const { service, client } = await held.start();
    const reply = send(client);
    (await service.next(route)).respond(status, { status: 'success', data: { id: 12, items: [] } });
    expect(await reply).toMatchObject({ ok: true, value: { id: '12' } });
  });
});

it('updates need no record in their answer, deletions no body', async () => {
  const { service, client } = await held.start();
  const put = client.putProduct('p 1', PRODUCT);
  (await service.next('PUT /products/p%201/')).respond(200, { status: 'success', message: 'ok' });
  expect(await put).toMatchObject({ ok: true, value: { id: 'p 1' } });
  const remove = client.deleteConcept('c-1');
  (await service.next('DELETE /concepts/c-1/')).respondRaw(204, '');
  expect(await remove).toEqual({ ok: true, value: undefined });
});
