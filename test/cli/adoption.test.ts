import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/emulator/emulator.ts';
import { type Rig, startRig } from '../emulator/harness.ts';
import { type CampaignFolder, campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const MANIFEST = SINGLE.replace(
  'products:\n',
  'products:\n  mug: { images: [tote.png], description: Blue, name: Mug }\n  cup: { images: [tote.png, second.png] }\n',
);

const MORE = '      - { key: more, post_type: image, products: [tote], aspect_ratio: "1:1" }\n';

let rig: Rig;
/** Made everything. */
let maker: CampaignFolder;
let ids: Map<string, string>;

async function freshCampaign(manifest = MANIFEST): Promise<CampaignFolder> {
  const campaign = await campaignFolder(manifest, rig, afterAll);
  await campaign.write('second.png', Buffer.concat([PNG, Buffer.from('x')]));
  return campaign;
}

async function stateOf(campaign: CampaignFolder, address: string) {
  return JSON.parse((await campaign.run(['state', 'show', 'm.yaml', address])).stdout) as Record<
    string,
    unknown
  >;
}

const id = (address: string) => ids.get(address) ?? '';

/** Creates that reached the service. */
const made = () => rig.ledger.entries().filter(({ action }) => action === 'create').length;

beforeAll(async () => {
  rig = await untilTestEnds(startRig(), afterAll);
  maker = await freshCampaign();
  expect(await maker.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const rows = JSON.parse((await maker.run(['state', 'list', 'm.yaml', '--json'])).stdout) as {
    address: string;
    id: string;
  }[];
  ids = new Map(rows.map((row) => [row.address, row.id]));
});

describe('import', () => {
  it('of what equals the manifest leaves nothing to do but to send the concept and to fetch, and pays nothing', async () => {
    const before = made();
    const campaign = await freshCampaign(
      `${MANIFEST}budget: { prices: { image: 1 }, per_month: { cost: 10 } }\n`,
    );
    for (const product of ['tote', 'mug', 'cup']) {
      const address = `product/${product}`;
      const { code, stdout } = await campaign.run(['import', 'm.yaml', address, id(address)]);
      expect([code, stdout.replace(/127\S*\)/, 'HOST)')]).toEqual([
        0,
        `✓ ${address} is ${id(address)} from now on (small · default · HOST).\n  \`campaign plan m.yaml\` shows what differs from the manifest.\n`,
      ]);
      expect(await stateOf(campaign, address)).toMatchObject({ status: 'done', imported: true });
    }
    const concept = ['import', 'm.yaml', 'concept/morning', id('concept/morning')];
    expect(await campaign.run(concept)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--unverified'),
    });
    const unread = await campaign.run([...concept, '--unverified', '--json']);
    expect(JSON.parse(unread.stdout)).toEqual({
      address: 'concept/morning',
      id: id('concept/morning'),
      verified: false,
      campaign: 'small',
      environment: 'default',
    });
    const posts = await campaign.run([
      'import',
      'm.yaml',
      'media-config/hero',
      id('media-config/hero@1'),
      '--json',
    ]);
    expect(JSON.parse(posts.stdout)).toMatchObject({
      address: 'media-config/hero@1',
      verified: true,
      posts: ['media/hero/kitchen'],
      surplus: [],
    });
    expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain(
      `    ~ concept/morning
        imported without a look at what the service has
        description: added → "Soft light"  m.yaml:8
        ref_images: added → []  m.yaml:8
    … media/hero/kitchen@1
        imported`,
    );
    const applied = await campaign.run(['apply', 'm.yaml']);
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file downloaded') });
    expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
    expect((await campaign.run(['plan', 'm.yaml', '--json'])).stdout).toContain(
      '"cost":{"spent":0,"limit":10',
    );
    expect(made()).toBe(before);
  });

  it('of what differs is updated field by field, and what the manifest does not ask for is surplus', async () => {
    const campaign = await freshCampaign(MANIFEST.replace('description: Blue', 'description: Red'));
    await campaign.run(['import', 'm.yaml', 'product/mug', id('product/mug')]);
    const { stdout } = await campaign.run(['plan', 'm.yaml', '--only', 'product/mug']);
    expect(stdout).toContain('~ product/mug\n        description: "Blue" → "Red"  m.yaml:4\n');
    expect(stdout).toContain('Plan: 0 to create, 1 to update');

    const config = {
      content_pillar: id('concept/morning'),
      number_of_posts: 2,
      items: ['9:16', '4:5'].map((aspect_ratio) => ({
        post_type: 'image',
        assets: [{ type: 'product', product_id: id('product/tote'), url: 'https://x.example.com/1.png' }],
        variants: [],
        descriptions: [],
        metadata: { aspect_ratio },
      })),
    };
    const other = (await rig.call<{ id: string }>('POST', '/media-config/', config)).body.data.id;
    const { code, stdout: said } = await campaign.run(['import', 'm.yaml', 'media-config/hero@3', other]);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(
        'It has 1 post of the manifest: media/hero/kitchen, and media/hero/1 beyond what the manifest asks for. The next apply fetches them and pays nothing.',
      ),
    ]);
  });

  it('refuses what is in use, is not in the manifest, or is no id', async () => {
    const withId = MANIFEST.replace('cup: {', `cup: { id: ${id('product/mug')},`).replace(', second.png', '');
    const campaign = await freshCampaign(withId);
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await campaign.run(['import', 'm.yaml', ...args]);
      expect(code).toBe(64);
      return stderr.split('\n')[1]?.trim().split('. ')[0];
    };
    const tote = id('product/tote');
    expect(await refused('product/bag', tote)).toBe('The manifest has no product/bag');
    expect(await refused('product/cup', tote)).toMatch(/^product\/cup has an `id:` in the manifest/);
    expect(await refused('product/mug', id('product/mug'))).toMatch(
      /is the `id:` of product\/cup in the manifest/,
    );
    expect(await refused('product/mug', 'no id')).toMatch(/^no id is no id/);
    expect(await refused('media/hero/kitchen', tote)).toMatch(/neither a product, a concept nor a request/);
    expect(await refused('media-config/none', tote)).toMatch(
      /^The manifest has no post for media-config\/none/,
    );
    expect(await refused('media-config/hero', tote, '--unverified')).toMatch(/^A request has posts/);
    expect(await refused('product/tote')).toMatch(/^Name what it is to be/);
    expect(await campaign.run(['import', 'm.yaml', 'product/tote', tote, '--unverified'])).toMatchObject({
      code: 0,
    });
    expect(await refused('product/tote', id('product/cup'))).toBe('product/tote is in the state already');
    expect(await refused('product/mug', tote)).toBe(`${tote} is the id of product/tote.`);
    const posts = ['media-config/hero', id('media-config/hero@1')] as const;
    expect(await campaign.run(['import', 'm.yaml', ...posts])).toMatchObject({ code: 0 });
    expect(await refused('media-config/hero@1', id('concept/morning'))).toMatch(
      /the next one is media-config\/hero@2/,
    );
    expect(await refused(posts[0], posts[1])).toBe(`${posts[1]} is the id of media-config/hero@1.`);
    // All fields of what was not read are sent.
    const { stdout } = await campaign.run(['plan', 'm.yaml', '--only', 'product/tote']);
    expect(stdout).toContain('~ product/tote\n        imported without a look at what the service has\n');
    const none = await campaign.run([
      'import',
      'm.yaml',
      'product/mug',
      '00000000-0000-4000-8000-000000000009',
    ]);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not confirm the id [id-not-found]'),
    });
    const kind = await campaign.run(['import', 'm.yaml', 'media-config/hero', id('concept/morning')]);
    expect(kind).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
  });
});

