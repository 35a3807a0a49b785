import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { type Disk, realDisk } from '../../src/util/disk.ts';
import { campaignFolder, loaded, problemsOf, shown } from './campaign-folder.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const OTHER = '11111111-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
const HEAD = 'version: 1\nname: x\n';

describe('product folders', () => {
  it('are merged: entry over product.yaml over folder', async () => {
    const { products } = await loaded(
      `${HEAD}variables: { colour: Red }
defaults: { product: { description: of the shop, variant: plain } }
product_folders: ["photos/*", photos/Mug]
products:
  mug: { description: from the entry }
  lamp: { images: https://cdn.example.com/lamp.jpg }
`,
      {
        files: {
          'photos/readme.txt': '',
          'photos/Mug/b.jpg': '',
          'photos/Mug/a.jpg': '',
          'photos/Mug/details/c.jpg': '',
          'photos/Mug/product.yaml':
            'name: ${{ vars.colour }} mug\ndescription: from the file\nvariant: special\nimages: [b.jpg, details, "*.jpg"]\n',
          'photos/Tea Pot/x.jpg': '',
        },
      },
    );
    expect(products).toEqual([
      {
        key: 'mug',
        name: 'Red mug',
        description: 'from the entry',
        variant: 'special',
        images: [
          { file: 'photos/Mug/b.jpg', source: 'photos/Mug/product.yaml#/images/0' },
          { file: 'photos/Mug/details/c.jpg', source: 'photos/Mug/product.yaml#/images/1' },
          { file: 'photos/Mug/a.jpg', source: 'photos/Mug/product.yaml#/images/2' },
        ],
        source: '#/products/mug',
      },
      {
        key: 'tea-pot',
        name: 'tea-pot',
        description: 'of the shop',
        defaultName: 'Tea Pot',
        variant: 'plain',
        images: [{ file: 'photos/Tea Pot/x.jpg', source: '#/product_folders/0' }],
        source: '#/product_folders/0',
      },
      {
        key: 'lamp',
        name: 'lamp',
        description: 'of the shop',
        variant: 'plain',
        images: [{ url: 'https://cdn.example.com/lamp.jpg', source: '#/products/lamp/images' }],
        source: '#/products/lamp',
      },
    ]);
  });

  it('may have an empty product.yaml', async () => {
    const files = { 'photos/mug/a.jpg': '', 'photos/mug/product.yaml': '# nothing yet\n' };
    const { products } = await loaded(`${HEAD}product_folders: [photos/mug]\n`, { files });
    expect(products[0]).toMatchObject({ key: 'mug', name: 'mug', source: 'photos/mug/product.yaml#' });
  });

  it('give the images that the entry names instead', async () => {
    const text = `${HEAD}product_folders: [photos/*]\nproducts: { mug: { images: photos/mug/b.jpg } }\n`;
    const { products } = await loaded(text, { files: ['photos/mug/a.jpg', 'photos/mug/b.jpg'] });
    expect(products[0]?.images).toEqual([{ file: 'photos/mug/b.jpg', source: '#/products/mug/images' }]);
  });

  it('are refused where they or their product.yaml lead out of the folder', async () => {
    const other = await campaignFolder('name: Mug\n', ['a.jpg']);
    const { folder, options } = await campaignFolder(`${HEAD}product_folders: [photos/*]\n`, [
      'photos/mug/a.jpg',
    ]);
    await symlink(other.folder, path.join(folder, 'photos/out'));
    await symlink(path.join(other.folder, 'campaign.yaml'), path.join(folder, 'photos/mug/product.yaml'));
    const refused = await loadManifest(options);
    expect(refused.ok ? [] : refused.error.map(shown)).toEqual([
      expect.stringContaining('"photos/out" is a link that leads out of the folder'),
      expect.stringContaining('"photos/mug/product.yaml" is a link that leads out of the folder'),
    ]);
    const allowed = await loadManifest({ ...options, outside: 'allow' });
    expect(allowed.ok && allowed.value.manifest.products.map(({ name }) => name)).toEqual(['Mug', 'out']);
  });

  it('are asked about once, however many ask', async () => {
    const { options } = await campaignFolder(`${HEAD}product_folders: [photos/*]\n`, [
      'photos/mug/a.jpg',
      'photos/tote/b.jpg',
    ]);
    const asked: string[] = [];
    const counted = <Answer>(name: string, ask: (path: string) => Answer) => {
      return (file: string): Answer => {
        asked.push(`${name} ${file}`);
        return ask(file);
      };
    };
    const disk: Disk = {
      ...realDisk,
      stat: counted('stat', (file) => realDisk.stat(file)),
      real: counted('real', (file) => realDisk.real(file)),
      list: counted('list', (file) => realDisk.list(file)),
    };
    expect((await loadManifest({ ...options, disk })).ok).toBe(true);
    const ofFolders = asked.filter((line) => /photos\/\w+$/.test(line));
    expect(ofFolders.map((line) => line.split(/ .*\//).join(' ')).sort()).toEqual(
      ['mug', 'tote'].flatMap((name) => ['list', 'real', 'stat'].map((ask) => `${ask} ${name}`)).sort(),
    );
  });

  it('are in the order of code points, whatever alphabet their names have', async () => {
    const text = `${HEAD}products: { mug: { images: photos } }\n`;
    const names = ['b.jpg', 'a.jpg', 'é.jpg', 'B.jpg', 'z.jpg', '\u{1f600}.jpg', '\uff21.jpg'];
    const { products } = await loaded(text, { files: names.map((name) => `photos/${name}`) });
    const sorted = ['B.jpg', 'a.jpg', 'b.jpg', 'z.jpg', 'é.jpg', '\uff21.jpg', '\u{1f600}.jpg'];
    expect(products[0]?.images.map((image) => ('file' in image ? image.file : ''))).toEqual(
      sorted.map((name) => `photos/${name}`),
    );
  });

  it('that a variable names stay unread while it is unknown', async () => {
    const text = `${HEAD}product_folders: ["\${{ vars.x }}/*"]\nproducts: { a: { images: "\${{ vars.x }}/a.jpg" } }\n`;
    expect(await problemsOf(text)).not.toContain('no-match');
  });
});

describe('an id', () => {
  const text = `${HEAD}service: { environments: { stage: { base_url: https://a.example.com } } }
products:
  bare: { id: ${ID.toUpperCase()}, images: a.jpg }
  map: { id: { stage: ${ID}, emulator: ${OTHER} }, images: a.jpg }
concepts:
  bare: { id: ${ID} }
`;

  it.each([
    ['stage', ID, ID],
    ['emulator', undefined, OTHER],
    [undefined, undefined, undefined],
  ])('in the environment %s', async (environment, bare, map) => {
    const chosen = environment === undefined ? {} : { environment };
    const { products, concepts } = await loaded(text, { files: ['a.jpg'], ...chosen });
    expect(products.map(({ id }) => id)).toEqual([bare, map]);
    expect(concepts.map(({ id }) => id)).toEqual([bare]);
  });

  it('makes images needless where it holds, and where no environment is chosen', async () => {
    const only = `${HEAD}products: { mug: { id: ${ID} } }\n`;
    expect((await loaded(only)).products[0]?.images).toEqual([]);
    expect((await loaded(only, { baseUrl: 'https://a.example.com' })).products[0]?.id).toBe(ID);
  });
});
