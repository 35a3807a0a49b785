import { describe, expect, it } from 'vitest';
import { loaded, problemsOf } from './campaign-folder.ts';

const CSV = `key,name,description,season,Preis (EUR)
tote,Canvas tote,Natural canvas,spring,19.90
mug,,,,5
`;

const manifest = (text: string, { matrix = 'product: [tote, mug]', more = '' } = {}) => `version: 1
name: x
product_tables: [p.csv]
product_folders: [photos/*]
products: { mug: { vars: { season: autumn, size: 3 } } }
concepts: { night: { name: Night, description: Neon, vars: { mood: calm } }, day: {} }
${more}posts:
  grid:
    matrix: { ${matrix} }
    concept: night
    items:
      - post_type: image
        products: [tote]
        aspect_ratio: '1:1'
        descriptions: ['${text}']
  `;

const files = {
  'p.csv': CSV,
  'photos/tote/a.jpg': 'photo',
  'photos/mug/a.jpg': 'photo',
  'photos/Blue Hat/a.jpg': 'photo',
  'photos/Blue Hat/product.yaml': 'description: Wool\nvars: { season: winter }\n',
};

async function captions(text: string, options: Parameters<typeof manifest>[1] = {}) {
  const { posts } = await loaded(manifest(text, options), { files });
  return Object.fromEntries(posts.map(({ instance, items }) => [instance, items[0]?.descriptions[0]]));
}

const problems = (text: string, options: Parameters<typeof manifest>[1] = {}) =>
  problemsOf(manifest(text, options), { files });

describe('texts of products and concepts in posts', () => {
  it('come from the entry, else the table, else product.yaml, else the folder', async () => {
    const matrix = 'product: [tote, mug, blue-hat]';
    expect(await captions('${{ product.name }} in ${{product.vars.season}}', { matrix })).toEqual({
      tote: 'Canvas tote in spring',
      mug: 'mug in autumn',
      'blue-hat': 'Blue Hat in winter',
    });
    expect(await captions('${{ product.description }}', { matrix: 'products: [tote, blue-hat]' })).toEqual({
      tote: 'Natural canvas',
      'blue-hat': 'Wool',
    });
    expect(await captions('${{ product.vars.preis-eur }} EUR')).toEqual({ tote: '19.90 EUR', mug: '5 EUR' });
  });

  it('are those of the concept of the combination too', async () => {
    const text = '${{ concept.name }}, ${{ concept.vars.mood }}: ${{ matrix.product }}';
    expect(await captions(text, { matrix: 'product: [tote], concept: [night]' })).toEqual({
      'night+tote': 'Night, calm: tote',
    });
    expect(await captions('${{ concept.name }}', { matrix: 'concept: "*"' })).toEqual({
      night: 'Night',
      day: 'day',
    });
  });

  it('are named once by --lint where no post takes them', async () => {
    const found = await problemsOf(
      `version: 1
name: x
product_folders: [photos/*]
product_tables: [p.csv]
products: { tote: { vars: { look: dark, used: a } }, mug: { images: [a.jpg], vars: { look: light } } }
concepts: { day: { description: x, vars: { mood: calm } } }
posts:
  a:
    matrix: { product: [tote] }
    concept: day
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: '1:1', descriptions: ["\${{ product.vars.used }}"] }]
`,
      {
        lint: true,
        files: {
          'a.jpg': 'photo',
          'photos/tote/a.jpg': 'photo',
          'photos/tote/product.yaml': 'vars: { own: b }',
          'p.csv': 'key,image_link,Price,used\nhat,a.jpg,1,x\ncap,a.jpg,2,y\n',
        },
      },
    );
    expect(found).toMatchInlineSnapshot(`
      "unused campaign.yaml:5:29 «look»
        No post takes the text "look" of its product. Write \${{ product.vars.look }} where it belongs, or remove it.
      unused campaign.yaml:6:44 «mood»
        No post takes the text "mood" of its concept. Write \${{ concept.vars.mood }} where it belongs, or remove it.
      unused p.csv:1:16 «Price»
        No post takes the text "Price" of its product. Write \${{ product.vars.Price }} where it belongs, or remove it.
      unused photos/tote/product.yaml:1:9 «own»
        No post takes the text "own" of its product. Write \${{ product.vars.own }} where it belongs, or remove it."
    `);
  });

  it('are an error at the line where a product has none, and at the cell where a table is empty', async () => {
    const text = '${{ product.description }} ${{ product.vars.seasn }} ${{ product.vars.season }}';
    const matrix = 'product: [tote, blue-hat, 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f]';
    expect(await problems(text, { matrix })).toMatchInlineSnapshot(`
      "unset-text campaign.yaml:15:25 «\${{ product.description }}»
        It is not set for 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f. What is named by an id has no texts here.
      unset-text campaign.yaml:15:52 «\${{ product.vars.seasn }}»
        It is not set for tote, blue-hat, 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f (3 in all). Did you mean "season"?
      unset-text campaign.yaml:15:78 «\${{ product.vars.season }}»
        It is not set for 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f. What is named by an id has no texts here."
    `);
    const table = { ...files, 'p.csv': CSV.replace('spring', '') };
    const twice = manifest('${{ product.vars.season }} ${{ product.description }}');
    expect(await problemsOf(twice, { files: table })).toMatchInlineSnapshot(`
      "unset-text p.csv:2:33 «,»
        This cell is empty, and \${{ product.vars.season }} takes its text for posts of "tote". Fill it in, or leave the product out of the matrix.
      unset-text p.csv:3:6 «,»
        This cell is empty, and \${{ product.description }} takes its text for posts of "mug". Fill it in, or leave the product out of the matrix."
    `);
  });

  it('are an error where no product or no such text can be meant', async () => {
    const text = '${{ concept.name }} ${{ product.nam }} ${{ prodct.name }}';
    expect(await problems(text)).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:15:25 «\${{ concept.name }}»
        \`concept\` stands for the concept of a combination: it can be used in a post whose matrix has the key \`concept\`, in its concept and its items.
      invalid-expression campaign.yaml:15:45 «\${{ product.nam }}»
        A product has no "nam". Did you mean "name"?
      invalid-expression campaign.yaml:15:64 «\${{ prodct.name }}»
        There is no "prodct" to read from. Did you mean "product"? There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
    const more = 'defaults: { item: { variants: ["${{ product.name }}", "${{ with.x }}"] } }\n';
    expect(await problems('${{ matrix.product }}', { more })).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:7:33 «\${{ product.name }}»
        \`product\` stands for the product of a combination: it can be used in a post whose matrix has the key \`product\`, in its concept and its items.
      invalid-expression campaign.yaml:7:56 «\${{ with.x }}»
        \`with\` stands for the texts of a row of \`include\`: it can be used in a post with a matrix, in its concept and its items, and nowhere else."
    `);
  });
});

