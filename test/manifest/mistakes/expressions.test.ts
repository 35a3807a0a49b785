import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('expressions', () => {
  it('over an unknown variable', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables: { season: spring }
description: Our \${{ vars.seasn }} range
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown variable [unknown-variable]
          at campaign.yaml:4:18
            |
          4 | description: Our \${{ vars.seasn }} range
            |                  ^^^^^^^^^^^^^^^^^
          There is no variable "seasn". Did you mean "season"?

        "
      `);
  });

  it('over a variable that has no value', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: Our \${{ vars.season }} range
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown variable [unknown-variable]
          at campaign.yaml:3:18
            |
          3 | description: Our \${{ vars.season }} range
            |                  ^^^^^^^^^^^^^^^^^^
          There is no variable "season". Declare it under \`variables:\`, or give it with \`--var season=…\`.

        "
      `);
  });

  it('for which a value is given that nothing uses', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables: { season: spring }
`,
          { env: { CAMPAIGN_VAR_saeson: 'summer' } },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown variable [unknown-variable]
          A value was given for the variable "saeson" (--var, --var-file or CAMPAIGN_VAR_saeson), and nothing in the manifest uses one. Did you mean "season"?

        "
      `);
  });

  it('that calculate', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: \${{ upper(vars.season) }}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:3:14
            |
          3 | description: \${{ upper(vars.season) }}
            |              ^^^^^^^^^^^^^^^^^^^^^^^^^
          This expression is not understood. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.

        "
      `);
  });

  it('over the process environment', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: \${{ env.HOME }}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:3:14
            |
          3 | description: \${{ env.HOME }}
            |              ^^^^^^^^^^^^^^^
          There is no "env" to read from. A plan must not depend on the machine it is made on: give the value with --var. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.

        "
      `);
  });

  it('with a typing error', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables: { season: spring }
description: \${{ var.season }}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:4:14
            |
          4 | description: \${{ var.season }}
            |              ^^^^^^^^^^^^^^^^^
          There is no "var" to read from. Did you mean "vars"? There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.

        "
      `);
  });

  it('without their end', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: \${{ vars.season
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:3:14
            |
          3 | description: \${{ vars.season
            |              ^^^^^^^^^^^^^^^
          This expression is not understood. It has no \`}}\` at its end. There is \${{ vars.NAME }}, in a post with a matrix \${{ matrix.NAME }}, \${{ product.NAME }}, \${{ concept.NAME }} and \${{ with.NAME }}, and in a post with \`every\` \${{ run.period }}; nothing is calculated.

        "
      `);
  });

  it('inside a variable', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables:
  season: spring
  title: \${{ vars.season }} range
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:5:10
            |
          5 |   title: \${{ vars.season }} range
            |          ^^^^^^^^^^^^^^^^^^^^^^^^
          The value of a variable is taken as it is, so this would stay as written. Write the value out.

        "
      `);
  });

  it('over the matrix outside a post', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
description: \${{ matrix.ratio }}
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:3:14
            |
          3 | description: \${{ matrix.ratio }}
            |              ^^^^^^^^^^^^^^^^^^^
          \`matrix\` stands for the values of the matrix of a post: it can be used in that post, in its concept and its items, and nowhere else.

        "
      `);
  });

  it('over the period', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ run.period }}"] }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Expression is not understood [invalid-expression]
          at campaign.yaml:7:66
            |
          7 |       - { post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ run.period }}"] }
            |                                                                  ^^^^^^^^^^^^^^^^^
          \`run.period\` is the period of a post plan with \`every\`: it can be used in that post plan, and nowhere else. Add \`every: day\`, \`week\` or \`month\` to the post plan, or take this out.

        "
      `);
  });

  it('whose value does not fit', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables: { kind: story }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: '\${{ vars.kind }}', aspect_ratio: '1:1' }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:8:22
            |
          8 |       - { post_type: '\${{ vars.kind }}', aspect_ratio: '1:1' }
            |                      ^^^^^^^^^^^^^^^^^^
          "story" is not possible here. Possible values: image, video, carousel.

        "
      `);
  });
});
