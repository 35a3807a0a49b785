/** A post that an older take is exactly: it is held, and said to be what it is. */
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
  root = await mkdtemp(join(tmpdir(), 'campaign-made-before-'));
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
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 1 });
  await campaign.write('campaign.yaml', manifest('["4:5", "1:1"]'));
  const left = await campaign.apply();
  expect(left).toMatchObject({ code: 5, posts: 0 });
  expect(
    left.stdout,
  ).toContain(`  -/+ media/grid/1x1/front  not made: making again what was made before needs --yes
        it was made before: the older take media/grid/4x5/front@1 is exactly this, and would be made again
`);
  expect(left.stdout).toContain(`Apply incomplete: 4 unchanged.
What was made before was not made again, because nobody has agreed to that.

Next:
  campaign apply --yes  requests 1 post that was made before
`);
  const told = await campaign.run(['apply', '--json']);
  expect(told.stdout).toContain('"unchanged":4');
  expect(told.stdout).toContain(
    '1 post that was made before would be requested again, and nobody has agreed. The rest is done. The same command with --yes requests it."',
  );
  expect(await campaign.apply('--yes')).toMatchObject({ code: 0, posts: 1 });
});
