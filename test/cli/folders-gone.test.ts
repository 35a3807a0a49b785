import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, untilTestEnds } from './small-campaign.ts';

const MANIFEST = `version: 1
name: small
product_folders: [photos/*]
concepts:
  morning: {}
`;

describe('product folders that are gone', () => {
  it('are refused where they are most of the known ones, as an unmounted disk would be', async () => {
    const service = await untilTestEnds(startBareService({}));
    const campaign = await campaignFolder(MANIFEST, service);
    for (const key of ['cap', 'mug', 'tote']) {
      // Another content each: the end of a PNG may be followed by anything.
      await campaign.write(`photos/${key}/1.png`, Buffer.concat([PNG, Buffer.from(key)]));
    }
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    const sent = service.requests.length;

    await rm(join(campaign.folder, 'photos/cap'), { recursive: true });
    const one = await campaign.run(['plan', 'm.yaml']);
    expect(one.stdout).toContain('product/cap left alone: the manifest no longer names it');

    await rm(join(campaign.folder, 'photos/mug'), { recursive: true });
    const two = await campaign.run(['apply', 'm.yaml']);
    expect(two).toMatchObject({ code: 65 });
    expect(two.stderr).toBe(
      `error: Most products are gone [folders-gone]
  2 of 3 known products are not there any more (product/cap, product/mug), and products come from photos/*. Is a disk missing, or a table cut? If you mean it, say --yes.

`,
    );
    expect(await campaign.run(['plan', 'm.yaml'])).toMatchObject({ code: 65 });
    const meant = await campaign.run(['apply', 'm.yaml', '--yes']);
    expect(meant).toMatchObject({ code: 0 });
    expect(meant.stdout).toContain('product/mug left alone');
    expect(service.requests.length).toBe(sent);
  });

  it('count only since the last apply, as products of a feed leave one by one', async () => {
    const service = await untilTestEnds(startBareService({}));
    const campaign = await campaignFolder(MANIFEST, service);
    const keys = ['cap', 'mug', 'tote', 'bag', 'hat', 'pen'];
    const put = (key: string) =>
      campaign.write(`photos/${key}/1.png`, Buffer.concat([PNG, Buffer.from(key)]));
    for (const key of keys.slice(0, 3)) await put(key);
    for (const [night, next] of keys.slice(3).entries()) {
      expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
      await rm(join(campaign.folder, `photos/${keys[night]}`), { recursive: true });
      await put(next);
    }
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  });
});
