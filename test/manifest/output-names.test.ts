import { describe, expect, it } from 'vitest';
import { checkOutputNames, outputNames } from '../../src/manifest/output-names.ts';
import { createProblems } from '../../src/document/problems.ts';
import { loaded, problemsOf } from './campaign-folder.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

/** Posts `a` and `b` of two items each, and a grid, under names of this form. */
function collision(name: string, type = 'image'): Promise<string> {
  const items = `[{ key: one, post_type: ${type}, aspect_ratio: '1:1' }, { post_type: image, aspect_ratio: '1:1' }]`;
  return problemsOf(`version: 1
name: x
outputs: { name: '${name}' }
posts:
  a: { concept: ${ID}, items: ${items} }
  b: { concept: ${ID}, items: ${items} }
  grid:
    matrix: { n: [1, 2] }
    concept: ${ID}
    items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ matrix.n }}'] }]
`);
}

describe('names of files', () => {
  it.each([
    '{post}/{instance}/{item}-{post_type}',
    '{post}_{instance}_{item}',
    '{item}/{post}-{instance}.take{take}',
  ])('%s differ', async (name) => {
    expect(await collision(name)).toBe('');
  });

  it.each([
    ['all', '"out/x/none/all"', 'Put {item} into the name.'],
    ['{post}', '"out/x/none/a"', 'Put {item} into the name.'],
    ['{item}', '"out/x/none/one"', 'Put {post} into the name.'],
    ['{post}/{item}', '"out/x/none/grid/1"', 'Put {instance} into the name.'],
    ['{post}{instance}', '"out/x/none/a"', 'Put {item} into the name.'],
  ])('%s are one', async (name, path, advice) => {
    const problems = await collision(name);
    expect(problems).toContain('output-collision campaign.yaml:3:18');
    expect(problems).toContain(path);
    expect(problems).toContain(advice);
  });

  it('are told apart by more than where one ends and the other begins', async () => {
    const text = `version: 1
name: x
outputs: { name: '{post}{item}' }
posts:
  a: { concept: ${ID}, items: [{ key: bc, post_type: image, aspect_ratio: '1:1' }] }
  ab: { concept: ${ID}, items: [{ key: c, post_type: image, aspect_ratio: '1:1' }] }
`;
    expect(await problemsOf(text)).toContain('Separate the placeholders of the name with `/`.');
  });

  it('may not be those of the pages of a carousel', async () => {
    const text = (type: string) => `version: 1
name: x
outputs: { name: '{item}' }
posts:
  a: { concept: ${ID}, items: [{ key: tour, post_type: ${type}, aspect_ratio: '1:1' }, { key: tour-2, post_type: image, aspect_ratio: '1:1' }] }
`;
    expect(await problemsOf(text('carousel'))).toContain('output-collision');
    expect(await problemsOf(text('image'))).toBe('');
  });

  it('are compared as they are written: without what a part may not begin with', async () => {
    const text = (outputs: string) => `version: 1
name: x
${outputs}
product_folders: ['photos/*']
posts:
  grid:
    matrix: { product: '*' }
    concept: ${ID}
    items: [{ post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '1:1' }]
`;
    const files = ['photos/Kaktus/a.jpg', 'photos/_Kaktus/a.jpg'];
    expect(await problemsOf(text(''), { files })).toBe(
      `output-collision campaign.yaml:6:3 «grid»\n  media/grid/kaktus/1 and media/grid/_kaktus/1 would both be saved as "out/x/none/grid/kaktus/1-image", and one picture would take the place of the other. File names lose the \`-\`, \`_\` and \`.\` that a part of them begins with, and case does not count. Change one of the keys (a folder's key is made from its name), or put a letter before the placeholder with \`outputs.name\`: \`x{instance}\`.`,
    );
    expect(await problemsOf(text("outputs: { name: '{instance}-{item}' }"), { files })).toContain(
      'output-collision campaign.yaml:3:18',
    );
    expect(await problemsOf(text("outputs: { name: 'x{instance}-{item}' }"), { files })).toBe('');
  });

  it.each([
    ['pages of a carousel', 'tour-2', { key: 'tour', type: 'carousel' }],
    ['older takes', 'tour.take2', { key: 'tour', type: 'image' }],
    ['pages of older takes', 'tour.take2-1', { key: 'tour', type: 'carousel' }],
    ['pages of what is called like an older take', 'tour.take2-1', { key: 'tour.take2', type: 'carousel' }],
  ])('may not be those of %s, wherever they stand', async (_, key, owner) => {
    const item = ({ key: name, type }: { key: string; type: string }) =>
      `{ key: ${name}, post_type: ${type}, aspect_ratio: '1:1' }`;
    const text = (items: readonly string[]) =>
      `version: 1\nname: x\noutputs: { name: '{item}' }\nposts: { a: { concept: ${ID}, items: [${items.join(', ')}] } }\n`;
    const items = [item({ key, type: 'image' }), item(owner)];
    for (const order of [items, items.toReversed()])
      expect(await problemsOf(text(order))).toContain(`and media/a/${key} would both be saved as`);
    expect(
      await problemsOf(text([item({ key, type: 'image' }), item({ key: 'walk', type: owner.type })])),
    ).toBe('');
  });

  it('may not be those of folders on the way to others', async () => {
    const text = (name: string, ...keys: readonly string[]) =>
      `version: 1\nname: x\noutputs: { name: '${name}' }\nposts: { ${keys
        .map(
          (key) => `${key}: { concept: ${ID}, items: [{ key: a, post_type: image, aspect_ratio: '1:1' }] }`,
        )
        .join(', ')} }\n`;
    expect(await problemsOf(text('{post}/{item}', 'hero', 'index.json'))).toContain(
      'media/index.json/a would be saved as "out/x/none/index.json/a", and a folder on the way to it has the name of the index of the output folder.',
    );
    expect(await problemsOf(text('x/{post}/{item}', 'hero', 'index.json'))).toBe('');
    const matrix = (key: string) =>
      `version: 1\nname: x\noutputs: { name: '{post}/{instance}' }\nposts:\n  hero: { concept: ${ID}, items: [{ post_type: image, aspect_ratio: '1:1' }] }\n  ${key}: { matrix: { n: [1] }, concept: ${ID}, items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ matrix.n }}'] }] }\n`;
    expect(await problemsOf(matrix('hero.jpg'))).toContain(
      'media/hero.jpg/1/1 would be saved as "out/x/none/hero.jpg/1", and a folder on the way to it has the name of the file of media/hero/1.',
    );
    expect(await problemsOf(matrix('hero.jpeg'))).toBe('');
  });

  it('are one in another case, or composed otherwise', () => {
    const item = { post_type: 'image', assets: [], variants: [], descriptions: [], source: '#/i' } as const;
    const post = (instance: string) => ({
      key: 'a',
      instance,
      concept: { id: ID },
      items: [{ ...item, metadata: { aspect_ratio: '1:1' } }],
      source: '#/posts/a',
    });
    for (const [one, other] of [
      ['Tee', 'tee'],
      ['caf\u00e9', 'cafe\u0301'],
    ] as const) {
      const problems = createProblems();
      const name = '{post}/{instance}';
      checkOutputNames(
        [...outputNames([post(one), post(other)], { name })],
        { dir: 'out', name, at: undefined },
        problems,
      );
      expect(problems.all().map(({ detail }) => detail)).toEqual([
        expect.stringContaining(
          `media/a/${one}/1 and media/a/${other}/1 would both be saved as "out/a/${other}" (the other as "a/${one}", which is the same name on many disks)`,
        ),
      ]);
    }
  });

  it('may hold what a post shows, and every key of a matrix', async () => {
    const text = (name: string) => `version: 1
name: x
outputs: { name: '${name}' }
products: { tote: { id: ${ID} }, mug: { id: ${ID.replace('0', '1')} } }
service: { environments: { a: { base_url: https://a.example.com } } }
concepts: { day: { description: Soft } }
posts:
  solo: { concept: day, items: [{ post_type: image, products: [tote, mug], aspect_ratio: '1.91:1' }] }
  grid:
    matrix: { product: [tote, mug], season: ["Früh ling", b] }
    concept: day
    items: [{ post_type: image, products: ['\${{ matrix.product }}'], descriptions: ['\${{ matrix.season }}'], aspect_ratio: '4:5' }]
`;
    const more = { environment: 'a' };
    expect(await problemsOf(text('{post}/{concept}-{product}-{season}-{ratio}'), more)).toBe('');
    const { posts, outputs } = await loaded(text('{post}/{product}{season}-{ratio}'), more);
    if (!outputs) throw new Error('no outputs');
    expect([...outputNames(posts, outputs)].map((each) => each.path)).toEqual([
      'solo/tote+mug-1.91x1',
      ...['tote', 'mug'].flatMap((key) => [
        expect.stringMatching(`^grid/${key}fr.*ling-4x5$`),
        `grid/${key}b-4x5`,
      ]),
    ]);
    expect(await problemsOf(text('{post}/{product}-{ratio}'), more)).toContain(
      'Put {instance} into the name.',
    );
    expect(await problemsOf(text('{post}/{saeson}'), more)).toContain(
      'unknown-placeholder campaign.yaml:3:26 «{saeson}»\n  There is no placeholder "saeson". Did you mean "season"?',
    );
  });

  it('have whole placeholders', async () => {
    expect(await collision('{post}/{item')).toContain('unknown-placeholder');
  });
});

