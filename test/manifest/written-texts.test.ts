import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVariables } from '../../src/cli/variables.ts';
import { findHtml } from '../../src/manifest/expressions.ts';
import { realClock } from '../../src/util/clock.ts';
import { campaignFolder, loaded, problemsOf } from './campaign-folder.ts';

const item = (text: string) =>
  `- { post_type: image, products: [bag], aspect_ratio: "1:1", descriptions: ["${text}"] }`;

describe('a number that becomes part of a text', () => {
  it('keeps the digits that stand in the manifest, in a product.yaml and behind an alias', async () => {
    const manifest = `version: 1
name: x
service: { environments: { live: { base_url: 'https://x.example.com', variables: { code: 0x1F } } } }
variables: { price: 1.10, ean: 4006381333931004006381, code: 1 }
product_folders: [bag]
products: { bag: { vars: &texts { article: 007 } } }
concepts: { soft: { vars: { size: 38.50, all: True } } }
posts:
  hero:
    matrix:
      product: [bag]
      concept: [soft]
      n: [1.0, 1.50]
      exclude: [{ n: 1.0 }]
      include: [{ product: bag, concept: soft, n: 2.00 }]
    concept: soft
    items:
      ${item('${{ vars.price }} ${{ vars.ean }} ${{ vars.code }} ${{ product.vars.article }} ${{ product.vars.kg }} ${{ concept.vars.size }} ${{ concept.vars.all }} ${{ matrix.n }}')}
`;
    const files = { 'bag/a.jpg': 'photo', 'bag/product.yaml': 'vars: { kg: 0.50 }' };
    const { posts } = await loaded(manifest, { files, environment: 'live' });
    const all = posts.map(({ instance, items }) => [instance, items[0]?.descriptions[0]]);
    expect(all).toEqual([
      ['soft+1.50+bag', '1.10 4006381333931004006381 0x1F 007 0.50 38.50 True 1.50'],
      ['soft+2.00+bag', '1.10 4006381333931004006381 0x1F 007 0.50 38.50 True 2.00'],
    ]);
  });

  it('is the same in a table of CSV and of JSON, and as a key', async () => {
    const manifest = (table: string) => `version: 1
name: x
product_tables: [${table}]
concepts: { soft: {} }
posts:
  hero:
    matrix: { product: '*' }
    concept: soft
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '1:1', descriptions: ['\${{ product.vars.price }}'] }
`;
    const files = {
      'a.jpg': 'photo',
      't.csv': 'id,images,price\n4006381333931004006381,a.jpg,1.10\n',
      't.json': '[{"id": 4006381333931004006381, "images": "a.jpg", "price": 1.10}]',
    };
    for (const table of ['t.csv', 't.json']) {
      const { posts } = await loaded(manifest(table), { files });
      expect(posts[0]).toMatchObject({
        instance: '4006381333931004006381',
        items: [{ descriptions: ['1.10'] }],
      });
    }
  });

  it('is the same from a file of variables', async () => {
    const { folder } = await campaignFolder('');
    const file = path.join(folder, 'vars.yaml');
    await writeFile(
      file,
      'price: &p 1.10\nagain: *p\nlong: 4006381333931004006381\nword: "007"\nyes: true\n',
    );
    const read = await readVariables({ varFile: [file], var: ['price2=1.20'] }, realClock);
    expect(read).toEqual({
      ok: true,
      value: new Map(
        Object.entries({
          price: '1.10',
          again: '1.10',
          long: '4006381333931004006381',
          word: '007',
          yes: 'true',
          price2: '1.20',
        }),
      ),
    });
  });

  it('is quoted in advice as it stands', async () => {
    const manifest = `version: 1
name: x
products: { bag: { name: 007, images: a.jpg } }
concepts: { soft: {} }
posts: { hero: { concept: soft, items: [{ post_type: image, products: [bag], aspect_ratio: "1:1", descriptions: [1.10] }] } }
`;
    expect(await problemsOf(manifest, { files: ['a.jpg'] })).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:26 «007»
        This must be a text, but it is the number 007. Put it in quotes: "007".
      wrong-type campaign.yaml:5:114 «1.10»
        This must be a text or a map (\`key: value\`), but it is the number 1.10. Put it in quotes: "1.10"."
    `);
  });
});

