import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('images', () => {
  it('that are not there', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
products:
  a: { images: shots/tote.jpg }
  b: { images: [shots, nothing/a.jpg] }
  c: { images: shots/x-*.jpg }
`,
        { files: ['shots/tota.jpg'] },
      ),
    ).toMatchInlineSnapshot(`
      "no-match campaign.yaml:4:16 «shots/tote.jpg»
        There is no file or folder "shots/tote.jpg". Did you mean "tota.jpg"?
      no-match campaign.yaml:5:24 «nothing/a.jpg»
        There is no file or folder "nothing/a.jpg". Its folder "nothing" is missing. Paths begin at the folder of the file that names them.
      no-match campaign.yaml:6:16 «shots/x-*.jpg»
        No image matches "shots/x-*.jpg". Check the spelling and the folder."
    `);
  });

  it('in a folder without one', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
products: { a: { images: shots } }
`,
        { files: ['shots/notes.txt', 'shots/.hidden.jpg', 'shots/deep.jpg/a.jpg'] },
      ),
    ).toMatchInlineSnapshot(`
      "no-images campaign.yaml:3:26 «shots»
        The folder "shots" holds no file that ends in .jpg, .jpeg, .jfif, .jpe, .png, .webp, .gif, .avif, .heic, .heif, .hif, .tif or .tiff. ".hidden.jpg" is passed over: it is hidden, because its name begins with a full stop. Put one there; folders inside it are only looked into for \`shots/**\`."
    `);
  });

  it('outside the folder', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products:
  a: { images: [../x.jpg, /etc/passwd, 'shots/../../*.jpg'] }
concepts: { a: { ref_images: .. } }
product_folders: [../*]
outputs: { dir: ../out, name: '../{post}' }
`),
    ).toMatchInlineSnapshot(`
      "outside-folder campaign.yaml:4:17 «../x.jpg»
        "../x.jpg" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      outside-folder campaign.yaml:4:27 «/etc/passwd»
        "/etc/passwd" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      outside-folder campaign.yaml:4:40 «'shots/../../*.jpg'»
        "shots/../../*.jpg" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      outside-folder campaign.yaml:5:30 «..»
        ".." leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      outside-folder campaign.yaml:6:19 «../*»
        "../*" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      outside-folder campaign.yaml:7:17 «../out»
        "../out" leads out of the folder of the manifest, where nothing else is written. Write a path below it, or allow this with --allow-outside.
      outside-folder campaign.yaml:7:31 «'../{post}'»
        A file name stays below the output folder. Take \`..\` and a \`/\` at its beginning out."
    `);
  });

  it('from other addresses', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products: { a: { images: [http://a.example.com/x.jpg, s3://b/x.jpg] } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-image-url campaign.yaml:3:27 «http://a.example.com/x.jpg»
        Images come from https addresses or from files beside the manifest; the service could not fetch this one.
      invalid-image-url campaign.yaml:3:55 «s3://b/x.jpg»
        Images come from https addresses or from files beside the manifest; the service could not fetch this one."
    `);
  });

  it('a product without any', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products: { a: {} }
`),
    ).toMatchInlineSnapshot(`
      "missing-images campaign.yaml:3:13 «a»
        The product "a" has no image: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`."
    `);
  });

  it('a product without any in this environment', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
products: { a: { id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f }, b: { id: { stage: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } } }
`,
        { environment: 'emulator' },
      ),
    ).toMatchInlineSnapshot(`
      "missing-images campaign.yaml:3:13 «a»
        The product "a" has no image and, in the environment "emulator", no id: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`.
      unknown-id-environment campaign.yaml:3:73 «stage»
        There is no environment "stage", so this id would never be used. Known environments: emulator, default."
    `);
  });

  it('a product whose images are broken', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products: { a: { images: [] } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:3:18 «images»
        This list is empty: fill it in, or remove the key. A folder, a file, a glob, an https URL, or a list of these; the first image is the main one. For example: photos/tote"
    `);
  });
});

describe('product folders', () => {
  it('that are not there', async () => {
    expect(
      await problemsOf(`version: 1
name: x
product_folders: [photos/*, pics]
`),
    ).toMatchInlineSnapshot(`
      "no-match campaign.yaml:3:19 «photos/*»
        No folder matches "photos/*". Check the spelling, and that the photos are there.
      no-match campaign.yaml:3:29 «pics»
        No folder matches "pics". Check the spelling, and that the photos are there."
    `);
  });

  it('with one name', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
product_folders: [photos/*, more/*]
`,
        { files: ['photos/mug/a.jpg', 'more/mug/a.jpg'] },
      ),
    ).toMatchInlineSnapshot(`
      "duplicate-slug campaign.yaml:3:29 «more/*»
        The folders "photos/mug" and "more/mug" would both be the product "mug", and its photos would be mixed up. Rename one of them."
    `);
  });

  it('with a bad product.yaml', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
product_folders: [photos/*]
`,
        {
          files: {
            'photos/mug/a.jpg': '',
            'photos/mug/product.yaml': 'nmae: Mug\nimages: b.jpg\ndescription: ${{ vars.x }}\n',
            'photos/tote/product.yaml': '- a\n',
            'photos/vase/product.yaml': 'a: [\n',
            'photos/tote/a.jpg': '',
            'photos/vase/a.jpg': '',
          },
        },
      ),
    ).toMatchInlineSnapshot(`
      "unknown-key photos/mug/product.yaml:1:1 «nmae»
        There is no key "nmae" here, and passing over it could hide a mistake. Did you mean "name"?
      no-match photos/mug/product.yaml:2:9 «b.jpg»
        There is no file or folder "b.jpg". Did you mean "a.jpg"?
      unknown-variable photos/mug/product.yaml:3:14 «\${{ vars.x }}»
        There is no variable "x". Declare it under \`variables:\`, or give it with \`--var x=…\`.
      wrong-type photos/tote/product.yaml:1:1 «- a»
        This file is a list, not a map of keys and values.
      yaml-syntax photos/vase/product.yaml:1:4 «[»
        This list begins with \`[\` and is never closed. Write \`]\` where it ends."
    `);
  });
});

describe('outputs', () => {
  it('with an unknown placeholder', async () => {
    expect(
      await problemsOf(`version: 1
name: x
outputs: { name: '{post}/{itme}-{foo}' }
`),
    ).toMatchInlineSnapshot(`
      "unknown-placeholder campaign.yaml:3:26 «{itme}»
        There is no placeholder "itme". Did you mean "item"?
      unknown-placeholder campaign.yaml:3:33 «{foo}»
        There is no placeholder "foo". Known placeholders: post, instance, item, post_type, take, product, concept, ratio, period."
    `);
  });
});
