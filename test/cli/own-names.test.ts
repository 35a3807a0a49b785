import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, untilTestEnds } from './small-campaign.ts';

const FOLDERS = ['Kaktus', '🌵 Kaktus', 'Bär', 'Bör', '日本', 'Möbel (groß)'];

const MANIFEST = `version: 1
name: small
product_folders: [photos/*]
concepts: { morning: { description: Soft light } }
outputs: { dir: out }
posts:
  grid:
    matrix: { product: "*" }
    concept: morning
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1", descriptions: ["\${{ product.name }}"] }]
`;

it('folders with any names are products under these names, with a file each; a new name is sent and buys nothing unasked', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(MANIFEST, service);
  for (const [index, name] of FOLDERS.entries())
    await campaign.write(`photos/${name}/a.png`, Buffer.concat([PNG, Buffer.from([index])]));
  expect((await campaign.run(['apply', 'm.yaml', '--concurrency', '1'])).code).toBe(0);
  expect(service.created.products.map(({ name }) => String(name)).sort()).toEqual([...FOLDERS].sort());
  expect((await campaign.files()).filter((file) => file.startsWith('out/grid'))).toEqual([
    'out/grid/bar/1-image.png',
    'out/grid/bor/1-image.png',
    'out/grid/kaktus-de6fd4/1-image.png',
    'out/grid/kaktus/1-image.png',
    'out/grid/mobel-gross/1-image.png',
    'out/grid/riben/1-image.png',
  ]);
  const sentBefore = service.requests.length;
  await rename(join(campaign.folder, 'photos/Bär'), join(campaign.folder, 'photos/Brauner Bär'));
  const renamed = await campaign.run(['apply', 'm.yaml']);
  expect(renamed.code).toBe(5);
  expect(renamed.stdout).toContain(
    'media/grid/brauner-bar/1  left as it is: replacing a finished post needs --yes',
  );
  const sent = service.requests.slice(sentBefore).filter(({ method }) => method !== 'GET');
  expect(sent.map(({ method, body }) => [method, body]).slice(1)).toEqual([
    ['PATCH', { name: 'Brauner Bär' }],
  ]);
  expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain(
    'descriptions[0]: "Bär" → "Brauner Bär"  m.yaml:10',
  );
});
