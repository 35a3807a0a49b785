/** What the interface does not say: what becomes of a media configuration whose product or concept is deleted. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import { createConcept, createProduct, item, requestPosts, type Rig, startRig } from './harness.ts';

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const HOUR = 3_600_000;

/** A post of two products; what a DELETE of one of its parts and then a GET of the request answer. */
async function deleteOne(deleteInUse: Behaviour['deleteInUse'], part: 'products' | 'concepts') {
  const never = { image: HOUR, carousel: HOUR, video: HOUR };
  rig = await startRig({ behaviour: { deleteInUse, generationMs: never } });
  const product = await createProduct(rig, ['https://cdn.invalid/1.jpg']);
  const unused = await createProduct(rig, ['https://cdn.invalid/2.jpg']);
  const concept = await createConcept(rig);
  const config = (await requestPosts(rig, concept.id, [item(product.id)])).body.data;
  const id = part === 'products' ? product.id : concept.id;
  const read = async () => (await rig?.call('GET', `/media-config/${config.id}/`))?.status;
  const free = await rig.call('DELETE', `/products/${unused.id}/`);
  expect([free.status, await read()]).toEqual([200, 200]);
  const { status } = await rig.call('DELETE', `/${part}/${id}/`);
  const medium = await rig.call('GET', `/media/${config.id}/${config.items[0]?.id}/`);
  return [status, await read(), medium.status];
}

describe.each(['products', 'concepts'] as const)('a DELETE of one of the %s that is in use', (part) => {
  it.each([
    ['allowed', [200, 200, 200]],
    ['refused', [409, 200, 200]],
    ['cascades', [200, 404, 404]],
  ] as const)('is %s', async (deleteInUse, expected) => {
    expect(await deleteOne(deleteInUse, part)).toEqual(expected);
  });
});
