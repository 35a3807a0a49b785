/** The one question of `apply` on a terminal, where it would pay for posts that were never requested. */
import { expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { startOnScreen } from '../support/pty.ts';
import { type Answer, runOnTerminal, type TerminalEnd } from '../support/run-on-terminal.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  SMALL,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const QUESTION = 'Request them? [y/N/?] ';
const ASKED = `
2 new posts would be requested, and paid.
  y  request 2 new posts
  n  send nothing (default)
${QUESTION}`;

interface Case {
  readonly service: BareService;
  readonly campaign: CampaignFolder;
  readonly apply: (
    given: {
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly afterwards?: string;
    },
    ...answers: readonly Answer[]
  ) => Promise<TerminalEnd>;
}

async function newCampaign(manifest = SMALL): Promise<Case> {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manifest, service);
  const access = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  return {
    service,
    campaign,
    apply: ({ args = [], env = {}, ...more }, ...answers) =>
      runOnTerminal(
        ['apply', 'm.yaml', ...args],
        { cwd: campaign.folder, env: { ...access, ...env }, ...more },
        ...answers,
      ),
  };
}

it('shows the plan and its number of posts; `y` requests them, and a second apply asks nothing', async () => {
  const { service, apply } = await newCampaign();
  const first = await apply({}, { question: QUESTION, keys: 'y\r' });
  expect(first.code).toBe(0);
  expect(first.screen).toContain(ASKED);
  expect(first.screen.match(/^Plan:/gm)).toHaveLength(1);
  expect(service.created.configs).toHaveLength(1);
  const second = await apply({});
  expect(second.code).toBe(0);
  expect(second.screen).not.toContain('[y/N/?]');
});

it('says what it costs, and does not ask where the budget allows none of it', async () => {
  const budget = 'budget: { currency: EUR, prices: { image: 0.1, carousel: 0.3 }, per_run: { cost: 0.4 } }\n';
  const { campaign, service, apply } = await newCampaign(SMALL + budget);
  const asked = await apply({}, { question: QUESTION, keys: 'n\r' });
  expect(asked.screen).toContain(
    '\n2 new posts would be requested, and paid: 0.40 EUR.\n  y  request 2 new posts (0.40 EUR)\n',
  );
  await campaign.write('m.yaml', SMALL + budget.replace('0.4 }', '0.39 }'));
  const over = await apply({});
  expect(over.code).toBe(5);
  expect(over.screen).toContain('Over budget');
  expect(service.requests).toEqual([]);
});

it.each([
  ['n', 'n\r', 5, 'Nothing was sent.'],
  ['q', 'q\r', 5, 'Nothing was sent.'],
  ['Enter', '\r', 5, 'Nothing was sent.'],
  ['Ctrl-D', '\u0004', 5, 'The input has ended: nothing was sent.'],
  ['Ctrl-C', '\u0003', 130, 'Stopped: nothing was sent.'],
])('%s sends nothing, and leaves no state behind', async (_, keys, code, said) => {
  const { service, campaign, apply } = await newCampaign();
  const end = await apply({}, { question: QUESTION, keys });
  expect(end.code).toBe(code);
  expect(end.screen.trimEnd().split('\n').at(-1)).toBe(said);
  expect(service.requests).toEqual([]);
  expect(await campaign.files()).not.toContain(STATE);
});

it.each([
  ['y', 'y\r', 0, 1],
  ['Ctrl-C', '\u0003', 130, 0],
])('still listens after Ctrl-Z and `fg`: %s', async (_, keys, code, requests) => {
  const { service, apply } = await newCampaign();
  const stopped = { question: QUESTION, keys: '\u001a' };
  const end = await apply({ afterwards: 'fg' }, stopped, { question: QUESTION, keys });
  expect(end.code).toBe(code);
  expect(service.created.configs).toHaveLength(requests);
});