describe('texts of a shop', () => {
  const table = `version: 1
name: x
product_tables: [t.csv]
`;

  it('are the same with the line ends of Windows', async () => {
    const csv = 'key,description,images\nbag,"Canvas,\nleather",a.jpg\n';
    const read = async (text: string) =>
      (await loaded(table, { files: { 't.csv': text, 'a.jpg': 'photo' } })).products[0]?.description;
    expect(await read(csv.replaceAll('\n', '\r\n'))).toBe('Canvas,\nleather');
    expect(await read(csv)).toBe('Canvas,\nleather');
  });

  it('are refused where a spreadsheet spoilt a key, a name or a description', async () => {
    const csv =
      'key,name,description,images\n4.00638E+12,Bag,,a.jpg\n12E4,#REF!,,a.jpg\n#N/A,Hat,,a.jpg\nmug,Mug,#VALUE!,a.jpg\n';
    expect(await problemsOf(table, { files: { 't.csv': csv, 'a.jpg': 'photo' } })).toMatchInlineSnapshot(`
      "spreadsheet-value t.csv:2:1 «4.00638E+12»
        "4.00638E+12" is how a spreadsheet shortens a long number, so digits are lost. Give the column the format "text" in the spreadsheet, enter the number again, and export the table again.
      spreadsheet-value t.csv:3:6 «#REF!»
        "#REF!" is what a spreadsheet shows where a formula failed. Correct the formula, and export the table again.
      spreadsheet-value t.csv:4:1 «#N/A»
        "#N/A" is what a spreadsheet shows where a formula failed. Correct the formula, and export the table again.
      spreadsheet-value t.csv:5:9 «#VALUE!»
        "#VALUE!" is what a spreadsheet shows where a formula failed. Correct the formula, and export the table again."
    `);
  });

  it.each([
    '#NV',
    '#BEZUG!',
    '#¡VALOR!',
    '#Н/Д',
    '#N/D',
    '#DIV/0!',
    '#ERROR!',
    '#n/a',
    'Err:502',
    '#GETTING_DATA',
    '####',
  ])('are refused where a formula failed, in any language, or a column was too narrow: %s', async (value) => {
    const csv = `key,name,images\nbag,${value},a.jpg\n`;
    expect(await problemsOf(table, { files: { 't.csv': csv, 'a.jpg': 'photo' } })).toContain(
      `spreadsheet-value t.csv:2:5 «${value}»`,
    );
  });

  it('are refused in any other column where a post takes the text', async () => {
    const csv = 'key,name,images,size,cost\nbag,Bag,a.jpg,#REF!,#REF!\nhat,Hat,a.jpg,M,1E+05\n';
    const posts = `posts:
  hero:
    concept: c
    matrix: { product: "*", ratio: ["1:1", "4:5"] }
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "\${{ matrix.ratio }}", descriptions: ["\${{ product.vars.size }}"] }]
`;
    const found = await problemsOf(table + posts, { files: { 't.csv': csv, 'a.jpg': 'photo' } });
    expect(found.match(/^spreadsheet-value.*$/gm)).toEqual(['spreadsheet-value t.csv:2:15 «#REF!»']);
  });

  it.each(['#1', '#Sale!', 'No. #12', '#NVX', '# A!'])(
    'may begin with #, as a name does: %s',
    async (value) => {
      const csv = `key,name,images\nbag,${value},a.jpg\n`;
      expect(await problemsOf(table, { files: { 't.csv': csv, 'a.jpg': 'photo' } })).toBe('');
    },
  );

  it.each([
    ['<center>Hat', '<center>'],
    ['<iframe src="x"></iframe>', '<iframe src="x">'],
    ['Hat</section >', '</section >'],
    ['<o:p>Hat</o:p>', '</o:p>'],
    ['<!-- new --> Hat', '<!--'],
  ])('are warned of where they hold HTML: %s', (text, markup) => {
    expect(findHtml(text)[0]).toBe(markup);
  });

  it.each(['a <b', 'a < b > c', '<season>', 'x <y and z> w', '<3', 'R&D;', 'a->b'])(
    'are not taken for HTML: %s',
    (text) => expect(findHtml(text)).toEqual([]),
  );

  it('are warned of where they hold HTML, once a column', async () => {
    const csv =
      'key,name,description,images\nbag,R&D;,"<p>Canvas&nbsp;bag</p>",a.jpg\nhat,a < b,"Hats &amp; caps",a.jpg\n';
    const manifest = `${table}concepts: { soft: { description: "Soft<br>light" } }\n`;
    expect(await problemsOf(manifest, { files: { 't.csv': csv, 'a.jpg': 'photo' } })).toMatchInlineSnapshot(`
      "html-in-text campaign.yaml:4:39 «<br>»
        This text holds HTML ("<br>"). Texts are sent as they stand, and the service would read tags and entities as words. Write the text as a browser shows it. If it is meant, nothing has to be done.
      html-in-text t.csv:2:11 «<p>»
        This text holds HTML ("<p>"). Texts are sent as they stand, and the service would read tags and entities as words. Write the text as a browser shows it. If it is meant, nothing has to be done."
    `);
  });

  it('may have quotes inside a cell of a table with tabs', async () => {
    const { products } = await loaded(table, {
      files: { 't.csv': 'key\tname\timages\npipe\t5" pipe, "long"\ta.jpg\n', 'a.jpg': 'photo' },
    });
    expect(products[0]?.name).toBe('5" pipe, "long"');
  });
});

