import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('references', () => {
  it('an unknown product, in both spellings', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
products: { tote: { images: t.jpg } }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: '1:1', products: [toat] }
      - { post_type: image, aspect_ratio: '1:1', assets: [{ product_id: cup }] }
`,
        { files: ['t.jpg'] },
      ),
    ).toMatchInlineSnapshot(`
      "unknown-product campaign.yaml:8:61 «toat»
        There is no product "toat" in this manifest. Known products: tote.
      unknown-product campaign.yaml:9:73 «cup»
        There is no product "cup" in this manifest. Known products: tote."
    `);
  });

  it('an unknown concept', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { morning: {} }
posts: { a: { concept: mornin, items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-concept campaign.yaml:4:24 «mornin»
        There is no concept "mornin" in this manifest. Did you mean "morning"?"
    `);
  });

  it('an unknown concept where there is none', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: { a: { content_pillar: night, items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-concept campaign.yaml:3:31 «night»
        There is no concept "night" in this manifest. There are none yet: write it under \`concepts:\`."
    `);
  });

  it('a reference to an entry that is broken itself is none', async () => {
    expect(
      await problemsOf(`version: 1
name: x
products: { tote: { images: 5 } }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, aspect_ratio: '1:1', products: [tote] }]
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:29 «5»
        This must be a text or a list, but it is the number 5. Put it in quotes: "5"."
    `);
  });

  it('a product that a missing folder would have been is none', async () => {
    expect(
      await problemsOf(`version: 1
name: x
product_folders: [photos/*]
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: image, aspect_ratio: '1:1', products: [tote] }]
`),
    ).toMatchInlineSnapshot(`
      "no-match campaign.yaml:3:19 «photos/*»
        No folder matches "photos/*". Check the spelling, and that the photos are there."
    `);
  });

  it('a post without concept', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: { a: { items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "missing-key campaign.yaml:3:10 «a»
        This post has no \`concept\`, the creative direction of its pictures. Write the key of one of \`concepts:\`."
    `);
  });

  it('a post with a broken concept', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts: { a: { concept: 5, items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:24 «5»
        This must be a text, but it is the number 5. Put it in quotes: "5"."
    `);
  });

  it('two concepts', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { day: {}, night: {} }
posts: { a: { concept: day, content_pillar: night, items: [{ post_type: image, aspect_ratio: '1:1' }] } }
`),
    ).toMatchInlineSnapshot(`
      "conflicting-spellings campaign.yaml:4:29 «content_pillar»
        \`content_pillar\` is another name for \`concept\`, and the two have different values. Remove one of them."
    `);
  });
});

describe('items', () => {
  it('without post_type and aspect_ratio', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - key: one
`),
    ).toMatchInlineSnapshot(`
      "missing-key campaign.yaml:7:9 «key»
        This item has no \`post_type\`. Write image, video or carousel, here or under \`defaults: item:\`.
      missing-key campaign.yaml:7:9 «key»
        This item has no \`aspect_ratio\`. Write one, such as "4:5", here or under \`defaults: item:\`."
    `);
  });

  it('with a broken aspect_ratio', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: 5 }
      - { post_type: image, metadata: { aspect_ratio: 5 } }
      - { post_type: image, metadata: 7 }
      - 8
      - { post_type: image, aspect_ratoi: '1:1' }
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:7:43 «5»
        This must be a text, but it is the number 5. Put it in quotes: "5".
      wrong-type campaign.yaml:8:55 «5»
        This must be a text, but it is the number 5. Put it in quotes: "5".
      wrong-type campaign.yaml:9:39 «7»
        This must be a map (\`key: value\`), but it is the number 7. For example: {"aspect_ratio":"1:1"}
      wrong-type campaign.yaml:10:9 «8»
        This must be a map (\`key: value\`), but it is the number 8.
      unknown-key campaign.yaml:11:29 «aspect_ratoi»
        There is no key "aspect_ratoi" here, and passing over it could hide a mistake. Did you mean "aspect_ratio"?"
    `);
  });

  it('with contradicting spellings', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, products: [0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f], assets: [], aspect_ratio: '1:1', metadata: { aspect_ratio: '4:5' } }