describe('names that no disk takes', () => {
  const text = (outputs: string, post = 'a', matrix = '') =>
    `version: 1\nname: x\noutputs: ${outputs}\nposts:\n  ${post}: { ${matrix}concept: ${ID}, items: [{ post_type: image, aspect_ratio: '1:1', descriptions: [${
      matrix
        .match(/k\d/g)
        ?.map((key) => `'\${{ matrix.${key} }}'`)
        .join(', ') ?? ''
    }] }] }\n`;

  it.each([
    ['a NUL', '{ dir: "o\\0t" }', '3:17', 'It holds a control character (U+0000)'],
    ['a line break', '{ name: "{post}\\n{item}" }', '3:18', 'It holds a control character (U+000A)'],
    ['a C1 control', '{ dir: "o\\x9Bt" }', '3:17', 'It holds a control character (U+009B)'],
    ['a long folder', `{ dir: ${'ü'.repeat(128)} }`, '3:17', 'A folder name has at most 255 bytes.'],
    [
      'the index',
      '{ dir: index.json/out }',
      '3:17',
      'A file of the name `index.json` lies in every output folder',
    ],
    [
      'the work folder',
      '{ dir: .campaign/out }',
      '3:17',
      'What lies in `.campaign/` may be deleted at any time',
    ],
    ['a long name', `{ name: "${'n'.repeat(222)}-{item}" }`, '3:18', 'longer than any name can be'],
    ['a long path', `{ dir: ${`${'d'.repeat(252)}/`.repeat(16)} }`, '5:3', 'and 4095 are the most'],
    ['no name', '{ name: "{instance}" }', '3:18', 'Nothing is left of the file name of media/a/1'],
  ])('are an error at the line: %s', async (_, outputs, place, words) => {
    const problems = await problemsOf(text(outputs));
    expect(problems).toContain(`invalid-value campaign.yaml:${place}`);
    expect(problems).toContain(words);
  });

  it('are found in a matrix of many keys too', async () => {
    const values = [1, 2, 3, 4, 5, 6, 7].map((n) => `k${n}: [${'abcdefgh'[n]?.repeat(40)}]`);
    const matrix = `matrix: { ${values.join(', ')} }, `;
    expect(await problemsOf(text('{}', 'grid', matrix))).toContain('invalid-value campaign.yaml:5:3 «grid»');
    const six = `matrix: { ${values.slice(1).join(', ')} }, `;
    expect(await problemsOf(text('{}', 'grid', six))).toBe('');
  });

  it('are none at the longest that fits', async () => {
    expect(await problemsOf(text(`{ name: "${'n'.repeat(221)}-{item}" }`))).toBe('');
  });
});