describe('a pattern', () => {
  const manifest = (images: string) => `version: 1
name: x
products: { bag: { images: "${images}" } }
`;
  const [composed, decomposed] = ['Löffel'.normalize('NFC'), 'Löffel'.normalize('NFD')];

  it('matches names with accents in both spellings', async () => {
    for (const [written, onDisk] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const) {
      const files = { [`${onDisk}/${onDisk}-1.jpg`]: 'photo' };
      const { products } = await loaded(manifest(`${written}/${written}-*.jpg`), { files });
      expect(products[0]?.images).toEqual([
        { file: `${onDisk}/${onDisk}-1.jpg`, source: '#/products/bag/images' },
      ]);
      const folders = await loaded(`version: 1\nname: x\nproduct_folders: ["${written}"]\n`, { files });
      expect(folders.products.map(({ key }) => key)).toEqual(['loffel']);
    }
  });

  it('says that brackets in it are taken for a pattern', async () => {
    const files = ['mug[1]-front.jpg'];
    expect(await problemsOf(manifest('mug[1]-*.jpg'), { files })).toMatchInlineSnapshot(`
      "no-match campaign.yaml:3:28 «"mug[1]-*.jpg"»
        No image matches "mug[1]-*.jpg". There is "mug[1]-front.jpg", but \`[…]\` and \`{…}\` in a pattern stand for one of what is in them. Write \`[[]\` and \`[{]\` for the brackets of a name. Check the spelling and the folder."
    `);
    const { products } = await loaded(manifest('mug[[]1]-*.jpg'), { files });
    expect(products[0]?.images).toHaveLength(1);
  });
});

it('more posts than the service can count are an error', async () => {
  const manifest = `version: 1
name: x
products: { bag: { images: a.jpg } }
concepts: { soft: {} }
posts: { hero: { concept: soft, number_of_posts: 2147483648, items: [${item('x').slice(2)}] } }
`;
  expect(await problemsOf(manifest, { files: ['a.jpg'] })).toMatchInlineSnapshot(`
    "invalid-value campaign.yaml:5:50 «2147483648»
      This must be at most 2147483647. Only where it differs from the number of items; such a post plan is always requested as a whole. Default: the number of items. For example: 3"
  `);
});
