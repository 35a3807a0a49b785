import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { campaignFolder, loaded, problemsOf } from './campaign-folder.ts';

const table = (file = 'shop/products.csv', more = '') => `version: 1
name: x
product_tables: [${file}]
${more}`;

describe('a product table', () => {
  it('gives products, with the names that shops give their columns', async () => {
    const csv = `\uFEFFid;Title;Description;image_link;service_id;Season
TOTE-1;Canvas tote;Natural canvas; a.jpg | https://cdn.example.com/b.jpg ;;spring
mug;;;b/*.jpg;;
Größe 4;;;a.jpg;;
old;Old;;;0B6C1C9E-2f7e-4c0a-9d3e-5a1f2c3d4e5f;
`;
    const files = { 'shop/products.csv': csv, 'shop/a.jpg': 'photo', 'shop/b/1.jpg': 'photo' };
    const { products, productSources } = await loaded(
      table(
        'shop/products.csv',
        "service: { environments: { live: { base_url: 'https://x.example.com' } } }\n",
      ),
      { files, environment: 'live' },
    );
    expect(productSources).toEqual(['shop/products.csv']);
    const variant = 'product_with_label';
    expect(products).toEqual([
      {
        key: 'tote-1',
        name: 'Canvas tote',
        description: 'Natural canvas',
        variant,
        images: [
          { file: 'shop/a.jpg', source: 'shop/products.csv#/1/3/0' },
          { url: 'https://cdn.example.com/b.jpg', source: 'shop/products.csv#/1/3/1' },
        ],
        source: 'shop/products.csv#/1',
      },
      {
        key: 'mug',
        name: 'mug',
        variant,
        images: [{ file: 'shop/b/1.jpg', source: 'shop/products.csv#/2/3/0' }],
        source: 'shop/products.csv#/2',
      },
      {
        key: 'grosse-4',
        name: 'grosse-4',
        defaultName: 'Größe 4',
        variant,
        images: [{ file: 'shop/a.jpg', source: 'shop/products.csv#/3/3/0' }],
        source: 'shop/products.csv#/3',
      },
      {
        key: 'old',
        name: 'Old',
        id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
        variant,
        images: [],
        source: 'shop/products.csv#/4',
      },
    ]);
  });

  it('lies over folders and product.yaml, and below products', async () => {
    const files = {
      'p.json':
        '[{"sku": "tote", "name": "of the table", "description": "${{ vars.season }} table"}, {"sku": "mug"}]',
      'photos/tote/a.jpg': 'photo',
      'photos/tote/product.yaml': 'name: of the folder\nvariant: clean\n',
      'photos/mug/a.jpg': 'photo',
    };
    const more = `product_folders: [photos/*]
variables: { season: spring }
products: { tote: { name: of the entry } }
`;
    const { products } = await loaded(table('p.json', more), { files });
    expect(products.map(({ key, name, description, variant }) => [key, name, description, variant])).toEqual([
      ['mug', 'mug', undefined, 'product_with_label'],
      ['tote', 'of the entry', 'spring table', 'clean'],
    ]);
    expect(products[1]?.images).toEqual([{ file: 'photos/tote/a.jpg', source: '#/product_folders/0' }]);
  });
});

