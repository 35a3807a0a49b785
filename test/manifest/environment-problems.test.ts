import { describe, expect, it } from 'vitest';
import { problemsOf } from './campaign-folder.ts';

describe('environments', () => {
  it('none', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
`,
        { need: 'environment' },
      ),
    ).toMatchInlineSnapshot(`
      "no-environment
        Name an environment with --env or CAMPAIGN_ENV (emulator), or set CAMPAIGN_BASE_URL and CAMPAIGN_API_KEY. \`--env emulator\` rehearses without a service; it is never chosen by itself."
    `);
  });

  it('none of two', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
service: { environments: { production: { base_url: https://a.example.com }, stage: { base_url: https://b.example.com } } }
`,
        { need: 'environment' },
      ),
    ).toMatchInlineSnapshot(`
      "no-environment
        Name an environment with --env or CAMPAIGN_ENV (production, stage, emulator), or set CAMPAIGN_BASE_URL and CAMPAIGN_API_KEY. \`--env emulator\` rehearses without a service; it is never chosen by itself."
    `);
  });

  it('an unknown one', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
service: { environments: { production: { base_url: https://a.example.com } } }
`,
        { environment: 'prodution' },
      ),
    ).toMatchInlineSnapshot(`
      "unknown-environment
        There is no environment "prodution". Known environments: production, emulator. Did you mean "production"?"
    `);
  });

  it('an unknown default', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service: { default_environment: stag, environments: { stage: { base_url: https://a.example.com } } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-environment campaign.yaml:3:33 «stag»
        There is no environment "stag". Known environments: stage, emulator. Did you mean "stage"?"
    `);
  });

  it('reserved names', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service: { environments: { emulator: { base_url: https://a.example.com }, default: { base_url: https://a.example.com } } }
`),
    ).toMatchInlineSnapshot(`
      "reserved-name campaign.yaml:3:28 «emulator»
        "emulator" always means the built-in emulator. Choose another name.
      reserved-name campaign.yaml:3:75 «default»
        "default" means that CAMPAIGN_BASE_URL is set and no environment is chosen. Choose another name."
    `);
  });

  it('bad addresses', async () => {
    expect(
      await problemsOf(`version: 1
name: x
service:
  environments:
    a: { base_url: http://visuals.example.com }
    b: { base_url: ftp://visuals.example.com }
    c: { base_url: https://user:pass@visuals.example.com }
    d: { base_url: https://visuals.example.com?x=1 }
    e: { base_url: visuals }
    f: { base_url: http://127.0.0.1:4010/api }
    g: {}
`),
    ).toMatchInlineSnapshot(`
      "insecure-base-url campaign.yaml:5:20 «http://visuals.example.com»
        Over http everyone on the way could read the API key. Write https; http is only for this machine (localhost).
      invalid-base-url campaign.yaml:6:20 «ftp://visuals.example.com»
        This is no address that requests can be sent to. Write one with https and without \`?\` and \`#\`, such as https://visuals.example.com/api.
      invalid-base-url campaign.yaml:7:20 «https://*********@visuals.example.com»
        A user name or password in an address ends up in logs. Take it out; the API key comes from the variable that \`api_key_env\` names.
      invalid-base-url campaign.yaml:8:20 «https://visuals.example.com?x=1»
        This is no address that requests can be sent to. Write one with https and without \`?\` and \`#\`, such as https://visuals.example.com/api.
      invalid-value campaign.yaml:9:20 «visuals»
        An address is written in full, with https:// at its beginning. For example: https://visuals.example.com/api
      missing-key campaign.yaml:11:5 «g»
        \`base_url\` is missing here. URL of the service with its path prefix; https, or http on the loopback interface. For example: base_url: https://visuals.example.com/api"
    `);
  });

  it('a bad CAMPAIGN_BASE_URL', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
`,
        { baseUrl: 'http://visuals.example.com' },
      ),
    ).toMatchInlineSnapshot(`
      "insecure-base-url
        CAMPAIGN_BASE_URL: Over http everyone on the way could read the API key. Write https; http is only for this machine (localhost)."
    `);
  });

  it('CAMPAIGN_BASE_URL beside the emulator', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
`,
        { baseUrl: 'https://visuals.example.com', environment: 'emulator' },
      ),
    ).toMatchInlineSnapshot(`
      "base-url-ignored
        The emulator runs inside campaign, whatever CAMPAIGN_BASE_URL says."
    `);
  });

  it('default without CAMPAIGN_BASE_URL', async () => {
    expect(
      await problemsOf(
        `version: 1
name: x
`,
        { environment: 'default' },
      ),
    ).toMatchInlineSnapshot(`
      "unknown-environment
        There is no environment "default". Known environments: emulator."
    `);
  });

  it('an id for an unknown one', async () => {
    expect(
      await problemsOf(`version: 1
name: x
concepts: { a: { id: { stagee: 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f } } }
service: { environments: { stage: { base_url: https://a.example.com } } }
`),
    ).toMatchInlineSnapshot(`
      "unknown-id-environment campaign.yaml:3:24 «stagee»
        There is no environment "stagee", so this id would never be used. Did you mean "stage"?"
    `);
  });
});