`),
    ).toMatchInlineSnapshot(`
      "conflicting-spellings campaign.yaml:7:29 «products»
        \`products\` is short for \`assets\`, and the two have different values here. Remove one of them.
      conflicting-spellings campaign.yaml:7:91 «aspect_ratio»
        \`aspect_ratio\` is short for \`metadata.aspect_ratio\`, and the two have different values here. Remove one of them."
    `);
  });

  it('with one key', async () => {
    expect(
      await problemsOf(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: k, post_type: image, aspect_ratio: '1:1' }
      - { key: k, post_type: image, aspect_ratio: '1:1' }
`),
    ).toMatchInlineSnapshot(`
      "duplicate-item-key campaign.yaml:8:16 «k»
        Another item of this post has the key "k", and the two could not be told apart. Change one."
    `);
  });
});

describe('expressions', () => {
  it('an unknown variable', async () => {
    expect(
      await problemsOf(`version: 1
name: x
variables: { season: spring }
description: Our \${{ vars.seson }} range
`),
    ).toMatchInlineSnapshot(`
      "unknown-variable campaign.yaml:4:18 «\${{ vars.seson }}»
        There is no variable "seson". Did you mean "season"?"
    `);
  });

  it('an unknown variable like no other', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ vars.x }}
`),
    ).toMatchInlineSnapshot(`
      "unknown-variable campaign.yaml:3:14 «\${{ vars.x }}»
        There is no variable "x". Declare it under \`variables:\`, or give it with \`--var x=…\`."
    `);
  });

  it('a value given for nothing', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
variables: { season: spring }
`,
        { variables: new Map([['seson', 'summer']]) },
      ),
    ).toMatchInlineSnapshot(`
      "unknown-variable
        A value was given for the variable "seson" (--var, --var-file or CAMPAIGN_VAR_seson), and nothing in the manifest uses one. Did you mean "season"?"
    `);
  });

  it('what is none', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ upper(vars.x) }} and \${{ vars.a.b }}
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:14 «\${{ upper(vars.x) }}»
        This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.
      invalid-expression campaign.yaml:3:39 «\${{ vars.a.b }}»
        This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
  });

  it('another context', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ env.HOME }} \${{ var.x }}
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:14 «\${{ env.HOME }}»
        There is no "env" to read from. A plan must not depend on the machine it is made on: give the value with --var. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.
      invalid-expression campaign.yaml:3:30 «\${{ var.x }}»
        There is no "var" to read from. Did you mean "vars"? There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
  });

  it('as shells and template languages write them, which would be sent and paid for as they stand', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: a \${vars.season} day, {{ vars.season }}, \${not_ours} and {{ neither }}
variables: { season: spring }
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:16 «\${vars.season}»
        This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.
      invalid-expression campaign.yaml:3:36 «{{ vars.season }}»
        This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
  });

  it('without an end', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ vars.x
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:14 «\${{ vars.x»
        This expression is not understood. It has no \`}}\` at its end. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated."
    `);
  });

  it('in a variable', async () => {
    expect(
      await problemsOf(`version: 1
name: x
variables: { a: '\${{ vars.b }}', b: c }
service: { environments: { stage: { base_url: https://a.example.com, variables: { b: '\${{ vars.a }}' } } } }
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:17 «'\${{ vars.b }}'»
        The value of a variable is taken as it is, so this would stay as written. Write the value out.
      invalid-expression campaign.yaml:4:86 «'\${{ vars.a }}'»
        The value of a variable is taken as it is, so this would stay as written. Write the value out."
    `);
  });

  it('broken variables make none unknown', async () => {
    expect(
      await problemsOf(`version: 1
name: x
variables: 5
description: \${{ vars.x }}
`),
    ).toMatchInlineSnapshot(`
      "wrong-type campaign.yaml:3:12 «5»
        This must be a map (\`key: value\`), but it is the number 5. For example: {"season":"spring"}"
    `);
  });

  it('matrix outside a post, in a post without one, and in the matrix itself', async () => {
    expect(
      await problemsOf(`version: 1
name: x
description: \${{ matrix.x }}
concepts: { day: {} }
posts:
  a:
    concept: \${{ matrix.x }}
    items: [{ post_type: image, aspect_ratio: '1:1' }]
  b:
    matrix: { x: ['\${{ matrix.y }}'], y: [1] }
    concept: day
    items: [{ post_type: image, aspect_ratio: '1:1', descriptions: ['\${{ matrix.x }} \${{ matrix.y }}'] }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-expression campaign.yaml:3:14 «\${{ matrix.x }}»
        \`matrix\` stands for the values of the matrix of a post: it can be used in that post, in its concept and its items, and nowhere else.
      invalid-expression campaign.yaml:7:14 «\${{ matrix.x }}»
        \`matrix\` stands for the values of the matrix of a post: it can be used in that post, in its concept and its items, and nowhere else.
      invalid-expression campaign.yaml:10:20 «\${{ matrix.y }}»
        \`matrix\` stands for the values of the matrix of a post: it can be used in that post, in its concept and its items, and nowhere else."
    `);
  });

  it('a value that does not fit its place', async () => {
    expect(
      await problemsOf(`version: 1
name: x
variables: { kind: story, url: 'not a url' }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items: [{ post_type: '\${{ vars.kind }}', aspect_ratio: '1:1', assets: [{ product_id: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f, url: '\${{ vars.url }}' }] }]
`),
    ).toMatchInlineSnapshot(`
      "invalid-value campaign.yaml:7:26 «'\${{ vars.kind }}'»
        "story" is not possible here. Possible values: image, video, carousel.
      invalid-value campaign.yaml:7:133 «'\${{ vars.url }}'»
        An address is written in full, with https:// at its beginning. For example: https://cdn.example.com/tote.jpg"
    `);
  });
});
