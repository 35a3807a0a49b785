import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BEHAVIOUR, SWITCHES } from '../../src/emulator/behaviour.ts';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import { ROUTES } from '../../src/emulator/fault-rules/routes.ts';
import { fetchAndCheck } from '../support/checked-fetch.ts';
import { operations } from '../support/openapi-document.ts';
import { departuresOf } from '../support/switch-departures.ts';
import { INSTANT, makePhoto, startRig, type Rig } from './harness.ts';

const UUID = '00000000-0000-4000-8000-000000000001';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

let rig: Rig;
let photo: Buffer;
beforeAll(async () => {
  rig = await startRig();
  photo = await makePhoto('#a33', 80, 60);
});
afterAll(() => rig.close());

describe('the endpoints of the emulator', () => {
  it('are those of the document, and the files', () => {
    const names = operations.map(({ method, template }) =>
      `${method} ${template}`.replace(/\{\w+\}/g, '{id}'),
    );
    expect([...ROUTES].sort()).toEqual([...names, 'GET /files/{id}'].sort());
  });

  it('exist, and no other methods of their paths', async () => {
    const answered: string[] = [];
    for (const template of new Set(operations.map(({ template }) => template))) {
      for (const method of METHODS) {
        const answer = await fetch(rig.url + template.replace(/\{\w+\}/g, UUID), {
          method,
          headers: { authorization: `Bearer ${rig.token}` },
        });
        const { message } = (await answer.json()) as { message: string };
        if (message !== 'No such endpoint.') answered.push(`${method} ${template}`);
      }
    }
    expect(answered.sort()).toEqual(operations.map(({ method, template }) => `${method} ${template}`).sort());
  });
});

/** Switches that show in a finished medium; pictures take time, for the others an unfinished one will do. */
const NEEDS_A_PICTURE = [
  'mediaPath',
  'mediaId',
  'pendingAs',
  'doneStatus',
  'mediaInfo',
  'filesListed',
  'fileLinks',
];

/** Every endpoint once, in the order of a campaign's life; gives what the check of all exchanges finds. */
async function walk(behaviour: Partial<Behaviour>): Promise<string[]> {
  rig.emulator.switch({ ...DEFAULT_BEHAVIOUR, generationMs: INSTANT, ...behaviour });
  const found: string[] = [];
  const called = rig.emulator.calls.length;
  const send = async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const { answer, problems } = await fetchAndCheck(rig.url, path, {
      method,
      headers: {
        ...(path !== '/get_auth_token' && { authorization: `Bearer ${rig.token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    found.push(...problems);
    return (await answer.json()) as { data: { id: string; status: string; items: Item[] } };
  };
  interface Item {
    id: string;
    media_id?: string;
  }

  await send('POST', '/get_auth_token', { api_key: 'any key' });
  const file = new FormData();
  file.set('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  await send('POST', '/upload-media/', file);
  const url = 'https://cdn.example.com/tote.jpg';
  const tote = { name: 'Tote', variant: 'product_with_label', media_urls: [{ type: 'image', url }] };
  const product = (await send('POST', '/products/', tote)).data.id;
  await send('GET', `/products/${product}/`);
  await send('PUT', `/products/${product}/`, { ...tote, description: 'Canvas' });
  await send('PATCH', `/products/${product}/`, { name: 'Bag' });
  const mood = { name: 'Night', description: null, ref_images: [{ url }] };
  const concept = (await send('POST', '/concepts/', mood)).data.id;
  await send('PUT', `/concepts/${concept}/`, mood);
  const asset = { type: 'product', product_id: product };
  const guide = { post_type: 'image', assets: [asset], metadata: { aspect_ratio: '8:1' } };
  const schema = { ...guide, assets: [{ ...asset, url }], variants: ['clean'], descriptions: [] };
  const item = behaviour.acceptedForm === 'guide' ? guide : schema;
  const items = behaviour.itemsAnswer === undefined ? [item] : [item, item];
  const request = { content_pillar: concept, number_of_posts: items.length, items };
  const { data: config } = await send('POST', '/media-config/', request);
  const medium = config.items[0]?.media_id ?? config.items[0]?.id ?? '';
  await send('GET', `/media-config/${config.id}/`);
  const paths = {
    'config-item': `/media/${config.id}/${medium}/`,
    'concept-item': `/media/${concept}/${medium}/`,
    'item-config': `/media/${medium}/${config.id}/`,
  };
  const path = paths[behaviour.mediaPath ?? 'config-item'];
  const done = behaviour.doneStatus ?? 'success';
  let status = (await send('GET', path)).data?.status;
  while (NEEDS_A_PICTURE.some((name) => name in behaviour) && status !== done)
    status = (await send('GET', path)).data?.status;
  await send('DELETE', `/media-config/${config.id}/`);
  await send('DELETE', `/concepts/${concept}/`);
  await send('DELETE', `/products/${product}/`);
  await send('GET', `/products/${product}/`);
  await send('POST', '/products/', { name: 7 });

  const routes = new Set(rig.emulator.calls.slice(called).map(({ route }) => route));
  expect([...routes].sort()).toEqual(ROUTES.filter((route) => !route.includes('/files/')).sort());
  return found;
}

/** Every reading of every switch but the first ones, which all are the default. */
const READINGS = [
  {},
  ...Object.entries(SWITCHES).flatMap(([name, [, ...values]]) =>
    values.map((value): Partial<Behaviour> => ({ [name]: value })),
  ),
];

describe('the answers of the emulator', () => {
  it.each(READINGS)('are as the document has them under %o', async (reading) => {
    const problems = await walk(reading);
    const departures = departuresOf(reading);
    for (const departure of departures)
      expect(problems.filter((text) => departure.test(text))).not.toEqual([]);
    expect(problems.filter((text) => !departures.some((departure) => departure.test(text)))).toEqual([]);
  });
});
