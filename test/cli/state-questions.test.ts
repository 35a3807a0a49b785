/** Questions of `campaign state …`: nobody waits for the person, and what is done is what was agreed to. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { type Answer, runOnTerminal } from '../support/run-on-terminal.ts';
import { API_KEY, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

async function applied() {
  const service = await untilTestEnds(startBareService({ apiKey: API_KEY, pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const asked = (args: readonly string[], ...answers: readonly Answer[]) =>
    runOnTerminal(['state', ...args], { cwd: campaign.folder, env }, ...answers);
  const edit = async (from: string, to: string) =>
    campaign.write(STATE, (await campaign.read(STATE)).replace(from, to));
  return { service, campaign, asked, edit };
}

const MEANWHILE = '\nThe state has changed meanwhile:\n\n';

it('state rm asks anew about what another run has made meanwhile', async () => {
  const { service, campaign, asked } = await applied();
  const question = 'Forget it? [y/N/?] ';
  const { code, screen } = await asked(
    ['rm', 'm.yaml', 'media/hero/kitchen'],
    {
      question,
      async keys() {
        const again = ['apply', 'm.yaml', '--yes', '--replace', 'media/hero/kitchen'];
        expect(await campaign.run(again)).toMatchObject({ code: 0 });
        return 'y\n';
      },
    },
    { question, keys: 'n\n' },
  );
  expect(code).toBe(5);
  expect(screen).toContain(MEANWHILE);
  expect(service.created.configs).toHaveLength(2);
  expect((await campaign.run(['state', 'show', 'm.yaml', 'media/hero/kitchen'])).code).toBe(0);
});

it('state rebind holds no lock while it asks, and takes a yes for what was shown', async () => {
  const { campaign, asked } = await applied();
  await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: other'));
  const question = 'Rebind it? [y/N/?] ';
  const rebindElsewhere = async () => {
    expect(await campaign.run(['state', 'rebind', 'm.yaml', '--yes'])).toMatchObject({ code: 0 });
    return 'y\n';
  };
  const { code, screen } = await asked(['rebind', 'm.yaml'], { question, keys: rebindElsewhere });
  expect(code).toBe(0);
  expect(screen).toMatch(/\nNothing to rebind: .* is the state of other, /);
});

it('state adopt holds no lock while it asks, and takes nothing that another one has adopted', async () => {
  const { campaign, asked } = await applied();
  await rename(join(campaign.folder, 'm.yaml'), join(campaign.folder, 'n.yaml'));
  const adopt = ['adopt', 'n.yaml', STATE];
  const { code, screen } = await asked(adopt, {
    question: 'Adopt it? [y/N/?] ',
    async keys() {
      expect(await campaign.run(['state', ...adopt, '--yes'])).toMatchObject({ code: 0 });
      return 'y\n';
    },
  });
  expect(code).toBe(76);
  expect(screen).toContain('error: There is no such state [state-vanished]\n');
  expect(await campaign.run(['apply', 'n.yaml'])).toMatchObject({ code: 0, stderr: '' });
});

it('state new begins none where the state was brought back meanwhile', async () => {
  const { campaign, asked } = await applied();
  const [state, aside] = [STATE, 'aside.jsonl'].map((name) => join(campaign.folder, name)) as [
    string,
    string,
  ];
  const known = await campaign.read(STATE);
  await rename(state, aside);
  const { code, screen } = await asked(['new', 'm.yaml'], {
    question: 'Start anew? [y/N/?] ',
    async keys() {
      await rename(aside, state);
      return 'y\n';
    },
  });
  expect(code).toBe(64);
  expect(screen).toContain('error: There is a state [state-exists]\n');
  expect(await campaign.read(STATE)).toBe(known);
});
