/** A budget as a user meets it: plan, apply, question, several manifests, and the clock (docs/budget.md). */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { failure, makeObjects } from './held-answers.ts';
import {
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  SMALL,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const BUDGET = `budget:
  currency: EUR
  prices: { image: 0.10, carousel: 0.30 }
  per_month: { posts: 3, cost: 0.5 }
`;

const THIRD =
  '      - { key: desk, post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: [desk] }\n';
const FOURTH = THIRD.replaceAll('desk', 'shelf');

async function newCampaign(manifest: string) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, campaign: await campaignFolder(manifest, service) };
}

const planOf = async (campaign: CampaignFolder, ...args: string[]) =>
  JSON.parse((await campaign.run(['plan', ...args, '--json'])).stdout) as Record<string, unknown>;

it('plan says what it costs and what does not fit; apply then creates nothing, and fetches what was requested', async () => {
  const { service, campaign } = await newCampaign(SMALL + BUDGET);
  const first = await campaign.run(['apply', 'm.yaml', '--no-wait']);
  expect(first.code).toBe(3);
  expect(first.stdout).toContain(' 2 new posts, 0.40 EUR; this month 0 of 3 posts, 0.00 of 0.50 EUR.\n');
  expect(service.created.configs).toHaveLength(1);

  await campaign.write('m.yaml', SMALL + THIRD + FOURTH + BUDGET);
  const plan = await campaign.run(['plan', 'm.yaml']);
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain(
    '! over budget: 4 posts in this month (2 posts already), and per_month.posts allows 3 posts; apply requests none of them',
  );
  expect(plan.stdout).toContain(
    '2 new posts, 0.20 EUR; this month 2 of 3 posts, 0.40 of 0.50 EUR. 2 pending.\n',
  );

  const over = await campaign.run(['apply', 'm.yaml']);
  expect(over.code).toBe(5);
  expect(over.stderr).toContain('error: Over budget [over-budget]\n  at m.yaml:18:');
  expect(over.stderr).toContain('No post is requested, and nothing is created');
  expect(over.stdout).toContain('4 files downloaded.\n');
  expect(over.stdout).toContain(
    'Posts were not requested because of the budget: `campaign plan m.yaml` says what does not fit.\n',
  );
  expect(service.created.configs).toHaveLength(1);

  const within = await campaign.run(['apply', 'm.yaml', '--within-budget', '--json']);
  const lines = within.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(within.code).toBe(5);
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'diagnostic', code: 'over-budget', line: 18 }),
  );
  expect(lines.at(-1)).toMatchObject({ outcome: 'needs-consent', exit_code: 5, nodes: { created: 1 } });
  expect(service.created.configs).toHaveLength(2);
});

it('only --not-created lowers what is spent: not rm, not a new price, not a compaction', async () => {
  const { campaign } = await newCampaign(SMALL + BUDGET);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
  const forget = ['state', 'rm', 'm.yaml', 'media/*', 'media-config/*', '--yes'];
  expect((await campaign.run(forget)).code).toBe(0);
  await campaign.write('m.yaml', SMALL + BUDGET.replace('0.10', '0.01').replace('0.30', '0.03'));
  expect(await planOf(campaign, 'm.yaml')).toMatchObject({
    cost: 0.04,
    currency: 'EUR',
    budget: {
      month: {
        posts: { spent: 2, limit: 3, exceeded: true },
        cost: { spent: 0.4, limit: 0.5, exceeded: false },
      },
    },
  });

  // A new state takes it over: that of a renamed manifest from the other state, one that is gone from the note beside it.
  const spent = { budget: { month: { posts: { spent: 2 }, cost: { spent: 0.4 } } } };
  const manifest = await campaign.read('m.yaml');
  await rm(join(campaign.folder, 'm.yaml'));
  await campaign.write('renamed.yaml', manifest.replace(/^name: .*/m, 'name: renamed'));
  expect((await campaign.run(['state', 'new', 'renamed.yaml', '--yes'])).code).toBe(0);
  expect(await planOf(campaign, 'renamed.yaml')).toMatchObject(spent);
  await rm(join(campaign.folder, 'renamed.default.state.jsonl'));
  await rm(join(campaign.folder, STATE));
  await campaign.write('m.yaml', manifest);
  expect((await campaign.run(['state', 'new', 'm.yaml', '--yes'])).code).toBe(0);
  expect(await planOf(campaign, 'm.yaml')).toMatchObject(spent);
});