const ALL_READS = ['GET /products/{id}/', 'GET /media-config/{id}/', 'GET /media/{id}/{id}/'];
const everyRead = (status: number): FaultRule[] => [{ on: ALL_READS, do: { fault: 'status', status } }];

/** On one campaign, one after the other. */
describe('refresh', () => {
  const refresh = (...args: readonly string[]) => maker.run(['refresh', 'm.yaml', ...args]);
  const found = async () => JSON.parse((await refresh('--json')).stdout) as Record<string, unknown>;

  it('of what is as it was records nothing', async () => {
    const before = await maker.read(STATE);
    const { code, stdout } = await refresh('--detailed-exitcode');
    expect([code, stdout.split('\n').slice(2)]).toEqual([
      0,
      ['Refresh complete: 5 read, 5 as they were. 1 concept not readable.', ''],
    ]);
    expect(await refresh('--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await maker.read(STATE)).toBe(before);
  });

  it('concludes nothing from refusals, failures and spells of 404', async () => {
    const before = await maker.read(STATE);
    rig.emulator.order(everyRead(404));
    expect(await refresh()).toMatchObject({ code: 69, stderr: expect.stringContaining('for 5 of 5 (') });
    rig.emulator.order(everyRead(403));
    expect(await refresh()).toMatchObject({
      code: 69,
      stderr: expect.stringContaining('Nothing was recorded'),
    });
    rig.emulator.order([{ on: 'GET /products/{id}/', do: { fault: 'status', status: 403 } }]);
    expect(await refresh('--detailed-exitcode')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('? product/tote is not clear: The service refused the request'),
    });
    // A 404 that the next request does not repeat.
    rig.emulator.order([
      { on: 'GET /products/{id}/', when: { nth: 1 }, do: { fault: 'status', status: 404 } },
    ]);
    expect(await found()).toMatchObject({
      gone: [],
      unclear: [{ summary: 'The service said 404 and then had it' }],
    });
    rig.emulator.order([]);
    expect(await maker.read(STATE)).toBe(before);
  });

  it('shows what was changed elsewhere, and the next apply changes it back', async () => {
    await rig.call('PATCH', `/products/${id('product/mug')}/`, { description: 'Green', name: 'Cup' });
    const { code, stdout } = await refresh('--detailed-exitcode');
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining(
        `    ~ product/mug was changed elsewhere
        name: "Mug" → "Cup"
        description: "Blue" → "Green"

Refresh complete: 5 read, 4 as they were, 1 changed elsewhere. 1 concept not readable.
`,
      ),
    ]);
    const length = (await maker.read(STATE)).length;
    expect(await refresh()).toMatchObject({ code: 0 });
    expect((await maker.read(STATE)).length).toBe(length);
    expect((await maker.run(['plan', 'm.yaml'])).stdout).toContain(`    ~ product/mug
        changed elsewhere since it was last written or read
          name: "Cup" → "Mug"  m.yaml:4
          description: "Green" → "Blue"  m.yaml:4
`);
    expect(await maker.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    const { body } = await rig.call<{ name: string }>('GET', `/products/${id('product/mug')}/`);
    expect(body.data).toMatchObject({ name: 'Mug', description: 'Blue' });
    expect((await maker.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
    expect(await refresh('--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('shows what is gone, which is made again only when asked for, after one more look', async () => {
    await rig.call('DELETE', `/products/${id('product/tote')}/`);
    expect(await refresh('--detailed-exitcode')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('! product/tote is gone\n'),
    });
    expect((await maker.run(['plan', 'm.yaml'])).stdout).toContain('No changes; 1 gone.');
    await maker.write('m.yaml', MANIFEST + MORE);
    const before = made();
    const blocked = await maker.run(['apply', 'm.yaml']);
    expect(blocked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'waits for product/tote, which is gone at the service: `--recreate-missing`',
      ),
    });
    expect((await maker.run(['status', 'm.yaml'])).stdout).toContain(
      'error: The service has it no more [product-gone]',
    );
    expect((await maker.run(['plan', 'm.yaml', '--json'])).stdout).toContain('"gone":["product/tote"]');
    const again = ['apply', 'm.yaml', '--recreate-missing'];
    rig.emulator.order(everyRead(404));
    expect(await maker.run(again)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not clear that it is gone'),
    });
    expect(await maker.run(['plan', 'm.yaml', '--recreate-missing', '--out', 'p.json'])).toMatchObject({
      code: 0,
    });
    expect(await maker.run(['apply', 'm.yaml', '--plan', 'p.json'])).toMatchObject({ code: 69 });
    rig.emulator.order([]);
    expect(made()).toBe(before);
    expect(await maker.run(again)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('    + product/tote\n        made again: it is gone at the service\n'),
    });
    expect(made()).toBe(before + 2);
    expect(await refresh('--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('takes back what came back, and leaves posts whose files are here', async () => {
    await rig.call('DELETE', `/media-config/${id('media-config/hero@1')}/`);
    expect(await found()).toMatchObject({
      gone: [
        { address: 'media-config/hero@1', has_files: false },
        { address: 'media/hero/kitchen@1', has_files: true },
      ],
    });
    const again = ['m.yaml', '--recreate-missing'] as const;
    expect((await maker.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
    expect((await maker.run(['plan', ...again])).stdout).toContain('No changes.');

    await rm(join(maker.folder, 'out/small/default/hero/kitchen-image.jpg'));
    const before = made();
    const asked = await maker.run(['apply', ...again]);
    expect(asked).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('the same command with `--yes` requests them again'),
    });
    expect(made()).toBe(before);
    expect(await maker.run(['apply', ...again, '--yes'])).toMatchObject({ code: 0 });
    expect(made()).toBe(before + 1);
    expect((await maker.run(['plan', ...again])).stdout).toContain('No changes.');

    // A post that was not finished when its request was deleted, with the product that it shows.
    const late = '      - { key: late, post_type: image, products: [cup], aspect_ratio: "1:1" }\n';
    await maker.write('m.yaml', MANIFEST + MORE + late);
    expect(await maker.run(['apply', 'm.yaml', '--no-wait'])).toMatchObject({ code: 3 });
    const list = JSON.parse((await maker.run(['state', 'list', 'm.yaml', '--json'])).stdout) as {
      address: string;
      id: string;
    }[];
    const newest = list.filter(({ address }) => address.startsWith('media-config/')).at(-1);
    await rig.call('DELETE', `/media-config/${newest?.id}/`);
    await rig.call('DELETE', `/products/${id('product/cup')}/`);
    expect(await refresh()).toMatchObject({ code: 0, stdout: expect.stringContaining('2 gone') });
    expect((await maker.run(['plan', 'm.yaml'])).stdout).toContain(
      '! media/hero/late is gone: The post is gone.',
    );
    const bought = made();
    expect(await maker.run(['apply', ...again])).toMatchObject({ code: 5 });
    // The product, which costs nothing.
    expect(made()).toBe(bought + 1);
    expect(await maker.run(['apply', ...again, '--yes'])).toMatchObject({ code: 0 });
    expect(made()).toBe(bought + 2);

    // Half of what is known is no spell, and may be one all the same.
    rig.emulator.order([{ on: 'GET /products/{id}/', do: { fault: 'status', status: 404 } }]);
    expect(await found()).toMatchObject({ gone: { length: 3 } });
    rig.emulator.order([]);
    const products = made();
    expect(await maker.run(['apply', ...again])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes; 1 to recheck.'),
    });
    expect(made()).toBe(products);
    expect(await maker.read(STATE)).toMatch(/"type":"refreshed".*"found":"here"/);
  });
});
