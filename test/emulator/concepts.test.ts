import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConceptRecord } from '../../src/service/wire.ts';
import { startRig, type Rig } from './harness.ts';

const REFS = [{ url: 'https://cdn.example.com/mood.jpg' }];
const MORNING = { name: 'Morning', description: 'Linen', ref_images: REFS };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ behaviour: { createStatus: 200 } });
});
afterAll(() => rig.close());

describe('concepts', () => {
  it('are created, replaced and deleted', async () => {
    const created = await rig.call<ConceptRecord>('POST', '/concepts/', MORNING);
    expect(created).toMatchObject({ status: 200, body: { status: 'success', data: MORNING } });
    const path = `/concepts/${created.body.data.id}/`;
    const put = await rig.call<ConceptRecord>('PUT', path, { name: 'Night', description: null });
    expect(put).toMatchObject({
      status: 200,
      body: { data: { name: 'Night', description: null, ref_images: [] } },
    });
    expect(put.body.data.created_at).toBe(created.body.data.created_at);
    expect(await rig.call('DELETE', path)).toEqual({
      status: 200,
      body: { message: 'Concept deleted successfully.', status: 'success' },
    });
    for (const [method, body] of [['DELETE'], ['PUT', MORNING]] as const) {
      expect((await rig.call(method, path, body)).status).toBe(404);
    }
  });

  it('accept forms', async () => {
    const encoded = new URLSearchParams({
      name: 'Morning',
      description: 'Linen',
      ref_images: JSON.stringify(REFS),
    });
    expect((await rig.send('/concepts/', { method: 'POST', body: encoded })).body.data).toMatchObject(
      MORNING,
    );
    const form = new FormData();
    form.set('name', 'Morning');
    form.set('description', 'Linen');
    form.set('ref_images[0][url]', 'https://cdn.example.com/mood.jpg');
    expect((await rig.send('/concepts/', { method: 'POST', body: form })).body.data).toMatchObject(MORNING);
  });

  it('refuse what is no concept', async () => {
    const answer = await rig.call('POST', '/concepts/', { name: 1, ref_images: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('name: must be a text or null; ref_images: must be a list');
  });
});
