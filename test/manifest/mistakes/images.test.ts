import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('images', () => {
  it('that are not there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots/tote.png }
`,
          { files: { 'shots/tota.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots/tote.png }
            |                   ^^^^^^^^^^^^^^
          There is no file or folder "shots/tote.png". Did you mean "tota.png"?

        "
      `);
  });

  it('in a folder that is not there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shot/tote.png }
`,
          { files: { 'shots/tote.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shot/tote.png }
            |                   ^^^^^^^^^^^^^
          There is no file or folder "shot/tote.png". Its folder "shot" is missing. Did you mean "shots"?

        "
      `);
  });

  it('that no glob finds', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots/tote-*.png }
`,
          { files: { 'shots/mug.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots/tote-*.png }
            |                   ^^^^^^^^^^^^^^^^
          No image matches "shots/tote-*.png". Check the spelling and the folder.

        "
      `);
  });

  it('that a glob takes for something else', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: 'shots/*' }
`,
          { files: { 'shots/notes.txt': { text: 'x' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: 'shots/*' }
            |                   ^^^^^^^^^
          No image matches "shots/*". What matches is no image: "notes.txt", for example. Check the spelling and the folder.

        "
      `);
  });

  it('in a folder without one', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { 'shots/notes.txt': { text: 'x' }, 'shots/more/a.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Folder holds no image [no-images]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          The folder "shots" holds no file that ends in .jpg, .jpeg, .jfif, .jpe, .png, .webp, .gif, .avif, .heic, .heif, .hif, .tif or .tiff. Put one there; folders inside it are only looked into for \`shots/**\`.

        "
      `);
  });

  it('in an empty folder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { shots: 'folder' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Folder holds no image [no-images]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          The folder "shots" holds no file that ends in .jpg, .jpeg, .jfif, .jpe, .png, .webp, .gif, .avif, .heic, .heif, .hif, .tif or .tiff. Put one there; folders inside it are only looked into for \`shots/**\`.

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
products:
  tote: { images: [../tote.png, /etc/hostname] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:4:20
            |
          4 |   tote: { images: [../tote.png, /etc/hostname] }
            |                    ^^^^^^^^^^^
          "../tote.png" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.

        error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:4:33
            |
          4 |   tote: { images: [../tote.png, /etc/hostname] }
            |                                 ^^^^^^^^^^^^^
          "/etc/hostname" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.

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
products:
  tote: { images: tote.png }
`,
          { files: { 'tote.png': { link: '/etc/hostname' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: tote.png }
            |                   ^^^^^^^^
          "tote.png" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.

        "
      `);
  });

  it('in a folder that is a link to the outside', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { shots: { link: '/etc' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          "shots" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.

        "
      `);
  });

  it('in a folder with a link to the outside', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { 'shots/a.png': 'photo', 'shots/b.png': { link: '/etc/hostname' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          "b.png" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.

        "
      `);
  });

  it('that are links to nothing', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: tote.png }
`,
          { files: { 'tote.png': { link: 'gone.png' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File or folder is not there [no-match]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: tote.png }
            |                   ^^^^^^^^
          "tote.png" is a link, and what it leads to is gone. Put the file there.

        "
      `);
  });

  it('that are pipes', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: tote.png }
`,
          { files: { 'tote.png': 'pipe' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Not an ordinary file [not-a-file]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: tote.png }
            |                   ^^^^^^^^
          "tote.png" is a pipe, a socket or a device, and reading it might never end. Put an image file there, or take it out.

        "
      `);
  });

  it('in a folder with a pipe', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { 'shots/a.png': 'pipe' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Not an ordinary file [not-a-file]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          "a.png" is a pipe, a socket or a device, and reading it might never end. Put an image file there, or take it out.

        "
      `);
  });

  it('that are none', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: [tote.png, mug.png] }
`,
          { files: { 'tote.png': { text: '<html>404</html>' }, 'mug.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File is not an image [not-an-image]
          at campaign.yaml:4:20
            |
          4 |   tote: { images: [tote.png, mug.png] }
            |                    ^^^^^^^^
          "tote.png" is not an image, whatever its name says. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. Export it again in one of these formats, or take it out.

        "
      `);
  });

  it('that are none, in a folder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: shots }
`,
          { files: { 'shots/a.png': 'photo', 'shots/b.jpg': { text: '%PDF-1.7' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File is not an image [not-an-image]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: shots }
            |                   ^^^^^
          "shots/b.jpg" is not an image, whatever its name says. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. Export it again in one of these formats, or take it out.

        "
      `);
  });

  it('that are empty files', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: tote.png }
`,
          { files: { 'tote.png': { text: '' } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: File is not an image [not-an-image]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: tote.png }
            |                   ^^^^^^^^
          "tote.png" is empty. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. Export it again in one of these formats, or take it out.

        "
      `);
  });

  it('of 3 GB', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: tote.png }
`,
          { files: { 'tote.png': { bytes: 3 * 1024 ** 3 } } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Image is too large [image-too-large]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: tote.png }
            |                   ^^^^^^^^
          "tote.png" has more than 2 GB, the most that is sent. Save it smaller.

        "
      `);
  });

  it('over http', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: http://cdn.example.com/tote.jpg }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Image URL is not usable [invalid-image-url]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: http://cdn.example.com/tote.jpg }
            |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          Images come from https addresses or from files beside the manifest; the service could not fetch this one.

        "
      `);
  });

  it('with a password in their address', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { images: https://me:s3cr3t@cdn.example.com/tote.jpg }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Image URL is not usable [invalid-image-url]
          at campaign.yaml:4:19
            |
          4 |   tote: { images: https://*********@cdn.example.com/tote.jpg }
            |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          A user name or password in an address ends up in logs and in the service. Put the file beside the manifest instead.

        "
      `);
  });

  it('none at all', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
products:
  tote: { name: Tote }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Product has no image [missing-images]
          at campaign.yaml:4:3
            |
          4 |   tote: { name: Tote }
            |   ^^^^
          The product "tote" has no image: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`.

        "
      `);
  });

  it('none in this environment', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com } } }
products:
  tote: { id: { stage: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
`,
          { environment: 'emulator' },
        ),
      )
      .toMatchInlineSnapshot(`
        "warning: CAMPAIGN_BASE_URL is not used [base-url-ignored]
          The emulator runs inside campaign, whatever CAMPAIGN_BASE_URL says.

        error: Product has no image [missing-images]
          at campaign.yaml:5:3
            |
          5 |   tote: { id: { stage: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
            |   ^^^^
          The product "tote" has no image and, in the environment "emulator", no id: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`.

        "
      `);
  });

  it('none, for the entry of a folder with another name', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
products:
  totes: { name: Tote }
`,
          { files: { 'photos/tote/a.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Product has no image [missing-images]
          at campaign.yaml:5:3
            |
          5 |   totes: { name: Tote }
            |   ^^^^^
          The product "totes" has no image: there is nothing to make pictures from. Did you mean "tote"?

        "
      `);
  });
});
