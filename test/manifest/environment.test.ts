import { describe, expect, it } from 'vitest';
import { CONFIGURATION_CODES } from '../../src/manifest/environment.ts';
import { loaded, problemsOf } from './campaign-folder.ts';

const TEXT = `version: 1
name: x
description: \${{ vars.season }} \${{ vars.shop }}
variables: { season: spring }
limits: { concurrency: { total: 6, media: 3 }, media_in_flight: 50, requests_per_second: 2.5 }
service:
  media_path: /media/{item.id}/{config.id}/
  form: guide
  statuses: { done: [finished] }
  nothing_done: [503]
  environments:
    production:
      base_url: https://visuals.example.com/api/
      api_key_env: VISUALS_KEY
      variables: { season: winter, shop: Field }
      limits: { concurrency: 2, media_timeout: 1h }
      form: schema
      statuses: { failed: [broken] }
      upload_url: /data/url
      media_urls: /files
      on_unknown: { product: retry }
    stage:
      base_url: http://localhost:4010
      limits: { concurrency: { upload: 1 } }
      variables: { shop: Kiln }
`;

const DEFAULT_STAGE = TEXT.replace('service:\n', 'service:\n  default_environment: stage\n');

describe('the environment', () => {
  it.each([
    ['--env', TEXT, { environment: 'production' }, 'production', 'https://visuals.example.com/api'],
    [
      '--env and CAMPAIGN_BASE_URL',
      TEXT,
      { environment: 'production', baseUrl: 'https://b.example.com/' },
      'production',
      'https://b.example.com',
    ],
    [
      'CAMPAIGN_BASE_URL alone',
      TEXT,
      { baseUrl: 'https://b.example.com' },
      'default',
      'https://b.example.com',
    ],
    [
      '--env default with it',
      TEXT,
      { environment: 'default', baseUrl: 'http://[::1]:1' },
      'default',
      'http://[::1]:1',
    ],
    ['default_environment', DEFAULT_STAGE, {}, 'stage', 'http://localhost:4010'],
    [
      'default_environment and CAMPAIGN_BASE_URL',
      DEFAULT_STAGE,
      { baseUrl: 'https://b.example.com' },
      'stage',
      'https://b.example.com',
    ],
    [
      '--env over default_environment',
      DEFAULT_STAGE,
      { environment: 'production' },
      'production',
      'https://visuals.example.com/api',
    ],
    ['the emulator', DEFAULT_STAGE, { environment: 'emulator' }, 'emulator', 'emulator'],
    [
      'the emulator beside CAMPAIGN_BASE_URL',
      TEXT,
      { environment: 'emulator', baseUrl: 'https://b.example.com' },
      'emulator',
      'emulator',
    ],
  ])('by %s', async (_, text, options, name, baseUrl) => {
    const { environment } = await loaded(text, { need: 'environment', ...options });
    expect(environment).toMatchObject({ name, baseUrl });
  });

  it('is none where nothing needs one', async () => {
    const manifest = await loaded(TEXT);
    expect(manifest.environment).toMatchObject({ name: 'none', baseUrl: '' });
    expect(manifest.description).toBe('spring Field');
  });

  it('has the settings of the service, its own over them', async () => {
    const { environment } = await loaded(TEXT, { environment: 'production' });
    expect(environment).toEqual({
      name: 'production',
      baseUrl: 'https://visuals.example.com/api',
      apiKeyEnv: 'VISUALS_KEY',
      gaps: {
        mediaPath: '/media/{item.id}/{config.id}/',
        form: 'schema',
        statuses: { done: [], failed: ['broken'] },
        nothingDone: [503],
        uploadUrl: '/data/url',
        mediaUrls: '/files',
        onUnknown: { product: 'retry' },
      },
    });
    expect((await loaded(TEXT, { environment: 'stage' })).environment.gaps).toEqual({
      mediaPath: '/media/{item.id}/{config.id}/',
      form: 'guide',
      statuses: { done: ['finished'], failed: [] },
      nothingDone: [503],
    });
  });

  it('warns about statuses that never prove that nothing was done, each at its place', async () => {
    const text = TEXT.replace('nothing_done: [503]', 'nothing_done: [503, 504, "!403", 409]').replace(
      'form: schema',
      'nothing_done: [502, 524]',
    );
    const problems = await problemsOf(text);
    expect(problems.match(/^no-proof .*/gm)).toEqual([
      'no-proof campaign.yaml:10:23 «504»',
      'no-proof campaign.yaml:17:22 «502»',
      'no-proof campaign.yaml:17:27 «524»',
    ]);
    expect(problems).toContain('A gateway says 504 when it has lost the answer of the service');
  });

  it('overrides variables, and is overridden by what is given', async () => {
    expect((await loaded(TEXT, { environment: 'production' })).description).toBe('winter Field');
    expect((await loaded(TEXT, { environment: 'stage' })).description).toBe('spring Kiln');
    const variables = new Map([['season', 'late summer']]);
    expect((await loaded(TEXT, { environment: 'production', variables })).description).toBe(
      'late summer Field',
    );
  });

  it('takes a value for a variable that only an expression names', async () => {
    const text = 'version: 1\nname: x\ndescription: ${{ vars.x }}\n';
    expect((await loaded(text, { variables: new Map([['x', 'y']]) })).description).toBe('y');
  });

  it('overrides limits field by field', async () => {
    expect((await loaded(TEXT, { environment: 'production' })).limits).toEqual({
      total: 2,
      perKind: { media: 3 },
      mediaInFlight: 50,
      requestsPerSecond: 2.5,
      mediaTimeoutMs: 3_600_000,
    });
    expect((await loaded(TEXT, { environment: 'stage' })).limits).toMatchObject({
      total: 6,
      perKind: { media: 3, upload: 1 },
    });
    expect((await loaded('version: 1\nname: x\n')).limits).toEqual({
      total: 8,
      perKind: {},
      mediaInFlight: 200,
      mediaTimeoutMs: 1_800_000,
    });
  });

  it('names the outputs', async () => {
    expect((await loaded('version: 1\nname: x\n', { environment: 'emulator' })).outputs).toEqual({
      dir: 'out/x/emulator',
      name: '{post}/{instance}/{item}-{post_type}',
    });
    expect((await loaded('version: 1\nname: x\noutputs: false\n')).outputs).toBe(false);
  });

  it('has problems that lie in the call, not in the manifest', () => {
    expect([...CONFIGURATION_CODES]).toContain('no-environment');
  });
});
