import { chmod, mkdir, rmdir } from 'node:fs/promises';
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
        There is no key "toString" here, and passing over it could hide a mistake. Known keys: version, name, description, service, variables, defaults, product_folders, product_tables, products, concepts, posts, limits, budget, outputs, moved.
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

describe('folders that may not be read', () => {
  /** What is said of a manifest while `shots/shut` has this mode. */
  async function whileShut(lines: string, mode: number) {
    const { folder, options } = await campaignFolder(`version: 1\nname: x\n${lines}\n`, {
      'shots/a/a.jpg': 'photo',
      'shots/shut/b.jpg': 'photo',
      'shots/shut/deep/c.jpg': 'photo',
    });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'shots/shut'), mode);
    onTestFinished(() => chmod(path.join(folder, 'shots/shut'), 0o755));
    asNobody();
    const result = await loadManifest(options);
    return result.ok ? '' : result.error.map(shown).join('\n');
  }

  it.each(['shots/**', 'shots/*/*.jpg', '**/*.jpg'])('are not passed over by %s', async (glob) => {
    expect(await whileShut(`products: { a: { images: '${glob}' } }`, 0)).toBe(
      `cannot-read campaign.yaml:3:26 «'${glob}'»\n  The folder "shots/shut", which the pattern reaches, cannot be read. Check its permissions, or write a pattern that does not reach it.`,
    );
  });

  it('are said to be shut, not gone', async () => {
    expect(await whileShut('products: { a: { images: shots/shut/b.jpg } }', 0)).toBe(
      'cannot-read campaign.yaml:3:26 «shots/shut/b.jpg»\n  "shots/shut/b.jpg" cannot be reached: a folder on the way to it is not yours to look into. Check the permissions of the folders.',
    );
    expect(await whileShut("product_folders: ['shots/shut/*']", 0o444)).toContain(
      '"shots/shut/deep" cannot be reached',
    );
    expect(await whileShut('product_folders: [shots/shut/deep]', 0)).toContain(
      '"shots/shut/deep" cannot be reached',
    );
    expect(await whileShut("product_folders: ['shots/*']", 0)).toContain(
      'The folder "shots/shut" cannot be read. Check its permissions.',
    );
  });
});

describe('a product folder', () => {
  const text = (entry: string) => `version: 1\nname: x\nproduct_folders: ['${entry}']\n`;

  it('has a name in UTF-8', async () => {
    const { folder, options } = await campaignFolder(text('photos/*'), ['photos/tote/a.jpg']);
    const at = Buffer.concat([Buffer.from(`${folder}/photos/caf`), Buffer.from([0xe9, 0x0a])]);
    await mkdir(at);
    const result = await loadManifest(options);
    expect(result.ok ? [] : result.error.map(shown)).toEqual([
      `odd-name campaign.yaml:3:19 «'photos/*'»\n  The name "caf\\xE9\\x0A" is not UTF-8, so it cannot be written into a manifest, nor the file be found by it. Rename it (\`convmv\` changes many names at once), or move it elsewhere.`,
    ]);
    await rmdir(at);
    expect((await loadManifest(options)).ok).toBe(true);
  });

  it('is not the folder that the product folders lie in', async () => {
    const files = ['photos/tote/a.jpg', 'photos/mug/a.jpg', 'photos/notes.txt'];
    expect(await problemsOf(text('photos'), { files })).toBe(
      `no-images campaign.yaml:3:19 «'photos'»\n  The folder "photos" holds folders and no photo, and every entry of \`product_folders\` stands for products. Did you mean "photos/*", so that each folder in it is one?`,
    );
    expect(await problemsOf(text('photos'), { files: [...files, 'photos/own.jpg'] })).toBe('');
    const written = { 'photos/tote/a.jpg': '', 'photos/product.yaml': 'images: tote\n' };
    expect(await problemsOf(text('photos'), { files: written })).toBe('');
  });

  it.each([
    ['a NUL in its path', '"a\\0b"', '"a\\u0000b" holds a NUL character, which no path can. Take it out.'],
    ['a path that is too long', 'n'.repeat(300), 'is longer than any path can be. Correct it.'],
  ])('with %s is no crash', async (_, entry, words) => {
    expect(await problemsOf(`version: 1\nname: x\nproduct_folders: [${entry}]\n`)).toContain(words);
    expect(await problemsOf(`version: 1\nname: x\nproducts: { a: { images: ${entry} } }\n`)).toContain(words);
    const glob = entry.startsWith('"') ? entry.replace(/"$/, '*"') : `"${entry}*"`;
    expect(await problemsOf(`version: 1\nname: x\nproduct_folders: [${glob}]\n`)).toContain('no-match');
    expect(await problemsOf(`version: 1\nname: x\nproducts: { a: { images: ${glob} } }\n`)).toContain(
      'no-match',
    );
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
