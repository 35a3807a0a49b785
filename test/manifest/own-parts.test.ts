import { describe, expect, it } from 'vitest';
import { loaded, problemsOf } from './campaign-folder.ts';

const ID = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';

/** What an item of the one post comes to. */
async function itemOf(parts: string, item: string) {
  const text = `version: 1\nname: x\n${parts}\nposts:\n  hero:\n    matrix: { n: [1] }\n    concept: ${ID}\n    items:\n      - ${item}\n`;
  const [post] = (await loaded(text)).posts;
  return post?.items[0];
}

describe('merge keys', () => {
  const base = `x-base: &base { post_type: image, aspect_ratio: "4:5", descriptions: ["no \${{ matrix.n }}"] }
x-wide: &wide { <<: *base, aspect_ratio: "1.91:1", variants: [clean] }`;

  it.each([
    ['a map', '{ <<: *base }', { metadata: { aspect_ratio: '4:5' }, descriptions: ['no 1'] }],
    [
      'a map that merges another',
      '{ <<: *wide }',
      { metadata: { aspect_ratio: '1.91:1' }, variants: ['clean'] },
    ],
    [
      'a list: the first wins',
      '{ <<: [*base, *wide] }',
      { metadata: { aspect_ratio: '4:5' }, variants: ['clean'] },
    ],
    [
      'what stands there itself wins',
      '{ aspect_ratio: "1:1", <<: *base }',
      { metadata: { aspect_ratio: '1:1' } },
    ],
    ['the same, behind it', '{ <<: *base, aspect_ratio: "1:1" }', { metadata: { aspect_ratio: '1:1' } }],
    ['a map without a name', '{ <<: { post_type: video }, <: 1 }', undefined],
  ])('take in %s', async (_, item, expected) => {
    const written = item.replace(', <: 1', ', aspect_ratio: "1:1", descriptions: ["${{ matrix.n }}"]');
    expect(await itemOf(base, written)).toMatchObject(expected ?? { post_type: 'video' });
  });

  it('lead to the line where a value was written', async () => {
    const text = `version: 1
name: x
x-base: &base
  post_type: picture
  description: a
  aspect_ratio: wide
posts:
  hero:
    concept: ${ID}
    items:
      - <<: *base
      - { <<: *base, aspect_ratio: "4:5" }
`;
    expect(await problemsOf(text)).toBe(
      `invalid-value campaign.yaml:4:14 «picture»
  "picture" is not possible here. Possible values: image, video, carousel.
unknown-key campaign.yaml:5:3 «description»
  There is no key "description" here, and passing over it could hide a mistake. Did you mean "descriptions"?`,
    );
    expect(await problemsOf(text.replace('picture', 'image').replace('description: a', 'variants: []'))).toBe(
      `odd-aspect-ratio campaign.yaml:6:17 «wide»
  "wide" is no aspect ratio of the form width:height, such as "4:5" or "1.91:1". It is sent as it is, and the service may refuse it.`,
    );
  });

  it('in quotes are keys as any other', async () => {
    expect(await problemsOf(`version: 1\nname: x\n"<<": { description: a }\n`)).toContain(
      'There is no key "<<" here',
    );
  });

  it('that multiply are refused before they are carried out', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, n) => `  k${n + 1}: &k${n + 1} { <<: [*k${n}, *k${n}], m${n}: 1 }`,
    );
    expect(
      await problemsOf(`version: 1\nname: x\nx-a:\n  k0: &k0 { a: 1 }\n${levels.join('\n')}\n`),
    ).toContain('too-many-aliases');
  });
});

describe("parts of the author's own", () => {
  it('may hold anything but a secret, at the top level only', async () => {
    const text = (more: string) => `version: 1\nname: x\n${more}\n`;
    expect(await problemsOf(text('x-note: [1, { a: "${{ vars.nothing }}" }]\nx-: null'))).toBe('');
    expect(await problemsOf(text('x-service: { api_key: abc }'))).toContain(
      'secret-in-manifest campaign.yaml:3:14',
    );
    expect(await problemsOf(text('concepts: { day: { x-note: 1 } }'))).toContain(
      'unknown-key campaign.yaml:3:20',
    );
  });
});

describe('an aspect ratio', () => {
  it.each(['4:5', '1.91:1', '16:9', '0.5:1'])('may be %s', async (ratio) => {
    expect(await problemsOf(odd(`aspect_ratio: "${ratio}"`))).toBe('');
  });

  it.each(['4/5', '0:1', '1:0', '1:', '4:5:6', '-1:2', 'wide', '1e3:1', '4 : 5'])(
    'is odd as %s',
    async (ratio) => {
      expect(await problemsOf(odd(`aspect_ratio: "${ratio}"`))).toContain(
        `odd-aspect-ratio campaign.yaml:3:`,
      );
    },
  );

  it('is a warning where it was written, once', async () => {
    expect(await problemsOf(odd('metadata: { aspect_ratio: wide }'))).toMatch(/:3:\d+ «wide»/);
    const matrix = `version: 1\nname: x\ndefaults: { item: { post_type: image, metadata: { aspect_ratio: wide } } }
posts:
  a: { matrix: { r: ["4:5", tall] }, concept: ${ID}, items: [{ aspect_ratio: "\${{ matrix.r }}" }] }
  b: { concept: ${ID}, items: [{ key: a }, { key: b }] }\n`;
    expect((await problemsOf(matrix)).match(/campaign.*»/g)).toEqual([
      'campaign.yaml:3:65 «wide»',
      'campaign.yaml:5:29 «tall»',
    ]);
  });
});

function odd(ratio: string): string {
  return `version: 1\nname: x\nposts: { a: { concept: ${ID}, items: [{ post_type: image, ${ratio} }] } }\n`;
}
