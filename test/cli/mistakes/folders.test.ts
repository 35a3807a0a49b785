import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('product folders', () => {
  it('that are not there', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [photos/*]
`),
    ).toMatchInlineSnapshot();
  });

  it('that are files', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/tote.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('without a photo', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/tote/a.png': 'photo', 'photos/mug': 'folder' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('of one name', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/My Mug/a.png': 'photo', 'photos/my-mug/a.png': 'photo' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('outside the folder of the manifest', async () => {
    expect(
      await mistake(`version: 1
name: x
product_folders: [../*]
`),
    ).toMatchInlineSnapshot();
  });

  it('that are links to the outside', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/etc': { link: '/etc' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml is no map', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: '- Mug\n' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml has a syntax error', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: 'name: "Mug\n' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml names photos that are not there', async () => {
    expect(
      await mistake(
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
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml is a folder', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': 'folder' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml is a pipe', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': 'pipe' } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('whose product.yaml is a link to the outside', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { link: '/etc/hostname' } } },
      ),
    ).toMatchInlineSnapshot();
  });
});
