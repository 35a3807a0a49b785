import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

describe('secrets', () => {
  it('in an environment', async () => {
    expect(
      await mistake(`version: 1
name: x
service:
  environments:
    stage: { base_url: https://a.example.com, api_key: s3cr3t }
`),
    ).toMatchInlineSnapshot();
  });

  it('at the top', async () => {
    expect(
      await mistake(`version: 1
name: x
token: s3cr3t
`),
    ).toMatchInlineSnapshot();
  });

  it('twice', async () => {
    expect(
      await mistake(`version: 1
name: x
service:
  api_key: s3cr3t
  api_key: s4cr4t
`),
    ).toMatchInlineSnapshot();
  });

  it('in a product.yaml', async () => {
    expect(
      await mistake(
        `version: 1
name: x
product_folders: [photos/*]
`,
        { files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: 'password: s3cr3t\n' } } },
      ),
    ).toMatchInlineSnapshot();
  });

  it('in a variable', async () => {
    expect(
      await mistake(`version: 1
name: x
variables:
  season: spring
  api_key: s3cr3t
`),
    ).toMatchInlineSnapshot();
  });

  it('in metadata', async () => {
    expect(
      await mistake(`version: 1
name: x
posts:
  a:
    concept: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f
    items:
      - { post_type: image, metadata: { aspect_ratio: "1:1", auth: { access_token: s3cr3t } } }
`),
    ).toMatchInlineSnapshot();
  });

  it('where the name of its variable belongs', async () => {
    expect(
      await mistake(`version: 1
name: x
service:
  environments:
    stage: { base_url: https://a.example.com, api_key_env: sk-live-12 }
`),
    ).toMatchInlineSnapshot();
  });

  it('beside another mistake in the line', async () => {
    expect(
      await mistake(`version: 1
name: x
service: { environments: { stage: { base_ur: https://me:pass@a.example.com, api_key: s3cr3t } } }
`),
    ).toMatchInlineSnapshot();
  });
});
