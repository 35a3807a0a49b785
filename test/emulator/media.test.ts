import { afterEach, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { brandBox } from '../support/media-samples.ts';
import type { MediaConfigRecord, MediaRecord } from '../../src/service/wire.ts';
import type { Behaviour } from '../../src/emulator/emulator.ts';
import {
  createConcept,
  createProduct,
  item,
  makePhoto,
  requestPosts,
  startRig,
  untilGenerated,
  upload,
  type Rig,
} from './harness.ts';

const HOUR = 3_600_000;

let rig: Rig | undefined;
afterEach(() => rig?.close());

/** With stand-ins for photos pictures are small, and take little time. */
const STAND_IN = [100, 75] as const;

async function order(
  items: (product: string) => unknown[],
  behaviour: Partial<Behaviour> = {},
  size: readonly [width?: number, height?: number] = [],
) {
  rig = await startRig({ behaviour });
  const photos = [
    await upload(rig, await makePhoto('#35725a', ...size)),
    await upload(rig, await makePhoto('#b5533c', ...size)),
  ];
  const product = await createProduct(rig, photos);
  const concept = await createConcept(rig);
  const config = (await requestPosts(rig, concept.id, items(product.id))).body.data;
  return { rig, config };
}

function pathOf(config: MediaConfigRecord, index = 0): string {
  return `/media/${config.id}/${config.items[index]?.id}/`;
}

async function download(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

function filesOf(medium: MediaRecord): string[] {
  return JSON.parse(medium.media_info) as string[];
}

describe('generated media', () => {
  it('are pending until they are due', async () => {
    const { rig: service, config } = await order((product) => [item(product)], {
      generationMs: { image: HOUR, carousel: HOUR, video: HOUR },
    });
    const answer = await service.call<MediaRecord>('GET', pathOf(config));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          id: config.items[0]?.id,
          generate_config: config.id,
          content_pillar: config.content_pillar,
          post_type: 'image',
          status: 'processing',
          media_info: '',
          error_message: '',
        },
      },
    });
    expect(answer.body.data.estimated_duration).toMatch(/^(3600|3599) seconds$/);
    expect(JSON.parse(answer.body.data.assets_used)).toEqual(config.items[0]?.assets);
  });

  it('can answer 404 until they are finished', async () => {
    const { rig: service, config } = await order(
      (product) => [item(product)],
      { pendingAs: 'not-found' },
      STAND_IN,
    );
    const hidden = await service.call('GET', pathOf(config));
    expect(hidden).toEqual({
      status: 404,
      body: { message: 'Generated media not found.', status: 'failed' },
    });
    expect((await untilGenerated(service, pathOf(config))).status).toBe('success');
  });

  it.each<[string, number, number, readonly [number?, number?]]>([
    ['4:5', 1024, 1280, []],
    ['8:1', 1280, 160, []],
    ['1:1', 160, 160, STAND_IN],
    ['9:16', 90, 160, STAND_IN],
    ['16:9', 160, 90, STAND_IN],
    ['1.91:1', 160, 84, STAND_IN],
  ])('are pictures in the ratio %s, of %i × %i pixels', async (ratio, width, height, size) => {
    const { rig: service, config } = await order(
      (product) => [
        item(product, {
          metadata: { aspect_ratio: ratio },
          descriptions: [{ description: '<b>Tea & "milk"</b>' }],
        }),
      ],
      {},
      size,
    );
    const medium = await untilGenerated(service, pathOf(config));
    expect(medium).toMatchObject({ status: 'success', error_message: '', estimated_duration: '0 seconds' });
    const [url = ''] = filesOf(medium);
    const { info } = await sharp(await download(url))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height });
  });

  it('are small where photos are no more than stand-ins', async () => {
    const service = await startRig();
    rig = service;
    const product = await createProduct(service, [
      await upload(service, await makePhoto('#35725a', 100, 75)),
    ]);
    const concept = await createConcept(service);
    const metadata = (ratio: string) => ({ metadata: { aspect_ratio: ratio } });
    const types = ['image', 'carousel', 'video'] as const;
    const items = ['4:5', '8:1', '1:8'].flatMap((ratio) =>
      types.map((type) => item(product.id, { post_type: type, ...metadata(ratio) })),
    );
    const config = (await requestPosts(service, concept.id, items)).body.data;
    const media = await Promise.all(items.map((_, index) => untilGenerated(service, pathOf(config, index))));
    expect(media.map(({ status }) => status)).toEqual(items.map(() => 'success'));
    const [first = ''] = media.flatMap(filesOf);
    expect(await sharp(await download(first)).metadata()).toMatchObject({ width: 128, height: 160 });
  });

  it('differ from item to item', async () => {
    const { rig: service, config } = await order(
      (product) => Array.from({ length: 4 }, () => item(product)),
      {},
      STAND_IN,
    );
    const pictures = await Promise.all(
      config.items.map(async (_, index) => {
        const [url = ''] = filesOf(await untilGenerated(service, pathOf(config, index)));
        return (await download(url)).toString('base64');
      }),
    );
    expect(new Set(pictures).size).toBe(4);
  });

  it('have several slides as a carousel', async () => {
    const { rig: service, config } = await order(
      (product) => [
        item(product, { post_type: 'carousel', metadata: { aspect_ratio: '1:1' }, variants: ['clean'] }),
      ],
      {},
      STAND_IN,
    );
    const urls = filesOf(await untilGenerated(service, pathOf(config)));
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      expect(await sharp(await download(url)).metadata()).toMatchObject({
        width: 160,
        height: 160,
        format: 'jpeg',
      });
    }
  });

  it('are an MP4 film with H.264 as a video', async () => {
    const { rig: service, config } = await order((product) => [
      item(product, { post_type: 'video', metadata: { aspect_ratio: '9:16' } }),
    ]);
    const [url = ''] = filesOf(await untilGenerated(service, pathOf(config)));
    expect(url).toMatch(/\.mp4$/);
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    const film = Buffer.from(await answer.arrayBuffer());
    expect(film.subarray(4, 8).toString()).toBe('ftyp');
    const sample = film.indexOf('avc1', film.indexOf('stsd'));
    expect([film.readUInt16BE(sample + 28), film.readUInt16BE(sample + 30)]).toEqual([360, 640]);
  });

  it('show a drawing where photos cannot be decoded or are elsewhere, which is said once each', async () => {
    const said: string[] = [];
    rig = await startRig({ onStandIn: (words) => said.push(words) });
    const whole = await makePhoto('#446');
    const cut = await upload(rig, whole.subarray(0, whole.length / 3));
    const heic = await upload(rig, Buffer.concat([brandBox('heic'), Buffer.alloc(100)]));
    const product = await createProduct(rig, [cut]);
    const others = [
      await createProduct(rig, [heic]),
      await createProduct(rig, ['https://cdn.invalid/1.jpg']),
    ];
    const concept = await createConcept(rig);
    const config = (await requestPosts(rig, concept.id, [item(product.id)])).body.data;
    const medium = await untilGenerated(rig, pathOf(config));
    expect(medium).toMatchObject({ status: 'success' });
    for (const { id } of others) {
      const other = (await requestPosts(rig, concept.id, [item(id)])).body.data;
      expect((await untilGenerated(rig, pathOf(other))).status).toBe('success');
    }
    expect(said).toEqual([
      expect.stringContaining('cannot decode some of the photos') as string,
      expect.stringContaining('fetches no images from other hosts') as string,
    ]);
  });

  it.each([
    ['config-item', (config: MediaConfigRecord) => [config.id, config.items[0]?.id]],
    ['concept-item', (config: MediaConfigRecord) => [config.content_pillar.id, config.items[0]?.id]],
    ['item-config', (config: MediaConfigRecord) => [config.items[0]?.id, config.id]],
  ] as const)('are found by %s only', async (mediaPath, ids) => {
    const { rig: service, config } = await order((product) => [item(product)], {
      mediaPath,
      generationMs: { image: HOUR, carousel: HOUR, video: HOUR },
    });
    const itemId = config.items[0]?.id;
    const right = ids(config).join('/');
    const all = [
      `${config.id}/${itemId}`,
      `${config.content_pillar.id}/${itemId}`,
      `${itemId}/${config.id}`,
      `${itemId}/${itemId}`,
    ];
    for (const pair of all) {
      const { status } = await service.call('GET', `/media/${pair}/`);
      expect([pair, status]).toEqual([pair, pair === right ? 200 : 404]);
    }
  });

  it.each([
    ['json-list', /^\["http:\/\/[^"]+-1\.jpg"\]$/],
    ['json-object', /^\{"media":\[\{"url":"http:\/\/[^"]+-1\.jpg","width":128,"height":160\}\]\}$/],
    ['plain', /^http:\/\/\S+-1\.jpg$/],
  ] as const)('list their files as %s', async (mediaInfo, shape) => {
    const { rig: service, config } = await order((product) => [item(product)], { mediaInfo }, STAND_IN);
    expect((await untilGenerated(service, pathOf(config))).media_info).toMatch(shape);
  });
});
