import { describe, expect, it } from 'vitest';
import { mistake } from '../../support/mistake.ts';

const TEXT = `version: 1
name: x
service:
  environments:
    stage: { base_url: https://stage.example.com }
`;

/** Whoever called campaign chose wrongly; the manifest may be right: exit 78. */
const CALL = { exit: 78 };

describe('an environment', () => {
  it('that nobody chose', async () => {
    expect(await mistake(TEXT, { ...CALL, env: { CAMPAIGN_BASE_URL: '' } })).toMatchInlineSnapshot();
  });

  it('that is unknown', async () => {
    expect(await mistake(TEXT, { ...CALL, args: ['--env', 'stagee'] })).toMatchInlineSnapshot();
  });

  it('that is unknown, and the default', async () => {
    const text = TEXT.replace('service:\n', 'service:\n  default_environment: production\n');
    expect(await mistake(text, CALL)).toMatchInlineSnapshot();
  });

  it('over http', async () => {
    expect(await mistake(TEXT.replace('https', 'http'), CALL)).toMatchInlineSnapshot();
  });

  it('with a password in its address', async () => {
    expect(await mistake(TEXT.replace('stage.', 'me:pass@stage.'), CALL)).toMatchInlineSnapshot();
  });

  it('with an address from outside that is none', async () => {
    expect(
      await mistake(TEXT, { ...CALL, env: { CAMPAIGN_BASE_URL: 'visuals.example.com' } }),
    ).toMatchInlineSnapshot();
  });

  it('and a mistake of the manifest is a mistake of the manifest', async () => {
    const text = `${TEXT}concept: {}\n`;
    expect(await mistake(text, { args: ['--env', 'stagee'] })).toMatchInlineSnapshot();
  });
});
