import { describe, it } from 'vitest';
import { countWork } from '../../support/counted-work.ts';
import { everyNth } from '../../sweep/stride.ts';

const HEAD = 'version: 1\nname: x\n';
const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

function products(count: number): string {
  return `products:\n${lines(count, (index) => `  p${index}: { images: https://cdn.example.com/${index}.jpg }`)}\n`;
}

function post(count: number, item: (index: number) => string): string {
  return `posts:\n  a:\n    concept: ${ID}\n    items:\n${lines(count, (index) => `      - ${item(index)}`)}\n`;
}

function right(count: number): string {
  const items = post(
    count,
    (index) => `{ post_type: image, aspect_ratio: "1:1", products: [p${index}], descriptions: [d${index}] }`,
  );
  return HEAD + products(count) + items;
}

/** Manifests of about so many lines, each with as many mistakes. */
const WRONG: Record<string, (count: number) => string> = {
  'unknown products among as many known ones': (count) =>
    HEAD +
    products(count) +
    post(count, (index) => `{ post_type: image, aspect_ratio: "1:1", products: [q${index}] }`),
  'unknown keys in one map': (count) =>
    `${HEAD}service:\n${lines(count, (index) => `  key${index}: ${index}`)}\n`,
  'keys twice': (count) =>
    `${HEAD}variables:\n${lines(count, (index) => `  v${Math.floor(index / 2)}: x`)}\n`,
  'values of the wrong kind': (count) =>
    `${HEAD}concepts:\n${lines(count, (index) => `  c${index}: { description: [] }`)}\n`,
  'exclusions of unknown values': (count) => `${HEAD}posts:
  a:
    matrix:
      n: [${lines(count, String).replaceAll('\n', ', ')}]
      exclude:
${lines(count, (index) => `        - { n: x${index} }`)}
    concept: ${ID}
    items: [{ post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ matrix.n }}"] }]
`,
  'mistakes through aliases': (count) =>
    `${HEAD}concepts:\n${lines(count, (index) => `  c${index}: &c${index} { name: "", ref_images: none${index} }\n  d${index}: *c${index}`)}\n`,
  'mistakes in a single line': (count) =>
    `{ version: 1, name: x, concepts: { ${lines(count, (index) => `c${index}: { nmae: x }`).replaceAll('\n', ', ')} } }\n`,
  'unknown variables': (count) =>
    `${HEAD}concepts:\n${lines(count, (index) => `  c${index}: { name: "\${{ vars.x${index} }}" }`)}\n`,
};

describe.concurrent('a large manifest', () => {
  it('computes no place where nothing is wrong, and one of twice the size takes twice the work', async ({
    expect,
  }) => {
    const [one, two] = await Promise.all([countWork(right(500)), countWork(right(1_000))]);
    expect(two.end).toMatchObject({ code: 0, stdout: expect.stringContaining('1000 posts') });
    expect(two.calls('checkNodes')).toBe(1);
    expect(['lineStarts', 'placeOf', 'typingErrors'].map(two.calls)).toEqual([0, 0, 0]);
    expect(two.total / one.total).toBeLessThan(2.2);
  });

  // All in `npm run test:sweep`.
  it.for(everyNth(Object.entries(WRONG), 2))(
    'of twice the size with %s takes twice the work',
    async ([, make], { expect }) => {
      const [one, two] = await Promise.all([countWork(make(500)), countWork(make(1_000))]);
      expect(one.end.code).toBe(65);
      expect(two.end.stderr.split('\nerror: ').length).toBeGreaterThanOrEqual(500);
      expect(two.total / one.total).toBeLessThan(2.2);
    },
  );
});
