import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

describe.concurrent('secrets', () => {
  it('in an environment', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  environments:
    stage: { base_url: https://a.example.com, api_key: s3cr3t }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:5:47
            |
          5 |     stage: { base_url: https://a.example.com, api_key: ********
            |                                               ^^^^^^^
          \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('at the top', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
token: s3cr3t
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:3:1
            |
          3 | token: ******
            | ^^^^^
          \`token\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('twice', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  api_key: s3cr3t
  api_key: s4cr4t
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Key is written twice [duplicate-key]
          at campaign.yaml:5:3
            |
          5 |   api_key: ******
            |   ^^^^^^^
          "api_key" stands in line 4 already; only one of the two would count. Remove or rename one.

        error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:5:3
            |
          5 |   api_key: ******
            |   ^^^^^^^
          \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('in a product.yaml', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
product_folders: [photos/*]
`,
          {
            files: { 'photos/mug/a.png': 'photo', 'photos/mug/product.yaml': { text: 'password: s3cr3t\n' } },
          },
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Secret in the manifest [secret-in-manifest]
          at photos/mug/product.yaml:1:1
            |
          1 | password: ******
            | ^^^^^^^^
          \`password\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('in a variable', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
variables:
  season: spring
  api_key: s3cr3t
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:5:3
            |
          5 |   api_key: ******
            |   ^^^^^^^
          \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('in metadata', async (test) => {
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
      - { post_type: image, metadata: { aspect_ratio: "1:1", auth: { access_token: s3cr3t } } }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:7:70
            |
          7 |       - { post_type: image, metadata: { aspect_ratio: "1:1", auth: { access_token: ************
            |                                                                      ^^^^^^^^^^^^
          \`access_token\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });

  it('where the name of its variable belongs', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service:
  environments:
    stage: { base_url: https://a.example.com, api_key_env: sk-live-12 }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Value is not allowed [invalid-value]
          at campaign.yaml:5:60
            |
          5 |     stage: { base_url: https://a.example.com, api_key_env: ************
            |                                                            ^^^^^^^^^^
          This is the name of an environment variable: letters, digits and \`_\`. The API key itself never stands here. For example: VISUALS_KEY

        "
      `);
  });

  it('beside another mistake in the line', async (test) => {
    test
      .expect(
        await mistake(
          test,
          `version: 1
name: x
service: { environments: { stage: { base_ur: https://me:pass@a.example.com, api_key: s3cr3t } } }
`,
        ),
      )
      .toMatchInlineSnapshot(`
        "error: Unknown key [unknown-key]
          at campaign.yaml:3:37
            |
          3 | service: { environments: { stage: { base_ur: https://*******@a.example.com, api_key: ************
            |                                     ^^^^^^^
          There is no key "base_ur" here, and passing over it could hide a mistake. Did you mean "base_url"?

        error: Secret in the manifest [secret-in-manifest]
          at campaign.yaml:3:77
            |
          3 | service: { environments: { stage: { base_ur: https://*******@a.example.com, api_key: ************
            |                                                                             ^^^^^^^
          \`api_key\` does not belong in a file that is kept in git: everyone with a copy could read it. Put the API key into an environment variable and name that variable with \`api_key_env\` (without it, CAMPAIGN_API_KEY is read). If it was ever committed, have it replaced.

        "
      `);
  });
});
