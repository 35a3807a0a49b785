import { afterEach, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { type Behaviour, SWITCHES } from '../../src/emulator/emulator.ts';
import { DEFAULT_BEHAVIOUR } from '../../src/emulator/behaviour.ts';
import { switchName, toBehaviour } from '../../src/emulator/profiles/to-behaviour.ts';
import type { PresentedMedia } from '../../src/emulator/media/record.ts';
import type { MediaConfigRecord, MediaRecord, ProductRecord } from '../../src/service/wire.ts';
import {
  createConcept,
  createProduct,
  item,
  requestPosts,
  startRig,
  untilGenerated,
  type Rig,
} from './harness.ts';
import { sendRaw } from './raw-client.ts';

const HOUR = 3_600_000;
const NEVER = { image: HOUR, carousel: HOUR, video: HOUR };

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** Two posts, asked of a service that reads the gaps so. */
async function orderTwo(behaviour: Partial<Behaviour>) {
  rig = await startRig({ behaviour });
  const product = await createProduct(rig, ['https://cdn.invalid/1.jpg']);
  const concept = await createConcept(rig);
  const items = ['8:1', '1:8'].map((ratio) => item(product.id, { metadata: { aspect_ratio: ratio } }));
  const config = (await requestPosts(rig, concept.id, items)).body.data;
  return { rig, product, config };
}

function ratiosOf({ items }: MediaConfigRecord): unknown[] {
  return items.map(({ metadata }) => (metadata as { aspect_ratio: string } | undefined)?.aspect_ratio);
}

async function getMedium(service: Rig, config: MediaConfigRecord): Promise<MediaRecord> {
  return (await service.call<MediaRecord>('GET', `/media/${config.id}/${config.items[0]?.id}/`)).body.data;
}

describe('the switches', () => {
  const schema = JSON.parse(readFileSync('schemas/profile.schema.json', 'utf8')) as {
    $defs: { switches: { properties: Record<string, { enum?: unknown[]; description: string }> } };
  };
  const inSchema = schema.$defs.switches.properties;

  it('are those of the schema, with the same readings', () => {
    const readings = Object.entries(inSchema).flatMap(([name, { enum: values }]) =>
      values ? [[name, values]] : [],
    );
    expect(readings).toEqual(Object.entries(SWITCHES).map(([name, values]) => [switchName(name), values]));
    const amounts = Object.keys(inSchema).filter((name) => inSchema[name]?.enum === undefined);
    expect(amounts).toEqual(['token_life', 'latency', 'generation']);
  });

  it('stand at their first reading', () => {
    for (const [name, [first]] of Object.entries(SWITCHES))
      expect([name, DEFAULT_BEHAVIOUR[name as keyof Behaviour]]).toEqual([name, first]);
  });

  it('come from a profile', () => {
    const written = {
      media_path: 'item-config',
      create_status: 200,
      token_life: '1500ms',
      latency: '20ms',
      generation: { video: '1m30s' },
    } as const;
    expect(toBehaviour(written)).toEqual({
      mediaPath: 'item-config',
      createStatus: 200,
      tokenLifeSeconds: 2,
      latencyMs: 20,
      generationMs: { image: 400, carousel: 900, video: 90_000 },
    });
  });
});

describe('items come back', () => {
  it.each([
    ['in-order', ['8:1', '1:8']],
    ['reversed', ['1:8', '8:1']],
    ['fewer', ['8:1']],
    ['more', ['8:1', '1:8', '8:1']],
  ] as const)('%s', async (itemsAnswer, ratios) => {
    const { rig: service, config } = await orderTwo({ itemsAnswer });
    expect(ratiosOf(config)).toEqual(ratios);
    expect((await service.call<MediaConfigRecord>('GET', `/media-config/${config.id}/`)).body.data).toEqual(
      config,
    );
    for (const { id } of config.items)
      expect((await untilGenerated(service, `/media/${config.id}/${id}/`)).status).toBe('success');
  });

  it('with their id and post type alone', async () => {
    const { config } = await orderTwo({ itemShape: 'bare' });
    expect(config.items.map((entry) => Object.keys(entry))).toEqual([
      ['id', 'post_type'],
      ['id', 'post_type'],
    ]);
  });

  it('with a medium of its own id', async () => {
    const { rig: service, config } = await orderTwo({ mediaId: 'own' });
    const [first] = config.items as unknown as readonly { id: string; media_id: string }[];
    expect((await service.call('GET', `/media/${config.id}/${first?.id}/`)).status).toBe(404);
    const path = `/media/${config.id}/${first?.media_id}/`;
    expect((await untilGenerated(service, path)).id).toBe(first?.media_id);
    await service.call('DELETE', `/media-config/${config.id}/`);
    expect((await service.call('GET', path)).status).toBe(404);
  });
});

describe('a medium says', () => {
  it.each([
    ['words', /^36\d\d seconds$/],
    ['number', /^36\d\d$/],
    ['text', /^36\d\d$/],
    ['iso-8601', /^PT36\d\dS$/],
    ['clock', /^(01:00:00|00:59:\d\d)$/],
    ['none', /^$/],
  ] as const)('how long it takes, in %s', async (estimatedDuration, shape) => {
    const { rig: service, config } = await orderTwo({ estimatedDuration, generationMs: NEVER });
    const { estimated_duration: duration } = (await getMedium(service, config)) as PresentedMedia;
    expect(typeof duration).toBe(estimatedDuration === 'number' ? 'number' : 'string');
    expect(String(duration).replace('3599', '3600')).toMatch(shape);
  });

  it.each(SWITCHES.doneStatus)('%s when it is done', async (doneStatus) => {
    const { rig: service, config } = await orderTwo({ doneStatus });
    expect((await untilGenerated(service, `/media/${config.id}/${config.items[0]?.id}/`)).status).toBe(
      doneStatus,
    );
  });

  it.each(SWITCHES.failedStatus)('%s when it failed', async (failedStatus) => {
    rig = await startRig({
      behaviour: { failedStatus },
      orders: [{ on: 'generation', do: { fault: 'generation', how: 'fails' } }],
    });
    const product = await createProduct(rig, ['https://cdn.invalid/1.jpg']);
    const concept = await createConcept(rig);
    const config = (await requestPosts(rig, concept.id, [item(product.id)])).body.data;
    const medium = await untilGenerated(rig, `/media/${config.id}/${config.items[0]?.id}/`);
    expect(medium).toMatchObject({ status: failedStatus, error_message: 'The generation failed.' });
  });

  it.each(SWITCHES.pendingStatus)('%s until then', async (pendingStatus) => {
    const { rig: service, config } = await orderTwo({ pendingStatus, generationMs: NEVER });
    expect((await getMedium(service, config)).status).toBe(pendingStatus);
  });

  it('where its files are, with a small one beside each', async () => {
    const { rig: service, config } = await orderTwo({ mediaInfo: 'with-previews' });
    const medium = await untilGenerated(service, `/media/${config.id}/${config.items[0]?.id}/`);
    const { files, previews } = JSON.parse(medium.media_info) as { files: string[]; previews: string[] };
    expect(previews).toEqual(files.map((url) => `${url}?width=64`));
    expect((await fetch(previews[0] ?? '')).status).toBe(200);
  });
});

describe('a finished post', () => {
  it('lists its files at once, or later', async () => {
    const { rig: service, config } = await orderTwo({ filesListed: 'later' });
    const medium = await untilGenerated(service, `/media/${config.id}/${config.items[0]?.id}/`);
    expect(medium.media_info).toBe('');
    expect(JSON.parse((await getMedium(service, config)).media_info)).toHaveLength(1);
  });

  it('names its files by URLs, or by paths', async () => {
    const { rig: service, config } = await orderTwo({ fileLinks: 'paths' });
    const medium = await untilGenerated(service, `/media/${config.id}/${config.items[0]?.id}/`);
    const [path = ''] = JSON.parse(medium.media_info) as string[];
    expect(path).toMatch(/^\/api\/files\//);
    expect((await fetch(new URL(path, service.emulator.url))).status).toBe(200);
  });
});

describe('the service', () => {
  it('lists images as URLs alone', async () => {
    const { rig: service, product } = await orderTwo({ imagesAnswer: 'urls' });
    expect(product.media_urls).toEqual(['https://cdn.invalid/1.jpg']);
    const read = await service.call<ProductRecord>('GET', `/products/${product.id}/`);
    expect(read.body.data.media_urls).toEqual(['https://cdn.invalid/1.jpg']);
    const body = { name: 'x', description: 'y', ref_images: [{ url: 'https://cdn.invalid/2.jpg' }] };
    const concept = await service.call<{ ref_images: unknown }>('POST', '/concepts/', body);
    expect(concept.body.data.ref_images).toEqual(['https://cdn.invalid/2.jpg']);
  });

  it('refuses with 422 what it does not understand', async () => {
    rig = await startRig({ behaviour: { refusalStatus: 422 } });
    expect((await rig.call('POST', '/products/', {})).status).toBe(422);
    expect(
      (
        await rig.send('/products/', {
          method: 'POST',
          body: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(422);
  });

  it.each([
    ['zero', 0],
    ['negative', -1],
    ['none', undefined],
  ] as const)('says %s of the end of a token', async (expiresAt, value) => {
    rig = await startRig({ behaviour: { expiresAt } });
    const request = { method: 'POST', path: '/get_auth_token', json: { api_key: 'any' } };
    const { data } = JSON.parse((await sendRaw(rig, request)).body.toString()) as {
      data: { expires_at?: number };
    };
    expect(data.expires_at).toBe(value);
  });

  it('changes while it runs', async () => {
    rig = await startRig();
    rig.emulator.switch({ createStatus: 200 });
    const answer = await rig.call('POST', '/concepts/', { name: 'x', description: null });
    expect(answer.status).toBe(200);
  });
});
