import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { BareOptions } from '../support/bare-options.ts';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { type CampaignFolder, campaignFolder, PNG, SINGLE, SMALL, untilTestEnds } from './small-campaign.ts';

/** Each reading once, and every pair of two, but for those of the upload answer, on which nothing depends. */
const READINGS = (
  [
    ['config-item', 'epoch-seconds', 'any', 'json-list', 'status', 201, 'data'],
    ['config-item', 'epoch-milliseconds', 'guide', 'json-object', 'not-found', 200, 'data.url'],
    ['config-item', 'lifetime', 'schema', 'plain', 'status', 200, 'data.media_url'],
    ['concept-item', 'epoch-seconds', 'guide', 'plain', 'not-found', 201, 'data.file_url'],
    ['concept-item', 'epoch-milliseconds', 'schema', 'json-list', 'status', 200, 'list'],
    ['concept-item', 'lifetime', 'any', 'json-object', 'status', 200, 'nested'],
    ['item-config', 'epoch-seconds', 'schema', 'json-object', 'not-found', 201, 'top-url'],
    ['item-config', 'epoch-milliseconds', 'any', 'plain', 'status', 201, 'data'],
    ['item-config', 'lifetime', 'guide', 'json-list', 'not-found', 200, 'data.url'],
    ['config-item', 'epoch-seconds', 'any', 'plain', 'not-found', 200, 'nested'],
    ['concept-item', 'lifetime', 'guide', 'json-list', 'status', 201, 'top-url'],
  ] as const
).map(
  ([mediaPath, expiresAt, form, mediaInfo, pending, createStatus, uploadAnswer]): Partial<BareOptions> => ({
    mediaPath,
    expiresAt,
    form,
    mediaInfo,
    pending,
    createStatus,
    uploadAnswer,
  }),
);

async function expectPictures(campaign: CampaignFolder, names: readonly string[]): Promise<void> {
  const pictures = (await campaign.files()).filter((file) => file.endsWith('.png') && file !== 'tote.png');
  expect(pictures).toEqual(names.map((name) => `out/small/default/hero/${name}`));
  for (const picture of pictures) {
    const { info } = await sharp(join(campaign.folder, picture)).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 2, height: 2 });
  }
}

/** How many of each kind the service made. */
function made({ created }: BareService) {
  const { uploads, products, concepts, configs } = created;
  return [uploads.length, products.length, concepts.length, configs.length];
}

describe('a service that is not the emulator', () => {
  it.concurrent.for(READINGS)(
    'may read the gaps as $mediaPath $expiresAt $form $mediaInfo $pending $createStatus $uploadAnswer',
    async (reading, { expect, onTestFinished }) => {
      const service = await untilTestEnds(startBareService(reading), onTestFinished);
      const setting = reading.form === 'any' ? '' : `service: { form: ${reading.form} }\n`;
      const campaign = await campaignFolder(SMALL + setting, service, onTestFinished);

      const first = await campaign.run(['apply', 'm.yaml']);
      expect(first.stdout).toMatch(/\nApply complete: 5 created, 4 files downloaded\.\n/);
      expect(first.code).toBe(0);
      await expectPictures(campaign, [
        'kitchen-image.png',
        'tour-carousel-1.png',
        'tour-carousel-2.png',
        'tour-carousel-3.png',
      ]);
      expect(made(service)).toEqual([1, 1, 1, 1]);
      expect(service.created.configs[0]?.items).toHaveLength(2);

      const { length } = service.requests;
      const second = await campaign.run(['apply', 'm.yaml']);
      expect(second).toMatchObject({ code: 0, stderr: '' });
      expect(second.stdout).toMatch(/ known nodes\n\nNo changes\.\n$/);
      expect(service.requests).toHaveLength(length);
    },
  );

  it('is asked at one place once the state has learned where media are', async () => {
    const service = await untilTestEnds(startBareService({ mediaPath: 'item-config' }));
    const campaign = await campaignFolder(SINGLE, service);
    await campaign.run(['apply', 'm.yaml']);
    const { length } = service.requests;
    await campaign.write('m.yaml', SINGLE.replace('4:5', '9:16'));

    const second = await campaign.run(['apply', 'm.yaml', '--yes']);
    expect(second.code).toBe(0);
    const [, config] = service.created.configs;
    const polls = service.requests.slice(length).filter(({ path }) => path.startsWith('/media/'));
    expect(new Set(polls.map(({ path }) => path))).toEqual(
      new Set([`/media/${config?.items[0]?.id}/${config?.id}/`]),
    );
  });
});

