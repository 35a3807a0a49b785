import { mkdir, rename, rm, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, untilTestEnds } from './small-campaign.ts';

/** A manifest of one product in a folder, one concept and one post, with these lines of its own. */
function manifest(
  lines: string,
  { product = 'products: { tote: { images: photos/tote } }', name = 'small' } = {},
) {
  return `version: 1
name: ${name}
${lines}
${product}
posts:
  hero:
    concept: morning
    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1" }]
`;
}

const CONCEPT = 'concepts: { morning: { description: Soft light } }';
const FOLDERS = (glob: string) => ({ product: `product_folders: ['${glob}']` });

async function started(text: string) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(text, service);
  await mkdir(join(campaign.folder, 'photos/tote'), { recursive: true });
  await mkdir(join(campaign.folder, 'refs'));
  await campaign.write('photos/tote/front.png', PNG);
  await campaign.write('refs/mood.png', Buffer.concat([PNG, Buffer.from('mood')]));
  return { service, campaign };
}

type Started = Awaited<ReturnType<typeof started>>;

async function applyWell({ campaign }: Started, ...flags: string[]) {
  expect(await campaign.run(['apply', 'm.yaml', ...flags])).toMatchObject({ code: 0 });
}

/** That a second run has nothing to do, and sends nothing. */
async function expectNothing(rig: Started, ...flags: string[]) {
  const before = rig.service.requests.length;
  const { code, stdout, stderr } = await rig.campaign.run(['apply', 'm.yaml', ...flags]);
  expect({ code, stdout, stderr }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nNo changes\.\n$/),
  });
  expect(rig.service.requests).toHaveLength(before);
}

describe('a result is never a photo', () => {
  it.each([
    [
      'the output folder is inside a product folder',
      manifest(`outputs: { dir: photos/tote/out }\n${CONCEPT}`),
    ],
    [
      'a glob reaches the output folder',
      manifest(CONCEPT, { product: "products: { tote: { images: ['**/*.png'] } }" }),
    ],
    ['the output folder is beside product folders', manifest(CONCEPT, FOLDERS('photos/*'))],
    [
      'the output folder is one of the product folders',
      manifest(`outputs: { dir: photos/results }\n${CONCEPT}`, FOLDERS('photos/*')),
    ],
    [
      'the output folder lies below one of the product folders that holds nothing else',
      manifest(`outputs: { dir: photos/made/by/us, name: '{post}-{item}' }\n${CONCEPT}`, FOLDERS('photos/*')),
    ],
    [
      'the output folder is in a folder of references',
      manifest(
        "outputs: { dir: refs/out, name: '{post}-{item}' }\nconcepts: { morning: { ref_images: ['refs/**'] } }",
      ),
    ],
    [
      'the output folder is the folder of the manifest',
      manifest(`outputs: { dir: ., name: 'photos/tote/{post}-{item}' }\n${CONCEPT}`),
    ],
  ])('where %s', async (_, text) => {
    const rig = await started(text);
    await applyWell(rig);
    await expectNothing(rig);
    await expectNothing(rig);
  });

  it.each([
    ['there', ''],
    ['among them', 'outputs: { dir: . }'],
  ])('where every folder beside the manifest is a product, and results lie %s', async (_, outputs) => {
    const text = `version: 1
name: small
${outputs}
product_folders: ['*']
${CONCEPT}
posts:
  grid:
    matrix: { product: '*' }
    concept: morning
    items: [{ post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: "1:1" }]
`;
    const rig = await started(text);
    await rename(join(rig.campaign.folder, 'photos/tote'), join(rig.campaign.folder, 'tote'));
    await rm(join(rig.campaign.folder, 'photos'), { recursive: true });
    await applyWell(rig);
    expect(rig.service.created.configs).toHaveLength(2);
    await expectNothing(rig);
  });

  it('where a link leads to the output folder', async () => {
    const rig = await started(
      manifest(CONCEPT, { product: "products: { tote: { images: ['photos/**/*.png'] } }" }),
    );
    await applyWell(rig);
    const { folder } = rig.campaign;
    await symlink('../../out/small/default/hero', join(folder, 'photos/tote/results'));
    await symlink('../../out/small/default/hero/1-image.png', join(folder, 'photos/tote/result.png'));
    await expectNothing(rig);
  });

  it('where another environment has made it', async () => {
    const rig = await started(manifest(CONCEPT, { product: "products: { tote: { images: ['**/*.png'] } }" }));
    await applyWell(rig);
    await applyWell(rig, '--env', 'emulator');
    await expectNothing(rig);
  });

  it('where another campaign has made it, unless it is chosen', async () => {
    const rig = await started(manifest(`outputs: { dir: made }\n${CONCEPT}`));
    const { campaign } = rig;
    await applyWell(rig);
    const other = (images: string) =>
      manifest(CONCEPT, { name: 'other', product: `products: { tote: { images: [${images}] } }` });
    await campaign.write('o.yaml', other("'**/*.png'"));
    const images = async () => {
      const { stdout } = await campaign.run(['plan', 'o.yaml', '--json', '--state', 'other.jsonl']);
      return stdout.match(/"upload\/[0-9a-f]+","action":"create"/g)?.length ?? 0;
    };
    expect(await images()).toBe(2);
    await campaign.write('o.yaml', other('made/hero'));
    await campaign.run(['state', 'new', 'o.yaml', '--state', 'other.jsonl', '--yes']);
    expect(await images()).toBe(1);
    await campaign.write('o.yaml', other("'made/hero/*'"));
    expect(await images()).toBe(1);
  });

  it('where the output folder was another one, and its index is gone', async () => {
    const product = { product: "products: { tote: { images: ['photos/**/*.png'] } }" };
    const rig = await started(manifest(`outputs: { dir: photos/old }\n${CONCEPT}`, product));
    const { campaign } = rig;
    await applyWell(rig);
    await unlink(join(campaign.folder, 'photos/old/index.json'));
    await campaign.write('photos/old/hero/1-image.bak1.png', Buffer.concat([PNG, Buffer.from('retouched')]));
    await campaign.write('m.yaml', manifest(`outputs: false\n${CONCEPT}`, product));
    await expectNothing(rig);
    expect(await campaign.run(['plan', 'm.yaml'])).toMatchObject({
      stdout: expect.stringMatching(/\nNo changes\.\n$/),
    });
  });
});