describe('the path of generated media', () => {
  it.each(['/media/{config.id}/{item.id}/', '/media/{concept.id}/{item.job.ref}', '/{item.a}/x-{item.b}/'])(
    'may be %s',
    async (template) => {
      expect(await problemsOf(`version: 1\nname: x\nservice: { media_path: '${template}' }\n`)).toBe('');
    },
  );

  it.each([
    '/media/{item.id}/',
    '/media/{config}/{item.id}/',
    '/media/{config.id}/{itm.id}/',
    '/media/a/b/c',
  ])('may not be %s', async (template) => {
    const text = `version: 1\nname: x\nservice: { media_path: '${template}' }\n`;
    expect(await problemsOf(text)).toMatch(/^(?:unknown-placeholder|invalid-value) campaign/);
  });
});

describe('a duration', () => {
  it('is one that can be counted', async () => {
    const limits = 'limits: { media_timeout: 99999999999999d }';
    const text = `version: 1\nname: x\n${limits}\nservice: { environments: { a: { base_url: https://a.example.com, ${limits} } } }\n`;
    expect((await problemsOf(text)).match(/^invalid-value campaign.yaml:\d/gm)).toEqual([
      'invalid-value campaign.yaml:3',
      'invalid-value campaign.yaml:4',
    ]);
  });
});