const ID = {
  product: '00000000-0000-4000-8000-000000000001',
  concept: '00000000-0000-4000-8000-000000000002',
  config: '00000000-0000-4000-8000-000000000003',
  item: '00000000-0000-4000-8000-000000000004',
  media: '00000000-0000-4000-8000-000000000005',
};
const DONE = { status: 'success', message: 'ok' };

describe('settings for the gaps', () => {
  it('say where media, their files and upload addresses are, and which states are which', async () => {
    const service = await untilTestEnds(startHeldService());
    const settings = `service:
  media_path: /media/{concept.id}/{item.job.ref}/
  upload_url: /data/links/1
  media_urls: /final
  statuses: { done: [ready], failed: [nope] }
`;
    const campaign = await campaignFolder(SINGLE + settings, service);
    const run = campaign.run(['apply', 'm.yaml']);

    const links = ['https://cdn.example.com/preview.png', 'https://cdn.example.com/original.png'];
    (await service.next('POST /upload-media/')).respond(200, { ...DONE, data: { links } });
    (await service.next('POST /concepts/')).respond(200, { ...DONE, data: { id: ID.concept } });
    const product = await service.next('POST /products/');
    expect(JSON.parse(product.body)).toMatchObject({ media_urls: [{ type: 'image', url: links[1] }] });
    product.respond(200, { ...DONE, data: { id: ID.product } });
    const items = [{ id: ID.item, post_type: 'image', job: { ref: 'r7' } }];
    (await service.next('POST /media-config/')).respond(201, { ...DONE, data: { id: ID.config, items } });

    const info = { preview: `${service.url}/files/small.png`, final: `${service.url}/files/large.png` };
    const medium = { id: ID.media, generate_config: ID.config, media_info: JSON.stringify(info) };
    const poll = await service.next(`GET /media/${ID.concept}/r7/`);
    poll.respond(200, { ...DONE, data: { ...medium, status: 'ready' } });
    (await service.next('GET /files/large.png')).respondRaw(200, PNG, { 'content-type': 'image/png' });

    expect(await run).toMatchObject({ code: 0, signal: null });
    await expectPictures(campaign, ['kitchen-image.png']);
    expect(service.seen.filter((request) => request.startsWith('GET'))).toEqual([
      `GET /media/${ID.concept}/r7/`,
      'GET /files/large.png',
    ]);
  });
});

describe('a product that exists there already', () => {
  const since = '2026-03-01T09:00:00Z';
  const THERE = { id: ID.product, name: 'Tote', variant: 'plain', created_at: since, updated_at: since };
  const KNOWN = SINGLE.replace('tote: {', `tote: { id: ${ID.product},`);

  it('is used as it is, its picture read from the service', async () => {
    const service = await untilTestEnds(startBareService({ form: 'schema' }));
    const url = 'https://cdn.example.com/tote.jpg';
    service.created.products.push({ ...THERE, media_urls: [{ type: 'image', url }] });
    const campaign = await campaignFolder(KNOWN, service);

    const run = await campaign.run(['apply', 'm.yaml']);
    expect(run.stdout).toContain('Apply complete: 2 created, 1 file downloaded.');
    expect(run.code).toBe(0);
    expect(made(service)).toEqual([0, 1, 1, 1]);
    expect(service.requests.filter(({ path }) => path.startsWith('/products/'))).toEqual([
      { method: 'GET', path: `/products/${ID.product}/`, body: {} },
    ]);
    expect(service.created.configs[0]?.items[0]?.['assets']).toEqual([
      { type: 'product', product_id: ID.product, url },
    ]);
    expect((await campaign.run(['apply', 'm.yaml'])).stdout).toMatch(/\nNo changes\.\n$/);
  });

  it('without a picture there is named in the guide form', async () => {
    const service = await untilTestEnds(startBareService({ form: 'guide' }));
    service.created.products.push({ ...THERE, media_urls: [] });
    const campaign = await campaignFolder(KNOWN, service);
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(service.created.configs[0]?.items[0]?.['assets']).toEqual([
      { type: 'product', product_id: ID.product },
    ]);
  });
});