describe('a path that names a result', () => {
  it.each([
    ['a file', 'out/small/default/hero/1-image.png', 'lies in the output folder "out/small/default"'],
    ['the output folder', 'out/small/default/hero', 'lies in the output folder "out/small/default"'],
    ['what campaign keeps for itself', '.campaign', 'lies in `.campaign/`'],
    ['a link to it', 'link.png', 'lies in the output folder "out/small/default"'],
  ])('is an error at its line: %s', async (_, written, why) => {
    const rig = await started(manifest(CONCEPT));
    const { campaign } = rig;
    await applyWell(rig);
    await campaign.write('.campaign/photo.png', PNG);
    await symlink('out/small/default/hero/1-image.png', join(campaign.folder, 'link.png'));
    await campaign.write(
      'm.yaml',
      manifest(CONCEPT, { product: `products: { tote: { images: ${written} } }` }),
    );
    const before = rig.service.requests.length;
    const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect(code).toBe(65);
    expect(stderr).toContain('error: Result named as a photo [output-as-input]');
    expect(stderr).toContain('m.yaml:4:');
    expect(stderr.replace(/\s+/g, ' ')).toContain(`"${written}" ${why}`);
    expect(stderr.replace(/\s+/g, ' ')).toContain('copy it to a folder beside your photos');
    expect(rig.service.requests).toHaveLength(before);
  });

  it('is one among product folders too', async () => {
    const rig = await started(manifest(CONCEPT, FOLDERS('photos/*')));
    await applyWell(rig);
    await rig.campaign.write(
      'm.yaml',
      manifest(CONCEPT, FOLDERS('out/small')).replace("'out/small'", "'photos/*', out/small"),
    );
    const { code, stderr } = await rig.campaign.run(['validate', 'm.yaml']);
    expect([code, stderr.includes('[output-as-input]')]).toEqual([65, true]);
  });
});
