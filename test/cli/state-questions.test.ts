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

it('state use of the own state holds no lock while it asks, and takes a yes for what was shown', async () => {
  const { campaign, asked } = await applied();
  const env = { CAMPAIGN_BASE_URL: 'http://127.0.0.1:9' };
  expect(await campaign.run(['state', 'use', 'm.yaml', STATE, '--yes'], env)).toMatchObject({ code: 0 });
  const { code, screen } = await asked(['use', 'm.yaml', STATE], {
    question: 'Use it? [y/N/?] ',
    async keys() {
      expect(await campaign.run(['state', 'use', 'm.yaml', STATE, '--yes'])).toMatchObject({ code: 0 });
      return 'y\n';
    },
  });
  expect(code).toBe(0);
  expect(screen).toMatch(/\nNothing to change: .* is the state of small, /);
});

it('state use holds no lock while it asks, and takes nothing that another one has taken', async () => {
  const { campaign, asked } = await applied();
  await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: other'));
  const use = ['use', 'm.yaml', STATE];
  const { code, screen } = await asked(use, {
    question: 'Use it? [y/N/?] ',
    async keys() {
      expect(await campaign.run(['state', ...use, '--yes'])).toMatchObject({ code: 0 });
      return 'y\n';
    },
  });
  expect(code).toBe(64);
  expect(screen).toContain('error: There is a state [state-exists]\n');
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
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
