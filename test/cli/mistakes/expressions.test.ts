import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('expressions', () => {
  it('over an unknown variable', async () => {
    expect(
      await mistake(`version: 1
name: x
variables: { season: spring }
description: Our \${{ vars.seasn }} range
`),
    ).toMatchInlineSnapshot();
  });

  it('over a variable that has no value', async () => {
    expect(
      await mistake(`version: 1
name: x
description: Our \${{ vars.season }} range
`),
    ).toMatchInlineSnapshot();
  });

  it('for which a value is given that nothing uses', async () => {
    expect(
      await mistake(
        `version: 1
name: x
variables: { season: spring }
`,
        { args: ['--var', 'saeson=summer'] },
      ),
    ).toMatchInlineSnapshot();
  });

  it('that calculate', async () => {
    expect(
      await mistake(`version: 1
name: x
description: \${{ upper(vars.season) }}
`),
    ).toMatchInlineSnapshot();
  });

  it('over the process environment', async () => {
    expect(
      await mistake(`version: 1
name: x
description: \${{ env.HOME }}
`),
    ).toMatchInlineSnapshot();
  });

  it('with a typing error', async () => {
    expect(
      await mistake(`version: 1
name: x
variables: { season: spring }
description: \${{ var.season }}
`),
    ).toMatchInlineSnapshot();
  });

  it('without their end', async () => {
    expect(
      await mistake(`version: 1
name: x
description: \${{ vars.season
`),
    ).toMatchInlineSnapshot();
  });

  it('inside a variable', async () => {
    expect(
      await mistake(`version: 1
name: x
variables:
  season: spring
  title: \${{ vars.season }} range
`),
    ).toMatchInlineSnapshot();
  });

  it('over the matrix outside a post', async () => {
    expect(
      await mistake(`version: 1
name: x
description: \${{ matrix.ratio }}
`),
    ).toMatchInlineSnapshot();
  });

  it('over the period', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, aspect_ratio: "1:1", descriptions: ["\${{ run.period }}"] }
`),
    ).toMatchInlineSnapshot();
  });

  it('whose value does not fit', async () => {
    expect(
      await mistake(`version: 1
name: x
variables: { kind: story }
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: '\${{ vars.kind }}', aspect_ratio: '1:1' }
`),
    ).toMatchInlineSnapshot();
  });
});
