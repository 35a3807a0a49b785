import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('outputs', () => {
  it('outside the folder of the manifest', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { dir: ../out }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:3:17
            |
          3 | outputs: { dir: ../out }
            |                 ^^^^^^
          "../out" leads out of the folder of the manifest, where nothing else is written. Write a path below it, or allow this with --allow-outside.

        "
      `);
  });

  it('with a name that leads out', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { name: "../{post}" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Path leaves the folder of the manifest [outside-folder]
          at campaign.yaml:3:18
            |
          3 | outputs: { name: "../{post}" }
            |                  ^^^^^^^^^^^
          A file name stays below the output folder. Take \`..\` and a \`/\` at its beginning out.

        "
      `);
  });

  it('with an unknown placeholder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { name: "{post}/{itme}-{format}" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown placeholder [unknown-placeholder]
          at campaign.yaml:3:26
            |
          3 | outputs: { name: "{post}/{itme}-{format}" }
            |                          ^^^^^^
          There is no placeholder "itme". Did you mean "item"?

        error: Unknown placeholder [unknown-placeholder]
          at campaign.yaml:3:33
            |
          3 | outputs: { name: "{post}/{itme}-{format}" }
            |                                 ^^^^^^^^
          There is no placeholder "format". Known placeholders: post, instance, item, post_type, take, product, concept, ratio, period.

        "
      `);
  });

  it('with an open placeholder', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { name: "{post}/{item" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown placeholder [unknown-placeholder]
          at campaign.yaml:3:19
            |
          3 | outputs: { name: "{post}/{item" }
            |                   ^
          The name has a \`{\` without its partner. Placeholders are written {post}, {item} and so on.

        "
      `);
  });

  it('with one name for two items', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { name: "{post}-{post_type}" }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: kitchen, post_type: image, aspect_ratio: "1:1" }
      - { key: street, post_type: image, aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two posts share a file name [output-collision]
          at campaign.yaml:3:18
            |
          3 | outputs: { name: "{post}-{post_type}" }
            |                  ^^^^^^^^^^^^^^^^^^^^
          media/a/kitchen and media/a/street would both be saved as "out/x/default/a-image", and one picture would take the place of the other. Put {item} into the name.

        "
      `);
  });

  it('with one name for two combinations', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { day: {}, night: {} }
products: { mug: { images: m.png }, tote: { images: t.png } }
posts:
  grid:
    matrix:
      product: "*"
      ratio: ["1:1", "9:16"]
    concept: day
    items:
      - { post_type: image, products: ['\${{ matrix.product }}'], aspect_ratio: '\${{ matrix.ratio }}' }
outputs: { name: "{post}/{item}" }
`,
          { files: { 'm.png': 'photo', 't.png': 'photo' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two posts share a file name [output-collision]
          at campaign.yaml:13:18
             |
          13 | outputs: { name: "{post}/{item}" }
             |                  ^^^^^^^^^^^^^^^
          media/grid/mug+1x1/1 and media/grid/mug+9x16/1 would both be saved as "out/x/default/grid/1", and one picture would take the place of the other. Put {instance} into the name.

        "
      `);
  });

  it('with one name for a picture and a page of a carousel', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
outputs: { name: "{post}/{item}" }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { key: tour, post_type: carousel, aspect_ratio: "1:1" }
      - { key: tour-2, post_type: image, aspect_ratio: "1:1" }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Two posts share a file name [output-collision]
          at campaign.yaml:3:18
            |
          3 | outputs: { name: "{post}/{item}" }
            |                  ^^^^^^^^^^^^^^^
          media/a/tour and media/a/tour-2 would both be saved as "out/x/default/a/tour-2", and one picture would take the place of the other. (The pages of a carousel have -1, -2 and so on behind its name, and older takes .take1 and so on.) Change one of the keys, or \`outputs.name\`.

        "
      `);
  });
});
