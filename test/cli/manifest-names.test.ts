import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaignFolder, SMALL } from './small-campaign.ts';

describe('campaign.yml', () => {
  it('is named where nothing else is there', async () => {
    const campaign = await campaignFolder(SMALL);
    await rename(join(campaign.folder, 'm.yaml'), join(campaign.folder, 'campaign.yml'));
    for (const command of ['validate', 'plan', 'apply', 'status', 'outputs'])
      expect(await campaign.run([command])).toMatchObject({
        code: 65,
        stderr:
          'error: No such manifest [no-manifest]\n  campaign.yaml does not exist, but campaign.yml does. Rename it, or name it.\n\n',
      });
    for (const command of ['history', 'graph'])
      expect(await campaign.run([command])).toMatchObject({
        code: 65,
        stderr:
          'error: File cannot be read [cannot-read]\n  campaign.yaml: There is no such file, but there is campaign.yml. Rename it, or name it.\n\n',
      });
    expect((await campaign.run(['validate', '.'])).stderr).toBe(
      'error: No manifest in the folder [no-manifest]\n  . holds no campaign.yaml and no *.campaign.yaml, but campaign.yml. Rename it, or name it.\n\n',
    );
    expect(await campaign.run(['validate', 'campaign.yml'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('beside campaign.yaml is told, as their states would be one', async () => {
    const campaign = await campaignFolder(SMALL);
    await campaign.write('m.yml', SMALL);
    const warning = (one: string, other: string) =>
      `warning: Two manifests of one name [two-spellings]\n  ${other} lies beside ${one}, and only ${one} was read. Their states would be one file: keep one of the two, or give one another name.\n\n`;
    expect(await campaign.run(['validate', 'm.yaml'])).toMatchObject({
      code: 0,
      stderr: warning('m.yaml', 'm.yml'),
    });
    expect(await campaign.run(['validate', 'm.yml'])).toMatchObject({
      code: 0,
      stderr: warning('m.yml', 'm.yaml'),
    });
    await rm(join(campaign.folder, 'm.yml'));
    expect(await campaign.run(['validate', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
  });
});

it('a pointer of Git LFS in the place of a photo is named as one', async () => {
  const campaign = await campaignFolder(SMALL);
  await campaign.write(
    'tote.png',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`,
  );
  expect(await campaign.run(['validate', 'm.yaml'])).toEqual({
    code: 65,
    signal: null,
    stdout: '',
    stderr: `error: Photo was not fetched from Git LFS [lfs-pointer]
  at m.yaml:4:20
    |
  4 |   tote: { images: [tote.png] }
    |                    ^^^^^^^^
  "tote.png" is a Git LFS pointer: the photo itself was not fetched. Run \`git lfs pull\` where the manifest lies (after \`git lfs install\`, should git not know it).

`,
  });
});
