import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('images', () => {
  it('that are not there', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots/tote.png }
`,
        { files: { 'shots/tota.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a folder that is not there', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shot/tote.png }
`,
        { files: { 'shots/tote.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that no glob finds', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots/tote-*.png }
`,
        { files: { 'shots/mug.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that a glob takes for something else', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: 'shots/*' }
`,
        { files: { 'shots/notes.txt': { text: 'x' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a folder without one', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { 'shots/notes.txt': { text: 'x' }, 'shots/more/a.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in an empty folder', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { shots: 'folder' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('outside the folder of the manifest', async () => {
    expect(
      await mistake(`version: 1
name: x
products:
  tote: { images: [../tote.png, /etc/hostname] }
`),
    ).toMatchInlineSnapshot();
  });

  it('that are links to the outside', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: tote.png }
`,
        { files: { 'tote.png': { link: '/etc/hostname' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a folder that is a link to the outside', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { shots: { link: '/etc' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a folder with a link to the outside', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { 'shots/a.png': 'photo', 'shots/b.png': { link: '/etc/hostname' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that are links to nothing', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: tote.png }
`,
        { files: { 'tote.png': { link: 'gone.png' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that are pipes', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: tote.png }
`,
        { files: { 'tote.png': 'pipe' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a folder with a pipe', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { 'shots/a.png': 'pipe' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that are none', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: [tote.png, mug.png] }
`,
        { files: { 'tote.png': { text: '<html>404</html>' }, 'mug.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that are none, in a folder', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: shots }
`,
        { files: { 'shots/a.png': 'photo', 'shots/b.jpg': { text: '%PDF-1.7' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that are empty files', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: tote.png }
`,
        { files: { 'tote.png': { text: '' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('of 3 GB', async () => {
    expect(
      await mistake(
        `version: 1
name: x
products:
  tote: { images: tote.png }
`,
        { files: { 'tote.png': { bytes: 3 * 1024 ** 3 } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('over http', async () => {
    expect(
      await mistake(`version: 1
name: x
products:
  tote: { images: http://cdn.example.com/tote.jpg }
`),
    ).toMatchInlineSnapshot();
  });

  it('with a password in their address', async () => {
    expect(
      await mistake(`version: 1
name: x
products:
  tote: { images: https://me:s3cr3t@cdn.example.com/tote.jpg }
`),
    ).toMatchInlineSnapshot();
  });

  it('none at all', async () => {
    expect(
      await mistake(`version: 1
name: x
products:
  tote: { name: Tote }
`),
    ).toMatchInlineSnapshot();
  });

  it('none in this environment', async () => {
    expect(
      await mistake(
        `version: 1
name: x
service: { environments: { stage: { base_url: https://a.example.com } } }
products:
  tote: { id: { stage: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } }
`,
        { args: ['--env', 'emulator'] },
      ),
    ).toMatchInlineSnapshot();
  });

  it('none, for the entry of a folder with another name', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
products:
  totes: { name: Tote }
`,
        { files: { 'photos/tote/a.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });
});
