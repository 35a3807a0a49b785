/** A new post that may be what another one was: it is held up, and says by what. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { openCampaign, photo } from './edited-campaign.ts';

const manifest = (ratios: string) => `version: 1
name: spring
products:
  mug: { images: [cup.png], description: Stoneware }
concepts:
  morning: { description: "Soft light" }
posts:
  grid:
    matrix: { ratio: ${ratios} }
    concept: morning
    items:
      - { key: front, post_type: image, products: [mug], aspect_ratio: "\${{ matrix.ratio }}" }
`;

let root: string;
let service: BareService;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campaign-held-up-'));
  service = await startBareService({ pendingPolls: 0 });
});
afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

it('is neither a finished post that is left nor unchanged, and is paid for with --yes only', async () => {
  const campaign = openCampaign(join(root, 'formats'), service);
  await campaign.write('cup.png', await photo('cup'));
  await campaign.write('campaign.yaml', manifest('["1:1"]'));
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 1 });
  await campaign.write('campaign.yaml', manifest('["4:5"]'));
  const left = await campaign.apply();
  expect(left).toMatchObject({ code: 5, posts: 0 });
  expect(left.stdout).toContain(`    + media/grid/4x5/front  held up: requesting it as a new post needs --yes
        it may be what media/grid/1x1/front was, which the manifest no longer names
        if it is the same post, write moved: [{ from: media/grid/1x1/front, to: media/grid/4x5/front }]
`);
  expect(left.stdout).toContain(
    'New posts were held up, because they may be earlier ones with another name and nobody has agreed to request them.',
  );
  expect(left.stdout).toContain(`Next:
  campaign apply --yes  requests 1 new post that may be an earlier one
`);
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 1 });
  // Whoever agreed has let go of the first one; it is found again by its content.
  await campaign.write('campaign.yaml', manifest('["4:5", "1:1"]'));
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 0 });
  await campaign.write('campaign.yaml', manifest('["4:5", "1:1", "16:9"]'));
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 1 });
});

it('takes the post along where the manifest says that it is the same', async () => {
  const campaign = openCampaign(join(root, 'stated'), service);
  await campaign.write('cup.png', await photo('cup'));
  await campaign.write('campaign.yaml', manifest('["1:1"]'));
  expect(await campaign.apply()).toMatchObject({ code: 0, posts: 1 });
  const moved = 'moved: [{ from: media/grid/1x1/front, to: media/grid/4x5/front }]\n';
  await campaign.write('campaign.yaml', manifest('["4:5"]') + moved);
  const asked = await campaign.apply();
  expect(asked).toMatchObject({ code: 5, posts: 0 });
  expect(asked.stdout).toContain('left as it is: replacing a finished post needs --yes');
});
