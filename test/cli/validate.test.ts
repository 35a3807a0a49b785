import { describe, expect, it } from 'vitest';
import { campaignFolder, PNG, SMALL } from './small-campaign.ts';

const BROKEN = `version: 1
name: small
products:
  tote: { images: [tote.png] }
concepts:
  morning: { descripton: Soft light }
posts:
  hero:
    concept: mornin
    items:
      - { post_type: image, products: [tote], aspect_ratio: "4:5" }
`;

describe('campaign validate', () => {
  it('says what a valid manifest holds, without an environment, a request or a trace', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['validate', 'm.yaml'])).toEqual({
      code: 0,
      signal: null,
      stdout: `✓ m.yaml is valid: 1 product, 1 concept, 2 posts.
  Next: \`campaign plan m.yaml --env emulator\` shows what apply would do, and sends nothing.
`,
      stderr: '',
    });
    expect(await campaign.run(['validate', 'm.yaml', '--quiet'])).toMatchObject({ code: 0, stdout: '' });
    expect((await campaign.files()).filter((file) => file.endsWith('.jsonl'))).toEqual([]);
  });

  it('shows every problem with its line, a caret and what was meant', async () => {
    const campaign = await campaignFolder(BROKEN);
    expect(await campaign.run(['validate', 'm.yaml'])).toEqual({
      code: 65,
      signal: null,
      stdout: '',
      stderr: `error: Unknown key [unknown-key]
  at m.yaml:6:14
    |
  6 |   morning: { descripton: Soft light }
    |              ^^^^^^^^^^
  There is no key "descripton" here, and passing over it could hide a mistake. Did you mean "description"?

error: Unknown concept [unknown-concept]
  at m.yaml:9:14
    |
  9 |     concept: mornin
    |              ^^^^^^
  There is no concept "mornin" in this manifest. Did you mean "morning"?

`,
    });
  });

  it('finds them on the disk too, and tells machines where', async () => {
    const campaign = await campaignFolder(
      BROKEN.replace('descripton', 'description').replace('[tote.png]', '[no.png]'),
    );
    const { code, stdout } = await campaign.run(['validate', 'm.yaml', '--json']);
    expect(code).toBe(65);
    const { valid, diagnostics } = JSON.parse(stdout) as { valid: boolean; diagnostics: object[] };
    expect(valid).toBe(false);
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'no-match',
        summary: expect.any(String),
        detail: expect.stringContaining('no.png'),
        file: 'm.yaml',
        line: 4,
        column: 20,
      },
      {
        severity: 'error',
        code: 'unknown-concept',
        summary: expect.any(String),
        detail: expect.stringContaining('Did you mean "morning"?'),
        file: 'm.yaml',
        line: 9,
        column: 14,
      },
    ]);
  });

  it('reads the photos: what claims to be one and is none is an error', async () => {
    const campaign = await campaignFolder(SMALL);
    await campaign.write('tote.png', 'not a picture');
    const { code, stderr } = await campaign.run(['validate', 'm.yaml']);
    expect(code).toBe(65);
    expect(stderr).toMatch(/^error: .* \[not-an-image\]\n {2}at m\.yaml:4:20\n/);
  });

  it('answers machines with one line for each manifest', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['validate', 'm.yaml', '--json'])).toEqual({
      code: 0,
      signal: null,
      stdout: '{"valid":true,"diagnostics":[],"manifest":"m.yaml","campaign":"small"}\n',
      stderr: '',
    });
    const { code, stdout } = await campaign.run(['validate', 'nowhere.yaml', '--json']);
    expect(code).toBe(65);
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      diagnostics: [
        {
          severity: 'error',
          code: 'no-manifest',
          summary: 'No such manifest',
          detail: 'nowhere.yaml does not exist. Name a manifest, or run campaign where a campaign.yaml is.',
        },
      ],
    });
  });

  it('takes several manifests and folders; left out it is ./campaign.yaml', async () => {
    const campaign = await campaignFolder(SMALL);
    for (const file of ['all/campaign.yaml', 'all/deep/spring.campaign.yaml', 'all/deep/other.yaml']) {
      await campaign.write(file, SMALL);
    }
    await campaign.write('all/tote.png', PNG);
    await campaign.write('all/deep/tote.png', PNG);
    const { code, stdout } = await campaign.run(['validate', 'm.yaml', 'all']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      ['m.yaml', 'all/campaign.yaml', 'all/deep/spring.campaign.yaml']
        .map((file) => `✓ ${file} is valid: 1 product, 1 concept, 2 posts.\n`)
        .join('')
        .concat('\n3 manifests: 3 succeeded.\n'),
    );

    await campaign.write('campaign.yaml', SMALL);
    expect((await campaign.run(['validate'])).stdout).toMatch(/^✓ campaign\.yaml is valid/);
    await campaign.write('empty/readme.md', '');
    const empty = await campaign.run(['validate', 'empty']);
    expect(empty.code).toBe(65);
    expect(empty.stderr).toContain('empty holds no campaign.yaml and no *.campaign.yaml.');
  });
});
