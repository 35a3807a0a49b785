/** The one question of `apply` on a terminal about several manifests (docs/many-manifests.md). */
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, untilTestEnds } from './small-campaign.ts';

const BUDGET = `budget:
  currency: EUR
  prices: { image: 0.10, carousel: 0.30 }
  per_month: { posts: 100 }
`;

it('asks once, about the plans of all, before the first has its turn', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder('version: 1\n', service);
  const write = (name: string, ratio = '4:5', text = SINGLE) =>
    campaign.write(
      `all/${name}.campaign.yaml`,
      text.replace('name: small', `name: ${name}`).replace('"4:5"', `"${ratio}"`) + BUDGET,
    );
  await campaign.write('all/tote.png', PNG);
  for (const name of ['a', 'b', 'done']) await write(name);
  await campaign.run(['apply', 'all/a.campaign.yaml', 'all/done.campaign.yaml']);
  await write('a', '1:1');
  await campaign.write('all/broken.campaign.yaml', 'version: 1\n');
  const access = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const apply = (keys: string) =>
    runOnTerminal(
      ['apply', 'all'],
      { cwd: campaign.folder, env: access },
      { question: 'What shall it be? [a/k/l/N/?] ', keys },
    );

  const no = await apply('n\r');
  expect(no.code).toBe(5);
  expect(no.screen).toContain(`
2 of 4 manifests:
  a · default · all/a.campaign.yaml: 1 finished post again, 0.10 EUR
  b · default · all/b.campaign.yaml: 1 new post, 0.10 EUR

1 new post would be requested, and 1 finished post again; each is paid: 0.20 EUR.
  a  apply: request 1 new post (0.10 EUR); request 1 finished post again (0.20 EUR in all)
`);
  expect(no.screen.match(/^Plan: /gm)).toHaveLength(2);
  expect(no.screen).toMatch(/\nNothing was sent\.\n$/);
  expect(service.created.configs).toHaveLength(2);

  const yes = await apply('a\r');
  expect(yes.code).toBe(65);
  expect(yes.screen.match(/What shall it be\?/g)).toHaveLength(1);
  // Each plan was shown once, with the question.
  expect(yes.screen.match(/^Plan: /gm)).toHaveLength(2);
  expect(yes.screen.match(/^[ab] · default · /gm)).toHaveLength(4);
  expect(yes.screen).toContain('4 manifests: 3 succeeded, 1 invalid. 4 created, 1 replaced, ');
  expect(service.created.configs).toHaveLength(4);
});
