/** An import under a name that something else had until the last edit. */
import { expect, it } from 'vitest';
import { startRig } from '../emulator/harness.ts';
import { campaignFolder, untilTestEnds } from './small-campaign.ts';

const TOTE = '  tote: { images: ["https://cdn.example.com/a.jpg"], name: Tote }\n';
const MANIFEST = `version: 1
name: small
products:
${TOTE}concepts:
  morning: { description: Soft light }
posts:
  hero:
    concept: morning
    matrix: { product: "*" }
    items:
      - { key: k, post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "4:5" }
`;
/** The tote of last year has another name, and a new one has its. */
const RENAMED = MANIFEST.replace(
  TOTE,
  '  tote: { images: ["https://cdn.example.com/b.jpg"], name: New }\n' + TOTE.replace('tote', 'tote-2025'),
);

it('leaves what had the name before to its new name, and no run buys either of them again', async () => {
  const rig = await untilTestEnds(startRig());
  const create = async (path: string, body: object) =>
    (await rig.call<{ id: string }>('POST', path, body)).body.data.id;
  const campaign = await campaignFolder(MANIFEST, rig);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const idOf = async (address: string) => {
    const { stdout } = await campaign.run(['state', 'show', 'm.yaml', address]);
    return (JSON.parse(stdout) as { result: { id: string } }).result.id;
  };
  const [old, concept] = [await idOf('product/tote'), await idOf('concept/morning')];
  const product = await create('/products/', {
    name: 'New',
    description: '',
    variant: 'product_with_label',
    media_urls: [{ type: 'image', url: 'https://cdn.example.com/b.jpg' }],
  });
  const config = await create('/media-config/', {
    content_pillar: concept,
    number_of_posts: 1,
    items: [
      {
        post_type: 'image',
        assets: [{ type: 'product', product_id: product, url: 'https://cdn.example.com/b.jpg' }],
        variants: [],
        descriptions: [],
        metadata: { aspect_ratio: '4:5' },
      },
    ],
  });
  const made = () => rig.ledger.entries().filter(({ action }) => action === 'create').length;
  const before = made();
  await campaign.write('m.yaml', RENAMED);
  for (const [address, id] of [
    ['product/tote', product],
    ['media-config/hero/tote', config],
  ] as const)
    expect(await campaign.run(['import', 'm.yaml', address, id])).toMatchObject({ code: 0 });
  expect(await idOf('product/tote-2025')).toBe(old);
  const { stdout } = await campaign.run(['plan', 'm.yaml']);
  expect(stdout).toContain('0 to create, 0 to update, 0 to replace, 0 to delete. 0 new posts. 1 pending.');
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  expect(made()).toBe(before);
  const pictures = (await campaign.files()).filter((file) => file.endsWith('.jpg'));
  expect(pictures).toEqual([
    'out/small/default/hero/tote-2025/k-image.jpg',
    'out/small/default/hero/tote/k-image.jpg',
  ]);
});
