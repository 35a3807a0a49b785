import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import { fillMediaPath, MEDIA_PATHS } from '../../src/service/media-path.ts';
import { readMediaStatus } from '../../src/service/read-media-status.ts';
import { readMediaUrls } from '../../src/service/read-media-urls.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Result } from '../../src/util/result.ts';
import type { BareOptions } from '../support/bare-options.ts';
import { startBareService } from '../support/bare-service.ts';

const READINGS: Partial<BareOptions>[] = [
  {},
  { mediaPath: 'concept-item', uploadAnswer: 'data', expiresAt: 'lifetime', mediaInfo: 'plain' },
  {
    mediaPath: 'item-config',
    uploadAnswer: 'list',
    expiresAt: 'epoch-milliseconds',
    mediaInfo: 'json-object',
  },
  { uploadAnswer: 'data.media_url', pending: 'not-found', createStatus: 200 },
  { uploadAnswer: 'data.file_url', form: 'schema', pendingPolls: 0 },
  { uploadAnswer: 'nested', form: 'guide' },
  { uploadAnswer: 'top-url', apiKey: 'the-key' },
];

function value<T>(result: Result<T, ServiceError>): T {
  if (!result.ok) throw new Error(result.error.problem.detail);
  return result.value;
}

describe.each(READINGS)('a service with %o', (options) => {
  it('makes a post of a photo', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-bare-'));
    const service = await startBareService(options);
    const client = createClient({ baseUrl: service.url, apiKey: 'the-key', clock: realClock });
    const photo = path.join(folder, 'tote.png');
    await writeFile(photo, 'photo');
    const sha256 = createHash('sha256').update('photo').digest('hex');

    const url = value(
      await client.uploadMedia({ path: photo, filename: 'tote.png', contentType: 'image/png', sha256 }),
    );
    const media_urls = [{ type: 'image', url }];
    const product = value(await client.createProduct({ name: 'Tote', variant: 'v', media_urls }));
    const concept = value(await client.createConcept({ name: 'Night', description: 'Neon', ref_images: [] }));
    const asset = { type: 'product', product_id: product.id };
    const config = value(
      await client.createMediaConfig({
        content_pillar: concept.id,
        number_of_posts: 1,
        items: [
          {
            post_type: 'carousel',
            metadata: { aspect_ratio: '1:1' },
            ...(options.form === 'guide'
              ? { assets: [asset] }
              : { assets: [{ ...asset, url }], variants: [], descriptions: [] }),
          },
        ],
      }),
    );
    expect(config).toEqual(value(await client.getMediaConfig(config.id)));
    const [item] = config.items;
    if (!item) throw new Error('no item came back');

    const answers = [];
    for (const template of MEDIA_PATHS) {
      const ids = fillMediaPath(template, { config: { id: config.id }, item, concept: { id: concept.id } });
      if (!ids) throw new Error('the ids are there');
      answers.push(await client.getMedia(...ids), await client.getMedia(...ids));
    }
    const found = answers.filter((answer) => answer.ok).map((answer) => value(answer));
    const done = found.at(-1);
    expect(found.map((media) => readMediaStatus(media.status))).toEqual(
      options.pending === 'not-found' ? ['done'] : [options.pendingPolls === 0 ? 'done' : 'pending', 'done'],
    );
    expect(done?.generate_config).toBe(config.id);
    const files = readMediaUrls(done?.media_info ?? '');
    expect(files).toHaveLength(3);
    const file = value(await client.download({ url: files[0] ?? '', path: path.join(folder, 'a.part') }));
    expect(file.contentType).toBe('image/png');

    value(await client.patchProduct(product.id, { name: 'Bag' }));
    value(await client.putProduct(product.id, { name: 'Sack', variant: 'v', media_urls }));
    expect(value(await client.getProduct(product.id)).name).toBe('Sack');
    value(await client.putConcept(concept.id, { name: 'Day', description: '', ref_images: [] }));
    value(await client.deleteMediaConfig(config.id));
    value(await client.deleteConcept(concept.id));
    value(await client.deleteProduct(product.id));
    expect(await client.deleteProduct(product.id)).toMatchObject({ error: { came: 'refused', status: 404 } });
    expect(service.created.uploads).toMatchObject([{ url, bytes: 5, filename: 'tote.png' }]);

    client.close();
    await service.close();
    await rm(folder, { recursive: true });
  });
});

it('refuses a wrong key', async () => {
  const service = await startBareService({ apiKey: 'other' });
  const client = createClient({ baseUrl: service.url, apiKey: 'the-key', clock: realClock });
  expect(await client.getProduct('x')).toMatchObject({
    error: { came: 'unauthorized', status: 401, serviceMessage: 'Invalid API key' },
  });
  client.close();
  await service.close();
});