it('asks again for what is no answer: `a` and `l` belong to another question', async () => {
  const { service, apply } = await newCampaign();
  const end = await apply(
    {},
    ...['a', 'l', 'ja'].map((word) => ({ question: QUESTION, keys: `${word}\r` })),
    { question: QUESTION, keys: 'n\r' },
  );
  expect(end.code).toBe(5);
  for (const word of ['a', 'l', 'ja'])
    expect(end.screen).toContain(`"${word}" is none of the answers; ? explains them.\n`);
  expect(service.requests).toEqual([]);
});

it.each<[string, { args?: string[]; env?: Record<string, string> }]>([
  ['with --yes', { args: ['--yes'] }],
  ['with --quiet', { args: ['--quiet'] }],
  ['with --json', { args: ['--json'] }],
  ['where CI is set', { env: { CI: 'true' } }],
  ['at the emulator', { args: ['--env', 'emulator'] }],
])('%s nothing is asked, and the posts are requested', async (_, given) => {
  const { apply } = await newCampaign();
  const { code, screen } = await apply(given);
  expect(code).toBe(0);
  expect(screen).not.toContain('[y/N/?]');
});

it('holds no lock while it asks: what another run has done meanwhile is not requested again', async () => {
  const { service, campaign, apply } = await newCampaign();
  const applyElsewhere = async () => {
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    return 'y\r';
  };
  const end = await apply({}, { question: QUESTION, keys: applyElsewhere });
  expect(end.code).toBe(0);
  expect(end.screen.match(/\[y\/N\/\?\]/g)).toHaveLength(1);
  expect(end.screen).toContain('No changes.');
  expect(service.created.configs).toHaveLength(1);
});

it('asks anew about what is left where another run has done a part of it', async () => {
  const { service, campaign, apply } = await newCampaign();
  const applyPart = async () => {
    const part = await campaign.run(['apply', 'm.yaml', '--only', 'media/hero/tour']);
    expect(part).toMatchObject({ code: 0 });
    return 'y\r';
  };
  const end = await apply(
    {},
    { question: QUESTION, keys: applyPart },
    { question: 'Request it? [y/N/?] ', keys: 'y\r' },
  );
  expect(end.code).toBe(0);
  expect(end.screen).toContain('\nThe state or the manifest has changed meanwhile, and with it the plan:\n');
  expect(end.screen).toContain('\n1 new post would be requested, and paid.\n');
  expect(service.created.configs).toHaveLength(2);
});

it('asks anew where the manifest was edited while the question stood, and requests what it says now', async () => {
  const { service, campaign, apply } = await newCampaign();
  const edit = async () => {
    await campaign.write('m.yaml', SMALL.replace('Soft light', 'Hard light'));
    return 'y\r';
  };
  const end = await apply({}, { question: QUESTION, keys: edit }, { question: QUESTION, keys: 'y\r' });
  expect(end.code).toBe(0);
  expect(end.screen).toContain('\nThe state or the manifest has changed meanwhile, and with it the plan:\n');
  expect(service.created.concepts).toMatchObject([{ description: 'Hard light' }]);
  expect(service.created.configs).toHaveLength(1);
});

it('sends nothing where the manifest was broken while the question stood', async () => {
  const { service, campaign, apply } = await newCampaign();
  const mistake = async () => {
    await campaign.write('m.yaml', SMALL.replace('concepts:', 'concept:'));
    return 'y\r';
  };
  const end = await apply({}, { question: QUESTION, keys: mistake });
  expect(end.code).toBe(65);
  expect(service.requests).toEqual([]);
});

it('reads the manifest anew where another run has applied a newer one', async () => {
  const { service, campaign, apply } = await newCampaign();
  const applyNewer = async () => {
    await campaign.write('m.yaml', SMALL.replace('Soft light', 'Hard light'));
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    return 'y\r';
  };
  const end = await apply({}, { question: QUESTION, keys: applyNewer });
  expect(end.code).toBe(0);
  expect(end.screen).toContain('\nNo changes.\n');
  expect(service.created.configs).toHaveLength(1);
});