describe('texts of a row of include', () => {
  const include = (rows: string) => ({ matrix: `product: [tote, mug], include: [${rows}]` });

  it('are for a new combination or for one of the lists, and no part of its address', async () => {
    const rows =
      '{ product: tote, with: { word: now, n: 2 } }, { product: blue-hat, with: { word: soon, n: 3 } }, { product: mug, with: { word: later, n: 4 } }';
    expect(await captions('${{ with.word }} ${{ with.n }} ${{ matrix.product }}', include(rows))).toEqual({
      tote: 'now 2 tote',
      mug: 'later 4 mug',
      'blue-hat': 'soon 3 blue-hat',
    });
  });

  it('are errors where one is missing, unused, or said twice', async () => {
    const rows = '{ product: tote, with: { word: now, wrod: x } }, { product: tote, with: { word: y } }';
    expect(await problems('${{ with.word }} ${{ matrix.product }}', include(rows))).toMatchInlineSnapshot(`
      "unused-matrix-key campaign.yaml:9:83 «wrod»
        Nothing in this post uses the text "wrod". Did you mean "word"?
      duplicate-combination campaign.yaml:9:96 «{ product: tote, with: { word: y } }»
        An earlier row gives this combination its texts already. Remove one of the two rows.
      unset-text campaign.yaml:15:25 «\${{ with.word }}»
        It is not set for mug. Write \`with: { word: … }\` in a row of \`include\` for each combination."
    `);
    expect(
      await problems(
        '${{ with.word }} ${{ matrix.product }}',
        include('{ product: tote, with: { word: a } }'),
      ),
    ).toMatchInlineSnapshot(`
      "unset-text campaign.yaml:15:25 «\${{ with.word }}»
        It is not set for mug. Write \`with: { word: … }\` in a row of \`include\` for each combination."
    `);
    expect(
      await problems('${{ matrix.product }}', {
        matrix: 'product: [tote, mug], exclude: [{ product: tote, with: { a: b } }]',
      }),
    ).toMatchInlineSnapshot(`
      "unknown-matrix-key campaign.yaml:9:64 «with»
        The matrix has no key "with". It has: product."
    `);
  });

  it('leave a key of the matrix alone that is called the same', async () => {
    const matrix = 'product: [tote], with: [a], include: [{ product: mug, with: b }]';
    expect(await captions('${{ matrix.with }} ${{ matrix.product }}', { matrix })).toEqual({
      'tote+a': 'a tote',
      'mug+b': 'b mug',
    });
  });
});

it('texts may have no name of a secret', async () => {
  const yaml = { ...files, 'photos/Blue Hat/product.yaml': 'vars: { api_key: x }\n' };
  const text = manifest('${{ matrix.product }}').replace('size: 3', 'password: 3');
  expect((await problemsOf(text, { files: yaml })).match(/^\S+ \S+/gm)).toEqual([
    'secret-in-manifest campaign.yaml:5:44',
    'secret-in-manifest photos/Blue',
  ]);
});

describe('placeholders of other tools', () => {
  it('are a warning at their line, in every text that is sent', async () => {
    const more = 'variables: { shop: "%SHOP% $5 100 % 5%x" }\n';
    const table = {
      ...files,
      'p.csv': CSV.replace('Natural canvas', 'a {{ b }} c').replace(',5\n', ',$PRICE\n'),
    };
    const text = manifest('{{ product.title }} ${X} $NAME ${{ matrix.product }}', { more });
    expect(await problemsOf(text, { files: table })).toMatchInlineSnapshot(`
      "foreign-placeholder campaign.yaml:7:21 «%SHOP%»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.
      foreign-placeholder campaign.yaml:16:25 «{{ product.title }}»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.
      foreign-placeholder campaign.yaml:16:45 «\${X}»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.
      foreign-placeholder campaign.yaml:16:50 «$NAME»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.
      foreign-placeholder p.csv:2:20 «{{ b }}»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.
      foreign-placeholder p.csv:3:8 «$PRICE»
        This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done."
    `);
  });

  it('are none in paths and addresses', async () => {
    const paths = { ...files, 'photos/tote/$a.jpg': 'photo' };
    const more = 'description: $X\noutputs: { name: "%a%{post}{item}{instance}" }\n';
    const text = manifest('${{ matrix.product }}', { more }).replace(
      'products: {',
      'products: { hat: { images: photos/tote/$a.jpg },',
    );
    expect(await problemsOf(text, { files: paths })).toBe('');
  });
});
