import { describe, it } from 'vitest';
import { mistake } from './mistake.ts';

const TEXT = `version: 1
name: x
service:
  environments:
    stage: { base_url: https://stage.example.com }
`;

/** Whoever called campaign chose wrongly; the manifest may be right: exit 78. */
const CALL = { exit: 78 };

describe.concurrent('an environment', () => {
  it('that nobody chose', async (test) => {
    test
      .expect(await mistake(test, TEXT, { ...CALL, env: { CAMPAIGN_BASE_URL: '' } }))
      .toMatchInlineSnapshot(`
        "error: No environment is chosen [no-environment]
          Name an environment with --env or CAMPAIGN_ENV (stage, emulator), or set CAMPAIGN_BASE_URL and CAMPAIGN_API_KEY. \`--env emulator\` rehearses without a service; it is never chosen by itself.

        "
      `);
  });

  it('that is unknown', async (test) => {
    test.expect(await mistake(test, TEXT, { ...CALL, environment: 'stagee' })).toMatchInlineSnapshot(`
      "error: Unknown environment [unknown-environment]
        There is no environment "stagee". Known environments: stage, emulator, default. Did you mean "stage"?

      "
    `);
  });

  it('that is unknown, and the default', async (test) => {
    const text = TEXT.replace('service:\n', 'service:\n  default_environment: production\n');
    test.expect(await mistake(test, text, CALL)).toMatchInlineSnapshot(`
      "error: Unknown environment [unknown-environment]
        at campaign.yaml:4:24
          |
        4 |   default_environment: production
          |                        ^^^^^^^^^^
        There is no environment "production". Known environments: stage, emulator, default.

      "
    `);
  });

  it('over http', async (test) => {
    test.expect(await mistake(test, TEXT.replace('https', 'http'), CALL)).toMatchInlineSnapshot(`
      "error: Base URL is not encrypted [insecure-base-url]
        at campaign.yaml:5:24
          |
        5 |     stage: { base_url: http://stage.example.com }
          |                        ^^^^^^^^^^^^^^^^^^^^^^^^
        Over http everyone on the way could read the API key. Write https; http is only for this machine (localhost).

      "
    `);
  });

  it('with a password in its address', async (test) => {
    test.expect(await mistake(test, TEXT.replace('stage.', 'me:pass@stage.'), CALL)).toMatchInlineSnapshot(`
      "error: Base URL is not usable [invalid-base-url]
        at campaign.yaml:5:24
          |
        5 |     stage: { base_url: https://*******@stage.example.com }
          |                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        A user name or password in an address ends up in logs. Take it out; the API key comes from the variable that \`api_key_env\` names.

      "
    `);
  });

  it('with an address from outside that is none', async (test) => {
    test
      .expect(await mistake(test, TEXT, { ...CALL, env: { CAMPAIGN_BASE_URL: 'visuals.example.com' } }))
      .toMatchInlineSnapshot(`
        "error: Base URL is not usable [invalid-base-url]
          CAMPAIGN_BASE_URL: This is no address that requests can be sent to. Write one with https and without \`?\` and \`#\`, such as https://visuals.example.com/api.

        "
      `);
  });

  it('and a mistake of the manifest is a mistake of the manifest', async (test) => {
    const text = `${TEXT}concept: {}\n`;
    test.expect(await mistake(test, text, { environment: 'stagee' })).toMatchInlineSnapshot(`
      "error: Unknown environment [unknown-environment]
        There is no environment "stagee". Known environments: stage, emulator, default. Did you mean "stage"?

      error: Unknown key [unknown-key]
        at campaign.yaml:6:1
          |
        6 | concept: {}
          | ^^^^^^^
        There is no key "concept" here, and passing over it could hide a mistake. Did you mean "concepts"?

      "
    `);
  });
});