it('goes on where the state moved and the plan did not', async () => {
  const { service, campaign, apply } = await newCampaign();
  expect(await campaign.run(['apply', 'm.yaml', '--only', 'product/*'])).toMatchObject({ code: 0 });
  const touch = async () => {
    expect(await campaign.run(['apply', 'm.yaml', '--only', 'upload/*'])).toMatchObject({ code: 0 });
    expect(await campaign.run(['state', 'use', 'm.yaml', STATE, '--yes'])).toMatchObject({ code: 0 });
    return 'y\r';
  };
  const end = await apply({}, { question: QUESTION, keys: touch });
  expect(end.code).toBe(0);
  expect(end.screen.match(/\[y\/N\/\?\]/g)).toHaveLength(1);
  expect(service.created.configs).toHaveLength(1);
});

it('says who holds the lock before it asks', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SMALL, service);
  const holder = campaign.start(['apply', 'm.yaml']);
  await service.next('POST /upload-media/');
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const { code, screen } = await runOnTerminal(['apply', 'm.yaml'], { cwd: campaign.folder, env });
  expect(code).toBe(75);
  expect(screen).not.toContain('[y/N/?]');
  holder.process.kill('SIGKILL');
  await holder.end;
});

it('asks once about new and finished posts: `l` requests the new ones and leaves the others', async () => {
  const { service, campaign, apply } = await newCampaign();
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const edited = SMALL.replace('slow turn', 'quick turn').concat(
    '      - { key: yard, post_type: image, products: [tote], aspect_ratio: "1:1" }\n',
  );
  await campaign.write('m.yaml', edited);
  const end = await apply({}, { question: 'What shall it be? [a/k/l/N/?] ', keys: 'l\r' });
  expect(end.code).toBe(5);
  expect(end.screen).toContain(`
1 new post would be requested, and 1 finished post again; each is paid.
  a  apply: request 1 new post; request 1 finished post again
  k  keep: request 1 new post; keep the present files and accept the edit for good
  l  leave: request 1 new post; leave 1 finished post as it is for now
  n  send nothing (default)
What shall it be? [a/k/l/N/?] `);
  expect(service.created.configs).toHaveLength(2);
});

it('takes nothing for an answer that was typed before it was asked, not even before the command was started', async () => {
  const { service, campaign } = await newCampaign();
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const place = { cwd: campaign.folder, env };
  const asked = (times: number) => new RegExp(`(?:[\\s\\S]*Request them\\?){${times}}`);
  // Whole lines, and one that the next key would have ended.
  const early = startOnScreen(['apply', 'm.yaml'], place, { columns: 80 });
  early.keys('y\ry\ry');
  await early.until(asked(1));
  early.keys('\r');
  expect(await early.end()).toMatch(/Request them\? \[y\/N\/\?\]\s+Nothing was sent\.\s*$/);
  // Of a paste the first line is the answer, and the rest is none to what is asked next.
  const pasted = startOnScreen(['apply', 'm.yaml'], place, { columns: 80 });
  await pasted.until(asked(1));
  pasted.keys('what\ry\ry\r');
  await pasted.until(asked(2));
  pasted.keys('n\r');
  expect(await pasted.end()).toMatch(/Nothing was sent\.\s*$/);
  expect(service.created.configs).toHaveLength(0);
  // Ctrl-C still stops, and what is typed afterwards counts.
  const stopped = startOnScreen(['apply', 'm.yaml'], place, { columns: 80 });
  await stopped.until(asked(1));
  stopped.keys('\u0003');
  expect(await stopped.end()).toMatch(/Stopped: nothing was sent\.\s*$/);
  const meant = startOnScreen(['apply', 'm.yaml'], place, { columns: 80 });
  meant.keys('n\r');
  await meant.until(asked(1));
  meant.keys('y\r');
  expect(await meant.end()).toContain('Apply complete');
  expect(service.created.configs).toHaveLength(1);
});