it('manifests of one apply share one limit where they use one account; another key is another account', async () => {
  const { service, campaign } = await newCampaign(SMALL);
  const named = (name: string, budget = '') => SMALL.replace('name: small', `name: ${name}`) + budget;
  await campaign.write('all/a.campaign.yaml', named('a', BUDGET));
  await campaign.write('all/b.campaign.yaml', named('b', BUDGET.replace('posts: 3', 'posts: 100')));
  await campaign.write('all/tote.png', PNG);
  const planned = await campaign.run(['plan', 'all', '--json']);
  const [a, b] = planned.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(a).toMatchObject({
    new_posts: 2,
    budget: { month: { posts: { spent: 0, limit: 3, exceeded: false } } },
  });
  expect(b).toMatchObject({
    new_posts: 2,
    budget: { month: { posts: { spent: 2, limit: 3, exceeded: true } } },
  });

  const applied = await campaign.run(['apply', 'all']);
  expect(applied.code).toBe(5);
  expect(applied.stderr).toContain('per_month.posts of all/a.campaign.yaml allows 3 posts');
  expect(service.created.configs).toHaveLength(1);
  // In the other order, and in a later command, the sum is the same.
  const again = await campaign.run([
    'apply',
    'all/b.campaign.yaml',
    'all/a.campaign.yaml',
    '--within-budget',
  ]);
  expect(again.code).toBe(5);
  expect(service.created.configs).toHaveLength(2);
  // Each alone has what its own log leaves of its own limit.
  expect((await campaign.run(['apply', 'all/b.campaign.yaml'])).code).toBe(0);

  await campaign.write('all/b.campaign.yaml', named('b', BUDGET.replace('EUR', 'USD')));
  const mixed = await campaign.run(['plan', 'all']);
  expect([mixed.code, mixed.stderr]).toEqual([65, expect.stringContaining('[mixed-currencies]')]);
  await campaign.write('all/b.campaign.yaml', named('b'));
  const unpriced = await campaign.run(['plan', 'all']);
  expect([unpriced.code, unpriced.stderr]).toEqual([
    65,
    expect.stringContaining('all/b.campaign.yaml has no price for a post of the type image.'),
  ]);
});

it('two applies of several manifests at once do not spend one budget twice', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  for (const name of ['a', 'b'])
    await campaign.write(
      `all/${name}.campaign.yaml`,
      SINGLE.replace('name: small', `name: ${name}`) + BUDGET,
    );
  await campaign.write('all/tote.png', PNG);
  const first = campaign.start(['apply', 'all/a.campaign.yaml']);
  await makeObjects(service);
  const request = await service.next('POST /media-config/');
  const second = await campaign.runApart(['apply', 'all']);
  expect(second.code).toBe(75);
  expect(second.stderr).toContain(
    'all/a.campaign.yaml, which shares the budget, is in use by `campaign apply`',
  );
  request.respond(500, failure('out of order'));
  expect((await first.end).code).toBe(4);
});

it('a token that is dated in another month ends with 78 before anything is created', async () => {
  const date = new Date(Date.now() - 40 * 24 * 3_600_000).toUTCString();
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, date }));
  const campaign = await campaignFolder(SMALL + BUDGET, service);
  const end = await campaign.run(['apply', 'm.yaml']);
  expect(end.code).toBe(78);
  expect(end.stderr).toContain('This machine and the service are in different months');
  expect(service.created.configs).toEqual([]);
  await campaign.write('m.yaml', SMALL + BUDGET.replace('per_month', 'per_run'));
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
});