describe('mistakes in a table', () => {
  it('are reported at their cells, all in one pass', async () => {
    const csv = `key,name,images,service_id
tote,Tote,gone.jpg,
mug,Mug,a.jpg,0b6c
,None,a.jpg,
tote,Again,a.jpg,
TOTE,Again,a.jpg,
cap,Cap
hat,"\${{ vars.hat }}",a.jpg,
bag,Bag,,
`;
    const files = { 'shop/products.csv': csv, 'shop/a.jpg': 'photo' };
    expect(await problemsOf(table(), { files })).toMatchInlineSnapshot(`
      "no-match shop/products.csv:2:11 «gone.jpg»
        There is no file or folder "gone.jpg". Paths begin at the folder of the file that names them.
      invalid-value shop/products.csv:3:15 «0b6c»
        The id of a product that the service has already is a UUID: 32 hexadecimal digits in five groups. Leave the cell empty where there is none.
      missing-key shop/products.csv:4:1 «,»
        This row has no key, so nobody could tell which product it is. Write one.
      duplicate-product shop/products.csv:5:1 «tote»
        Another row is the product "tote" as well, and only one of them would count. Remove one, or give it a key of its own.
      duplicate-product shop/products.csv:6:1 «TOTE»
        Another row is the product "tote" as well, and only one of them would count. Remove one, or give it a key of its own.
      invalid-table shop/products.csv:7:1 «cap,Cap»
        This row has 2 cells, and the table 4 columns. Put a text that holds the separator in double quotes.
      unknown-variable shop/products.csv:8:6 «\${{ vars.hat }}»
        There is no variable "hat". Declare it under \`variables:\`, or give it with \`--var hat=…\`.
      missing-images shop/products.csv:9:1 «bag,Bag,,»
        The product "bag" has no image: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`."
    `);
  });

  it('are reported in its first row', async () => {
    const files = {
      'a.csv': 'product,price €,price $\nx,1,1\n',
      'b.csv': 'key,a b,a  b,api_key,a b\nx,,,,\n',
    };
    expect(await problemsOf(table('a.csv, b.csv'), { files })).toMatchInlineSnapshot(`
      "missing-column a.csv:1:1 «product»
        This table has no column "key" (or "id", or "sku"), which says which product a row is. Its columns are: product, price €, price $.
      duplicate-slug b.csv:1:9 «a  b»
        The columns "a b" and "a  b" would both be \${{ product.vars.a-b }}. Rename one of them.
      secret-in-manifest b.csv:1:14 «api_key»
        \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.
      duplicate-key b.csv:1:22 «a b»
        Two columns are called "a b", and only one of them would count. Rename or remove one.
      missing-images b.csv:2:1 «x,,,,»
        The product "x" has no image: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`."
    `);
  });

  it('are reported of a table without rows, that is not there, and that is no table', async () => {
    const files = {
      'shop/a.jpg': 'photo',
      'empty.csv': '',
      'header.csv': 'key,name\n',
      'cut.csv': 'key,name\nx,"open\n',
    };
    const names = ['empty.csv', 'header.csv', 'cut.csv', 'gone.csv', '../out.csv', 'shop'].join(', ');
    expect(await problemsOf(table(names), { files })).toMatchInlineSnapshot(`
      "cannot-read campaign.yaml:3:50 «gone.csv»
        gone.csv: There is no such file. Check the name, and that a link does not lead nowhere.
      outside-folder campaign.yaml:3:60 «../out.csv»
        "../out.csv" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.
      not-a-file campaign.yaml:3:72 «shop»
        shop: This is a folder, not a table.
      invalid-table cut.csv:2:3 «"open»
        This text begins with \`"\` and is never closed, so the rest of the table would be in one cell. Write \`"\` where it ends.
      missing-column empty.csv:1:1 «»
        This table has no column "key" (or "id", or "sku"), which says which product a row is. Its columns are: none.
      invalid-table header.csv:1:1 «key»
        This table has no row, so it names no product. Check that it was exported whole."
    `);
  });

  it('leave no product unknown that it may have had', async () => {
    const posts = `posts:
  a: { concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, items: [{ post_type: image, products: [tote], aspect_ratio: '1:1' }] }
`;
    expect(await problemsOf(table('gone.csv', posts))).not.toContain('unknown-product');
    const matrix = `posts:
  a:
    matrix: { product: "*", exclude: [{ product: tote }] }
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: '1:1' }]
`;
    expect((await problemsOf(table('gone.csv', matrix))).match(/^[a-z-]+ /gm)).toEqual(['cannot-read ']);
  });

  it.each([
    ['UTF-16', 'UTF-16', '\uFEFFkey,name\ntote,Größe\n', 'utf16le'],
    ['UTF-16', 'UTF-16', 'key,name\ntote,Größe\n', 'utf16le'],
    ['Windows-1252 (Latin-1)', 'WINDOWS-1252', 'key,name\ntote,Größe\n', 'latin1'],
  ] as const)('are one where the table is in %s', async (encoding, name, csv, bytes) => {
    const { folder, options } = await campaignFolder(
      table(
        'p.csv',
        `products: { tote: { description: x } }
posts:
  a:
    matrix: { product: [tote, mug] }
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: '1:1', descriptions: ["\${{ product.name }} \${{ product.vars.x }}"] }]
`,
      ),
    );
    await writeFile(join(folder, 'p.csv'), Buffer.from(csv, bytes));
    const found = await loadManifest(options);
    const details = found.ok ? [] : found.error.map(({ detail }) => detail);
    expect(details).toEqual([expect.stringContaining(encoding)]);
    expect(details[0]).toContain(
      `"CSV UTF-8" among the file types; on the command line, \`iconv -f ${name} -t UTF-8`,
    );
  });

  it('are one where the table is the file of a spreadsheet program', async () => {
    const { folder, options } = await campaignFolder(table('p.xlsx'));
    await writeFile(join(folder, 'p.xlsx'), Buffer.from('504b0304140006000800000021', 'hex'));
    const found = await loadManifest(options);
    expect(found.ok ? [] : found.error.map(({ detail }) => detail)).toEqual([
      `${folder}/p.xlsx: It holds NUL bytes, as binary files do. Save the file as UTF-8: in a spreadsheet, "CSV UTF-8" among the file types.`,
    ]);
  });

  it('are counted where many rows have one', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `p${index}\n`).join('');
    const said = await problemsOf(table(), { files: { 'shop/products.csv': `key\n${rows}` } });
    expect(said.match(/^missing-images/gm)).toHaveLength(21);
    expect(said).toContain('campaign.yaml:3:1 «product_tables»\n  10 more rows name no image.');
  });
});
