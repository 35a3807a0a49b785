import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('moves', () => {
  it('to something of another kind', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { night: {} }
moved: [{ from: product/evening, to: concept/night }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Move is not possible [invalid-move]
          at campaign.yaml:4:38
            |
          4 | moved: [{ from: product/evening, to: concept/night }]
            |                                      ^^^^^^^^^^^^^
          "product/evening" cannot become "concept/night": the two are things of different kinds. Begin both with the same word.

        "
      `);
  });

  it('to something that is not there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { night: {} }
moved: [{ from: concept/evening, to: concept/nigth }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Move is not possible [invalid-move]
          at campaign.yaml:4:38
            |
          4 | moved: [{ from: concept/evening, to: concept/nigth }]
            |                                      ^^^^^^^^^^^^^
          There is no "concept/nigth" in this manifest. Did you mean "concept/night"?

        "
      `);
  });

  it('of something that is still there', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { night: {}, day: {} }
moved: [{ from: concept/day, to: concept/night }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Move is not possible [invalid-move]
          at campaign.yaml:4:17
            |
          4 | moved: [{ from: concept/day, to: concept/night }]
            |                 ^^^^^^^^^^^
          "concept/day" is still in this manifest, so it was not renamed. Write the old address here, or remove this move.

        "
      `);
  });

  it('without their new address', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
concepts: { night: {} }
moved: [{ from: concept/evening }]
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is missing [missing-key]
          at campaign.yaml:4:9
            |
          4 | moved: [{ from: concept/evening }]
            |         ^^^^^^^^^^^^^^^^^^^^^^^^^
          \`to\` is missing here. The address in this manifest. For example: to: product/tote

        "
      `);
  });
});
