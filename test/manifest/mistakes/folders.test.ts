import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('product folders', () => {
  it('that are not there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          No folder matches "photos/*". Check the spelling, and that the photos are there.

        "
      `);
  });

  it('that are files', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/tote.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          No folder matches "photos/*". Only files match, and a product is a folder of photos. Check the spelling, and that the photos are there.

        "
      `);
  });

  it('without a photo', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/tote/a.png': 'photo', 'photos/mug': 'folder' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Folder holds no image [no-images]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          The folder "photos/mug" holds no file that ends in .jpg, .jpeg, .jfif, .jpe, .png, .webp, .gif, .avif, .heic, .heif, .hif, .tif or .tiff. Put one there; folders inside it are only looked into for \`photos/mug/**\`.

        "
      `);
  });

  it('of one name', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*, more/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'more/mug/a.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two names would be one [duplicate-slug]
          at campaign.yaml:3:29
            |
          3 | product_folders: [photos/*, more/*]
            |                             ^^^^^^
          The folders "photos/mug" and "more/mug" would both be the product "mug", and its photos would be mixed up. Rename one of them.

        "
      `);
  });

  it('outside the folder of the manifest', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [../*]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:3:19
            |
          3 | product_folders: [../*]
            |                   ^^^^
          "../*" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.

        "
      `);
  });

  it('that are links to the outside', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/etc': { link: '/etc' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          "photos/etc" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.

        "
      `);
  });

  it('whose product.yaml is no map', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: '- Mug\n' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Wrong kind of value [wrong-type]
          at photos/mug/product.yaml:1:1
            |
          1 | - Mug
            | ^^^^^
          This file is a list, not a map of keys and values.

        "
      `);
  });

  it('whose product.yaml has a syntax error', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: 'name: "Mug\n' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: YAML syntax error [yaml-syntax]
          at photos/mug/product.yaml:1:7
            |
          1 | name: "Mug
            |       ^
          This text begins with \`"\` and is never closed. Write \`"\` where it ends.

        "
      `);
  });

  it('whose product.yaml names photos that are not there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          {
            files: {
              'photos/mug/a.png': 'photo',
              'photos/mug/product.yaml': { text: 'images: [front.png]\n' },
            },
          },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at photos/mug/product.yaml:1:10
            |
          1 | images: [front.png]
            |          ^^^^^^^^^
          There is no file or folder "front.png". Paths begin at the folder of the file that names them.

        "
      `);
  });

  it('whose product.yaml is a folder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': 'folder' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Not an ordinary file [not-a-file]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          photos/mug/product.yaml: This is a folder, not a YAML file.

        "
      `);
  });

  it('whose product.yaml is a pipe', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': 'pipe' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Not an ordinary file [not-a-file]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          photos/mug/product.yaml: This is a pipe or a device, and reading it might never end. Save the text as a file.

        "
      `);
  });

  it('whose product.yaml is a link to the outside', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { link: '/etc/hostname' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:3:19
            |
          3 | product_folders: [photos/*]
            |                   ^^^^^^^^
          "photos/mug/product.yaml" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.

        "
      `);
  });
});
