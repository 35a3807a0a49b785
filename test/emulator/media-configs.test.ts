import { afterEach, describe, expect, it } from 'vitest';
import type { MediaConfigRecord } from '../../src/service/wire.ts';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import { createConcept, createProduct, item, requestPosts, startRig, type Rig } from './harness.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const PHOTO = 'https://cdn.example.com/1.jpg';

let rig: Rig | undefined;
afterEach(() => rig?.close());

async function start(behaviour: Partial<Behaviour> = {}) {
  rig = await startRig({
    behaviour: { generationMs: { image: 1e9, carousel: 1e9, video: 1e9 }, ...behaviour },
  });
  const product = await createProduct(rig, [PHOTO]);
  const concept = await createConcept(rig);
  return { rig, product: product.id, concept };
}

function schemaItem(product: string) {
  return item(product, {
    assets: [{ type: 'product', product_id: product, url: PHOTO }],
    variants: ['clean'],
    descriptions: [{ description: 'On a chair' }],
  });
}

describe('media configurations', () => {
  it('are created with their items and concept, read and deleted', async () => {
    const { rig: service, product, concept } = await start();
    const created = await requestPosts(service, concept.id, [
      schemaItem(product),
      item(product, { post_type: 'video' }),
    ]);
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data).toMatchObject({
      number_of_posts: 2,
      content_pillar: concept,
      items: [schemaItem(product), { ...item(product), post_type: 'video', variants: [], descriptions: [] }],
    });
    const path = `/media-config/${data.id}/`;
    expect(await service.call('GET', path)).toMatchObject({ status: 200, body: { data } });
    expect(service.ledger.entries().at(-1)).toMatchObject({
      kind: 'media-config',
      id: data.id,
      items: data.items.map(({ id }) => id),
    });
    expect((await service.call('DELETE', path)).body).toEqual({
      message: 'Media configuration deleted successfully.',
      status: 'success',
    });
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('GET', `/media/${data.id}/${data.items[0]?.id}/`)).status).toBe(404);
  });

  it('show the concept as it is now, and as it was once it is gone', async () => {
    const { rig: service, product, concept } = await start();
    const { id } = (await requestPosts(service, concept.id, [item(product)])).body.data;
    await service.call('PUT', `/concepts/${concept.id}/`, {
      name: 'Noon',
      description: null,
      ref_images: [],
    });
    const read = () => service.call<MediaConfigRecord>('GET', `/media-config/${id}/`);
    expect((await read()).body.data.content_pillar.name).toBe('Noon');
    await service.call('DELETE', `/concepts/${concept.id}/`);
    expect((await service.call('DELETE', `/products/${product}/`)).status).toBe(200);
    expect((await read()).body.data.content_pillar.name).toBe('Morning');
  });

  it('make the items again where more posts are asked than items listed', async () => {
    const { rig: service, product, concept } = await start();
    const items = [item(product), item(product, { post_type: 'video' })];
    const body = { content_pillar: concept.id, number_of_posts: 3, items };
    const { data } = (await service.call<MediaConfigRecord>('POST', '/media-config/', body)).body;
    expect(data.items.map((made) => made.post_type)).toEqual(['image', 'video', 'image']);
    expect(new Set(data.items.map(({ id }) => id)).size).toBe(3);
  });

  it.each(['urlencoded', 'multipart'] as const)(
    'accept %s with JSON text and with bracketed names',
    async (encoding) => {
      const { rig: service, product, concept } = await start();
      const fields: [string, string][][] = [
        [
          ['content_pillar', concept.id],
          ['number_of_posts', '1'],
          ['items', JSON.stringify([schemaItem(product)])],
        ],
        [
          ['content_pillar', concept.id],
          ['number_of_posts', '1'],
          ['items[0][post_type]', 'image'],
          ['items[0][assets][0][type]', 'product'],
          ['items[0][assets][0][product_id]', product],
          ['items[0][assets][0][url]', PHOTO],
          ['items[0][variants][]', 'clean'],
          ['items[0][descriptions][0][description]', 'On a chair'],
          ['items[0][metadata][aspect_ratio]', '4:5'],
        ],
      ];
      for (const entries of fields) {
        const form = new FormData();
        for (const [name, value] of entries) form.append(name, value);
        const body = encoding === 'multipart' ? form : new URLSearchParams(entries);
        const answer = await service.send<MediaConfigRecord>('/media-config/', { method: 'POST', body });
        expect(answer).toMatchObject({
          status: 201,
          body: { data: { number_of_posts: 1, items: [schemaItem(product)] } },
        });
      }
    },
  );

  it('name every bad field', async () => {
    const { rig: service, product } = await start();
    const body = {
      content_pillar: ID,
      items: [
        {
          post_type: 'poster',
          assets: [{ type: 'product', product_id: ID }],
          metadata: { aspect_ratio: 'wide' },
        },
        { post_type: 'image', assets: [{ type: 'product', product_id: 'x' }] },
        { ...item(product), descriptions: ['text'] },
      ],
    };
    const answer = await service.call('POST', '/media-config/', body);
    expect(answer.status).toBe(400);
    expect(answer.body.data).toEqual([
      'content_pillar: no such concept',
      'number_of_posts: this field is required',
      'items[0].post_type: must be one of image, video, carousel',
      'items[0].assets[0].product_id: no such product',
      'items[0].metadata.aspect_ratio: must be width:height, as 4:5, at most 8 times as long as wide',
      'items[1].assets[0].product_id: "x" is not a UUID',
      'items[1].metadata: this field is required',
      'items[2].descriptions[0]: must be an object',
    ]);
  });

  it.each([
    ['any', 201, 201],
    ['guide', 201, 400],
    ['schema', 400, 201],
  ] as const)(
    'in the form %s: the guide form gives %i, the schema form %i',
    async (acceptedForm, guide, schema) => {
      const { rig: service, product, concept } = await start({ acceptedForm });
      expect((await requestPosts(service, concept.id, [item(product)])).status).toBe(guide);
      expect((await requestPosts(service, concept.id, [schemaItem(product)])).status).toBe(schema);
    },
  );
});
