import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';

/** A folder `spring` with photos of these names, each a picture of its own. */
async function folderOf(photos: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const root = await mkdtemp(join(tmpdir(), 'campaign-init-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'spring');
  await mkdir(folder);
  for (const [index, photo] of photos.entries()) {
    await mkdir(dirname(join(folder, photo)), { recursive: true });
    const background = { r: index % 256, g: Math.floor(index / 256), b: 90 };
    const picture = sharp({ create: { width: 600, height: 750, channels: 3, background } });
    await picture.toFile(join(folder, photo));
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return {
    folder,
    run: (...args: string[]) => runHere(args, { cwd: folder }),
    read: (file: string) => readFile(join(folder, file), 'utf8'),
  };
}

/** The part of a manifest that says what its products are, without comments. */
function productsIn(text: string): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  const part = lines.slice(
    lines.findIndex((line) => line.startsWith('product')),
    lines.indexOf('concepts:'),
  );
  return part.join('\n').trim();
}

/** What an apply with the emulator saves. A steep format is drawn in no time. */
const RATIO = ['--ratio', '8:1'];

const SHAPES = [
  {
    shape: 'a folder for each product',
    photos: ['photos/tote/1.jpg', 'photos/tote/2.jpg', 'photos/mug/a.png'],
    files: {},
    says: '2 products with 3 photos, 2 posts when it is applied.',
    products: 'product_folders:\n  - "photos/*"',
    made: ['out/spring/emulator/catalog/mug-8x1.jpg', 'out/spring/emulator/catalog/tote-8x1.jpg'],
  },
  {
    shape: 'one flat folder, named by products and numbers',
    photos: ['tote-1.jpg', 'tote-2.jpg', 'Tote_03.jpg', 'mug (1).jpg', 'IMG_0001.jpg', 'IMG_0002.jpg'],
    files: {},
    says: '4 products with 6 photos, 4 posts when it is applied.',
    products: `products:
  img_0001:
    name: IMG_0001
    images:
      - IMG_0001.jpg
  img_0002:
    name: IMG_0002
    images:
      - IMG_0002.jpg
  tote:
    name: Tote
    images:
      - Tote_03.jpg
      - tote-1.jpg
      - tote-2.jpg
  mug:
    images:
      - "mug (1).jpg"`,
    made: ['img_0001', 'img_0002', 'mug', 'tote'].map((key) => `out/spring/emulator/catalog/${key}-8x1.jpg`),
  },
  {
    shape: 'folders of folders, among other things',
    photos: ['photos/bags/tote/1.jpg', 'photos/bags/sack/1.jpg', 'photos/cups/mug/1.webp', 'photos/mug.jpg'],
    files: {
      'photos/cups/notes/read me.txt': 'x',
      'photos/bags/tote/product.yaml': 'name: Canvas tote\n',
      '.gitignore': 'out/',
    },
    says: '4 products with 4 photos, 4 posts when it is applied.',
    products: `product_folders:
  - photos/bags/sack
  - photos/bags/tote
  - photos/cups/mug

products:
  mug-a19ee2:
    name: mug
    images:
      - photos/mug.jpg`,
    made: ['mug', 'mug-a19ee2', 'sack', 'tote'].map((key) => `out/spring/emulator/catalog/${key}-8x1.jpg`),
  },
  {
    shape: 'folders whose names are alike, or in other scripts',
    photos: ['Kaktus', '🌵 Kaktus', 'Bär', 'Bör', '日本', 'Möbel (groß)'].map(
      (name) => `photos/${name}/1.jpg`,
    ),
    files: {},
    says: '6 products with 6 photos, 6 posts when it is applied.',
    products: 'product_folders:\n  - "photos/*"',
    made: ['bar', 'bor', 'kaktus', 'kaktus-de6fd4', 'mobel-gross', 'riben'].map(
      (key) => `out/spring/emulator/catalog/${key}-8x1.jpg`,
    ),
  },
  {
    shape: 'a table whose photos are in folders',
    photos: ['photos/TOTE-1/1.jpg', 'photos/mug/1.jpg'],
    files: { 'products.csv': 'sku;title;season\nTOTE-1;Canvas tote;spring\nmug;"Mug; large";autumn\n' },
    says: '2 products with 2 photos, 2 posts when it is applied.',
    products: 'product_tables:\n  - products.csv\n\nproduct_folders:\n  - "photos/*"',
    made: ['mug', 'tote-1'].map((key) => `out/spring/emulator/catalog/${key}-8x1.jpg`),
  },
];

describe('a first manifest', () => {
  it.each(SHAPES)('of $shape is applied as it is', async ({ photos, files, says, products, made }) => {
    const { run, read } = await folderOf(photos, files);
    const begun = await run('init', ...RATIO);
    expect(begun).toMatchObject({ code: 0, stderr: '' });
    expect(begun.stdout).toContain(`✓ campaign.yaml is written: ${says}`);
    expect(productsIn(await read('campaign.yaml'))).toBe(products);
    const lines = (await read('.gitignore')).split('\n');
    expect(lines).toEqual(['out/', '.campaign/', '']);
    expect(await read('campaign.schema.json')).toContain('"Campaign document"');
    const applied = await run('apply', '--env', 'emulator', '--json');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    const outputs = JSON.parse((await run('outputs', '--env', 'emulator', '--json')).stdout) as {
      path: string;
    }[];
    expect(outputs.map(({ path }) => path).sort()).toEqual(made);
    // Results lie in the folder now, and are no photos of the next one.
    const second = await run('init', '--json', '--out', 'second.yaml', ...RATIO);
    expect(JSON.parse(second.stdout)).toMatchObject({ photos: photos.length, written: ['second.yaml'] });
  });

  it('of a table of 1,000 products is applied as it is', async () => {
    const { run, read, folder } = await folderOf(['shots/a.jpg', 'shots/b.jpg', 'shots/c.jpg']);
    const rows = Array.from(
      { length: 1000 },
      (_, n) => `P${n},Product ${n},"${n}, boxed",${'abc'[n % 3]}.jpg`,
    );
    await writeFile(join(folder, 'shots/shop.csv'), `id,title,description,image_link\n${rows.join('\n')}\n`);
    await writeFile(join(folder, 'shots/prices.csv'), 'article,price\nP1,3\n');
    const begun = await run('init', 'shots/shop.csv', '--json', ...RATIO);
    expect(JSON.parse(begun.stdout)).toMatchObject({ table: 'shots/shop.csv', products: 1000, posts: 1000 });
    expect(productsIn(await read('campaign.yaml'))).toBe('product_tables:\n  - shots/shop.csv');
    expect((await run('validate')).stdout).toContain('is valid: 1000 products, 1 concept, 1000 posts.');
    const one = await run('apply', '--env', 'emulator', '--only', 'media/catalog/p99?+8x1/1', '--json');
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(one.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      nodes: { downloaded: 10 },
    });
  });

  it('of a folder that was named has the photos of that folder, whatever tables lie near', async () => {
    const { run, read } = await folderOf(['photos/tote/1.jpg', 'photos/mug/1.jpg'], {
      'photos/shop.csv': 'sku,image_link\nbag,https://cdn.example.com/bag.jpg\n',
    });
    const begun = await run('init', 'photos');
    expect([begun.code, begun.stderr]).toEqual([
      0,
      '  ! photos/shop.csv is passed over: its rows name their photos themselves, and a folder was named; `campaign init photos/shop.csv` takes it instead\n',
    ]);
    expect(productsIn(await read('campaign.yaml'))).toBe('product_folders:\n  - "photos/*"');
    const other = await folderOf(['photos/tote/1.jpg', 'photos/Mug/1.jpg'], {
      'products.csv': 'sku,title\nTOTE,Canvas tote\nmug,Large mug\n',
      'more/products.csv': 'sku,title\nbag,A bag\n',
    });
    await other.run('init', 'photos', '--quiet');
    expect(productsIn(await other.read('campaign.yaml'))).toContain('product_tables:\n  - products.csv');
    await rm(join(other.folder, 'campaign.yaml'));
    await writeFile(join(other.folder, 'products.csv'), 'sku,title\ntote,Canvas tote\nbag,A bag\n');
    expect((await other.run('init', 'photos', '--out', 'm.yaml')).stderr).toBe(
      '  ! products.csv is passed over: its row "bag" has no photos in the folder that was named; `campaign init products.csv --out m.yaml` takes it instead\n',
    );
    expect((await other.run('validate', 'm.yaml')).code).toBe(0);
  });

  it('leaves out photos that validate would refuse, and says so in the manifest, too', async () => {
    const photos = ['bag/1.jpg', 'bag/2.jpg', 'hat/1.jpg', 'mug/1.jpg', 'tote-1.jpg', 'tote-2.jpg'];
    const { run, read, folder } = await folderOf(photos.map((photo) => `photos/${photo}`));
    for (const photo of ['bag/1.jpg', 'hat/1.jpg', 'tote-1.jpg']) {
      const file = join(folder, 'photos', photo);
      await writeFile(file, (await readFile(file)).subarray(0, 300));
    }
    const begun = await run('init', 'photos');
    expect(begun.code).toBe(0);
    expect(begun.stderr.match(/photos\/\S+ is left out: it cannot be used/g)).toHaveLength(3);
    expect(begun.stdout).toContain('3 products with 3 photos');
    const text = await read('campaign.yaml');
    expect(productsIn(text)).toBe(
      'product_folders:\n  - photos/bag\n  - photos/mug\n\nproducts:\n  bag:\n    images:\n      - photos/bag/2.jpg\n  tote:\n    images:\n      - photos/tote-2.jpg',
    );
    expect(text).toContain('#   photos/hat/1.jpg: it cannot be used');
    expect((await run('validate')).stdout).toContain('3 products');
    await writeFile(join(folder, 'shop.csv'), 'sku,image_link\nhat,photos/hat/1.jpg\n');
    const table = await run('init', 'shop.csv', '--out', 't.yaml');
    expect([table.code, table.stderr]).toEqual([
      65,
      expect.stringMatching(/\[damaged-image\]\n {2}at shop.csv:2:5\n[^]*\[invalid-draft\]/) as string,
    ]);
  });

  it('names pictures that are passed over, and takes nothing that a system has left', async () => {
    const { run, read, folder } = await folderOf([
      'photos/tote/1.jpg',
      'photos/tote/.2.jpg',
      'photos/@eaDir/tote.jpg',
      'photos/tote/@eaDir/1.jpg',
      'photos/#recycle/old.jpg',
      'photos/__MACOSX/tote.jpg',
      'photos/tote/._1.jpg',
      'photos/a/b/c/d/e/1.jpg',
    ]);
    await copyFile(join(folder, 'photos/tote/1.jpg'), join(folder, 'photos/tote/0-front'));
    await writeFile(join(folder, 'photos/tote/scan.NEF'), 'raw');
    await symlink('..', join(folder, 'photos/tote/around'));
    const begun = await run('init', 'photos', '--json');
    const { products, passed_over } = JSON.parse(begun.stdout) as {
      products: number;
      passed_over: { path: string }[];
    };
    expect([products, passed_over.map(({ path }) => path).sort()]).toEqual([
      1,
      ['photos/a/b/c/d/e', 'photos/tote/.2.jpg', 'photos/tote/0-front', 'photos/tote/scan.NEF'],
    ]);
    expect(productsIn(await read('campaign.yaml'))).toBe('product_folders:\n  - photos/tote');
  });

  it('of a table that cannot be used says where its mistake is', async () => {
    const { run, folder } = await folderOf(['photos/tote/1.jpg']);
    const refused = async (text: string | Uint8Array) => {
      await writeFile(join(folder, 'shop.csv'), text);
      const { code, stderr } = await run('init', 'shop.csv');
      return [code, stderr];
    };
    const words = (text: string) => expect.stringContaining(text) as string;
    expect(await refused('article,price\nP1,3\n')).toEqual([65, words('at shop.csv:1:1\n')]);
    expect(await refused('id,title\nP1,Size "L"\n')).toEqual([65, words('at shop.csv:2:')]);
    expect(await refused(Buffer.from('id,title\nP1,B\xe4r\n', 'latin1'))).toEqual([
      65,
      words('shop.csv: A character in line 2 is not UTF-8; the text is probably in Windows-1252'),
    ]);
    expect(await refused('id,title\n')).toEqual([64, words('is neither a folder of photos nor a table')]);
  });

  it('writes nothing that would not be valid, and passes over no table in silence', async () => {
    const { run, folder } = await folderOf(['photos/tote/a.jpg']);
    await writeFile(join(folder, 'shop.csv'), 'sku,title\ntote,Tote\nmug,Mug\n');
    const { code, stderr } = await run('init');
    expect([code, stderr]).toEqual([
      65,
      `error: Product has no image [missing-images]
  at shop.csv:3:1
    |
  3 | mug,Mug
    | ^^^^^^^
  The product "mug" has no image: there is nothing to make pictures from. Name a folder, a file or an address under \`images:\`, or give it the key of a product folder.

error: The manifest would not be valid [invalid-draft]
  \`campaign validate\` would refuse it for what stands above. Mend that, then run init again: nothing was written.

`,
    ]);
    expect((await readdir(folder)).sort()).toEqual(['photos', 'shop.csv']);
    await writeFile(join(folder, 'shop.csv'), Buffer.from('sku,title\ntote,Größe\n', 'latin1'));
    const passed = await run('init');
    expect([passed.code, passed.stderr]).toEqual([
      0,
      expect.stringContaining('! shop.csv is passed over: A character in line 2 is not UTF-8') as string,
    ]);
    expect(await run('init', 'shop.csv', '--out', 'b.yaml')).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('shop.csv: A character in line 2 is not UTF-8') as string,
    });
  });

  it('overwrites nothing, and stays in the folder of its manifest', async () => {
    const { run, read, folder } = await folderOf(['photos/tote/1.jpg'], {
      'a/b/campaign.yml': 'x',
      'c/notes.txt': '',
    });
    await writeFile(join(folder, 'campaign.yaml'), 'mine\n');
    const refused = async (args: readonly string[], words: string) => {
      const { code, stderr, stdout } = await run('init', ...args);
      expect({ code, stdout, stderr }).toEqual({
        code: 64,
        stdout: '',
        stderr: expect.stringContaining(words) as string,
      });
    };
    await refused(
      [],
      'campaign.yaml exists already, and init overwrites nothing. Name another file with --out.',
    );
    await refused(['photos', '--out', 'a/b/campaign.yaml'], 'a/b/campaign.yml exists already');
    await refused(['photos', '--out', 'nowhere/m.yaml'], 'the folder nowhere does not exist. Make it first.');
    await refused(['photos', '--out', 'c/m.yaml'], 'write the manifest beside them: --out m.yaml.');
    await refused(
      ['nothing', '--out', 'm.yaml'],
      'nothing is no folder. Name the folder that holds the photos, or a table of products.',
    );
    await refused(['c', '--out', 'm.yaml'], 'c and the folders in it hold no file that ends in .jpg');
    await refused(['--out', 'm.yaml', '--ratio', 'wide'], '"wide" is no format. Write width:height');
    await refused(['--out', 'm.yaml', '--name', 'Spring!'], '"Spring!" cannot be the name of a campaign.');
    expect(await read('campaign.yaml')).toBe('mine\n');
  });

  it('passes over what no manifest could name, and says so', async () => {
    const { run, read, folder } = await folderOf([
      'photos/tote/1.jpg',
      'photos/a${{ b/1.jpg',
      'photos/[x]/1.jpg',
      'p*/t/1.jpg',
    ]);
    await symlink(tmpdir(), join(folder, 'photos', 'away'));
    const { stderr, code } = await run(
      'init',
      'photos',
      '--look',
      'Neon: "wet" asphalt',
      '--name',
      'night.1',
    );
    expect(code).toBe(0);
    expect(stderr).toBe(
      '  ! photos/a${{ b is passed over: its name holds `${{`, which begins an expression\n' +
        '  ! photos/away is passed over: it is a link that leads out of the folder of the manifest\n',
    );
    const text = await read('campaign.yaml');
    expect(productsIn(text)).toBe('product_folders:\n  - "photos/[x]"\n  - photos/tote');
    expect(text).toContain('name: night.1\n');
    expect(text).toContain('description: "Neon: \\"wet\\" asphalt"\n');
    expect((await run('init', 'p*', '--out', 'star.yaml', '--quiet')).stdout).toBe('');
    expect(productsIn(await read('star.yaml'))).toBe('product_folders:\n  - "p*/t"');
    expect((await run('validate', 'star.yaml')).stdout).toContain(
      'star.yaml is valid: 1 product, 1 concept, 1 post.',
    );
  });

  it('gets products for photos that came later, and nothing else of it changes', async () => {
    const { run, read, folder } = await folderOf([
      'photos/tote/1.jpg',
      'photos/mug/1.jpg',
      'shots/cap-1.jpg',
    ]);
    const text = `# Ours.
version: 1
name:   spring
product_folders:   # one by one
  - photos/tote    # the first
products:
  cap: { images: [shots/cap-1.jpg] } # worn
concepts: { day: { description: Daylight } }
posts:
  hero:
    matrix: { product: "*" }
    concept: day
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1" }]
`;
    await writeFile(join(folder, 'campaign.yaml'), text);
    const photo = join(folder, 'photos/mug/1.jpg');
    for (const name of ['shots/cap-2.jpg', 'shots/bag-1.jpg', 'shots/bag-2.jpg', 'photos/mug/2.jpg'])
      await copyFile(photo, join(folder, name));
    await writeFile(join(folder, 'photos/mug/2.jpg'), (await readFile(photo)).subarray(0, 300));
    const added = await run('init', '--add');
    expect(added).toMatchObject({
      code: 0,
      stdout: `  + products: mug: photos/mug/1.jpg
  + products: bag: shots/bag-1.jpg, shots/bag-2.jpg
✓ campaign.yaml has 2 more products with 3 photos. All else is as it was.
  Next: \`campaign plan\` shows which posts that makes.
`,
    });
    expect(added.stderr).toContain('! photos/mug/2.jpg is left out: it cannot be used');
    expect(added.stderr).toContain('! shots/cap-2.jpg is passed over: it looks like a photo of "cap"');
    const entries =
      '  mug:\n    images:\n      - photos/mug/1.jpg\n  bag:\n    images:\n      - shots/bag-1.jpg\n      - shots/bag-2.jpg\n';
    expect(await read('campaign.yaml')).toBe(text.replace('# worn\n', `# worn\n${entries}`));
    expect((await run('validate')).stdout).toContain('is valid: 4 products, 1 concept, 4 posts.');
    const again = await run('init', '--add', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ product_folders: [], products: {}, photos: 0 });
    expect(await run('init', '--add', '--out', 'none.yaml')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(
        'none.yaml cannot be read. Without --add, init writes a first',
      ) as string,
    });
  });

  it('is asked about on a terminal: Enter takes the default, and what cannot be is asked again', async () => {
    const { folder, read } = await folderOf(['tote-1.jpg']);
    const end = await runOnTerminal(
      ['init'],
      { cwd: folder },
      { question: 'Name of the campaign [spring]: ', keys: 'Spring!\r' },
      { question: 'Name of the campaign [spring]: ', keys: 'launch\r' },
      {
        question: 'What the pictures have in common [Soft daylight, a plain light background]: ',
        keys: '\r',
      },
      { question: 'Formats, one post each [4:5]: ', keys: '1:1, 9:16\r' },
    );
    expect(end.screen).toContain('"Spring!" cannot be the name of a campaign.');
    expect(end).toMatchObject({
      code: 0,
      screen: expect.stringContaining('1 product with 1 photo, 2 posts') as string,
    });
    const text = await read('campaign.yaml');
    expect(text).toContain('name: launch\n');
    expect(text).toContain('      ratio: ["1:1", "9:16"]\n');
    await rm(join(folder, 'campaign.yaml'));
    const left = await runOnTerminal(['init'], { cwd: folder }, { question: '[spring]: ', keys: '\u0004' });
    expect(left).toMatchObject({
      code: 5,
      screen: expect.stringContaining('The input has ended: nothing was written.') as string,
    });
    await expect(read('campaign.yaml')).rejects.toThrow('ENOENT');
  });
});
