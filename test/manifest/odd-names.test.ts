import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { campaignFolder, loaded, problemsOf, shown } from './campaign-folder.ts';

/** Root may read everything: the test goes on as nobody, where it can. */
function asNobody(): void {
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
}

describe('names that mean something in programs', () => {
  it('are names like any other', async () => {
    const { products, posts, description } = await loaded(`version: 1
name: constructor
description: \${{ vars.constructor }}
variables: { constructor: spring }
products: { constructor: { images: https://a.example.com/x.jpg } }
concepts: { tostring: {} }
posts:
  valueof:
    matrix: { hasOwnProperty: [isprototypeof] }
    concept: tostring
    items:
      - { post_type: image, aspect_ratio: '1:1', products: [constructor], descriptions: ['\${{ matrix.hasOwnProperty }}'] }
`);
    expect(description).toBe('spring');
    expect(products.map(({ key }) => key)).toEqual(['constructor']);
    expect(posts.map(({ instance, items }) => [instance, items[0]?.descriptions])).toEqual([
      ['isprototypeof', ['isprototypeof']],
    ]);
  });

  it('are unknown where they are', async () => {
    expect(
      await problemsOf(`version: 1
name: x
toString: 1
service: { default_environment: constructor }
description: \${{ vars.valueOf }}
posts: { a: { concept: hasOwnProperty, items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-key campaign.yaml:3:1 «toString»
        There is no key "toString" here, and passing over it could hide a mistake. Known keys: version, name, description, service, variables, defaults, product_folders, products, concepts, posts, limits, budget, outputs, moved.
      unknown-environment campaign.yaml:4:33 «constructor»
        There is no environment "constructor". Known environments: emulator.
      unknown-variable campaign.yaml:5:14 «\${{ vars.valueOf }}»
        There is no variable "valueOf". Declare it under \`variables:\`, or give it with \`--var valueOf=…\`.
      unknown-concept campaign.yaml:6:24 «hasOwnProperty»
        There is no concept "hasOwnProperty" in this manifest. There are none yet: write it under \`concepts:\`."
    `);
  });
});

describe('what may not be read', () => {
  it('is said of a manifest', async () => {
    const { folder, options } = await campaignFolder('version: 1\nname: x\n');
    await chmod(folder, 0o755);
    await chmod(options.file, 0);
    asNobody();
    const result = await loadManifest(options);
    expect(result.ok ? [] : result.error.map(shown)).toMatchInlineSnapshot(`
      [
        "cannot-read
        campaign.yaml: You are not allowed to read it. Change its permissions (\`chmod u+r\`).",
      ]
    `);
  });

  it('is said of a folder of photos', async () => {
    const text = 'version: 1\nname: x\nproducts: { a: { images: shots } }\n';
    const { folder, options } = await campaignFolder(text, ['shots/a.jpg']);
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'shots'), 0);
    onTestFinished(() => chmod(path.join(folder, 'shots'), 0o755));
    asNobody();
    const result = await loadManifest(options);
    expect(result.ok ? [] : result.error.map(shown)).toMatchInlineSnapshot(`
      [
        "cannot-read campaign.yaml:3:26 «shots»
        The folder "shots" cannot be read. Check its permissions.",
      ]
    `);
  });
});

describe('a text that is only partly understood', () => {
  it.each([
    ['an anchor in the lost part', 'variables: { a: &v [b }\nconcepts:\n  a: { name: *v }\n'],
    [
      'references into the lost part',
      `concepts: { a: [ }\nposts: { p: { concept: a, items: [{ post_type: image, aspect_ratio: '1:1' }] } }\n`,
    ],
    [
      'the environments in the lost part',
      'service: { environments: { a: [ }\nconcepts: { b: { id: { a: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } } }\n',
    ],
  ])('says nothing about %s', async (_, text) => {
    const problems = await problemsOf(`version: 1\nname: x\n${text}`, { environment: 'a' });
    expect(problems.match(/^[a-z-]+ campaign/gm)).toEqual(['yaml-syntax campaign']);
  });

  it('is not read at all where its maps are in braces', async () => {
    expect(await problemsOf('{ "version": 1,\n  "name": "x"\n  "foo": 1 }\n')).toMatchInlineSnapshot(`
      "yaml-syntax campaign.yaml:3:3 «"»
        A comma is missing before this entry. Inside brackets and braces, commas separate the entries."
    `);
  });
});
