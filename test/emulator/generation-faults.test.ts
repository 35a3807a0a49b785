import * as fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GenerationFault } from '../../src/emulator/fault-rules/fault-rule.ts';
import type { MediaRecord } from '../../src/service/wire.ts';
import {
  createConcept,
  createProduct,
  item,
  makeFolder,
  requestPosts,
  startRig,
  untilGenerated,
  type Rig,
} from './harness.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await makeFolder();
});
afterEach(() => fs.rm(dataDir, { recursive: true }));

/** Two posts, of which the first has the fault; the paths of their media. */
async function orderPosts(rig: Rig): Promise<[faulty: string, sound: string]> {
  const product = await createProduct(rig, ['https://cdn.invalid/1.jpg']);
  const concept = await createConcept(rig);
  const config = (await requestPosts(rig, concept.id, [item(product.id), item(product.id)])).body.data;
  const [first, second] = config.items.map(({ id }) => `/media/${config.id}/${id}/`);
  return [first ?? '', second ?? ''];
}

function startWith(how: GenerationFault, message?: string): Promise<Rig> {
  const fault = { fault: 'generation', how, ...(message === undefined ? {} : { message }) } as const;
  return startRig({ dataDir, orders: [{ on: 'generation', when: { nth: 1 }, do: fault }] });
}

/** What so many requests see of a medium: its state, or the status that is no success. */
async function look(rig: Rig, path: string, times: number): Promise<(string | number)[]> {
  const seen: (string | number)[] = [];
  for (let time = 0; time < times; time += 1) {
    const { status, body } = await rig.call<MediaRecord>('GET', path);
    seen.push(status === 200 ? body.data.status : status);
  }
  return seen;
}

describe('a post that is ordered to go wrong', () => {
  it('fails with its message, and the next one is made', async () => {
    const rig = await startWith('fails', 'The photo shows no product.');
    const [faulty, sound] = await orderPosts(rig);
    expect(await untilGenerated(rig, faulty)).toMatchObject({
      status: 'failed',
      error_message: 'The photo shows no product.',
      media_info: '',
    });
    expect((await untilGenerated(rig, sound)).status).toBe('success');
    await rig.close();
  });

  it.each([
    ['stuck', 'processing'],
    ['unknown-status', 'under_review'],
  ] as const)('is %s, after a restart too', async (how, status) => {
    const first = await startWith(how);
    const [faulty, sound] = await orderPosts(first);
    await untilGenerated(first, sound);
    expect(await look(first, faulty, 2)).toEqual([status, status]);
    await first.close();
    const second = await startRig({ dataDir });
    expect(await look(second, faulty, 1)).toEqual([status]);
    expect(await look(second, sound, 1)).toEqual(['success']);
    await second.close();
  });

  it('is done once, then runs again for two answers', async () => {
    const rig = await startWith('goes-back');
    const [faulty] = await orderPosts(rig);
    const done = await untilGenerated(rig, faulty);
    const again = (await rig.call<MediaRecord>('GET', faulty)).body.data;
    expect(again).toMatchObject({ status: 'processing', media_info: '' });
    expect(await look(rig, faulty, 3)).toEqual(['processing', 'success', 'success']);
    expect((await untilGenerated(rig, faulty)).media_info).toBe(done.media_info);
    await rig.close();
  });

  it('answers once, then is gone, after a restart too', async () => {
    const first = await startWith('disappears');
    const [faulty, sound] = await orderPosts(first);
    await untilGenerated(first, sound);
    expect(await look(first, faulty, 3)).toEqual(['success', 404, 404]);
    await first.close();
    const second = await startRig({ dataDir });
    expect(await look(second, faulty, 1)).toEqual([404]);
    await second.close();
  });
});
