import { describe, expect, it } from 'vitest';
import { startHeldService, type HeldService } from '../support/held-service.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import {
  CONFIG,
  CONFIG_AGAIN,
  creates,
  failure,
  finishAgain,
  finishMedium,
  ID,
  makeRequest,
  makeUpstream,
  success,
} from './held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const POST = 'media/hero/kitchen';

interface Case {
  readonly service: HeldService;
  readonly campaign: CampaignFolder;
}

/** A campaign whose post was requested, and which the service has not finished. */
async function pendingPost(): Promise<Case> {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.run(['apply', 'm.yaml', '--no-wait']);
  await makeRequest(service);
  expect(await run).toMatchObject({ code: 3 });
  return { service, campaign };
}

async function skipped(): Promise<Case> {
  const given = await pendingPost();
  expect(await given.campaign.run(['resolve', 'm.yaml', POST, '--skip'])).toMatchObject({ code: 0 });
  return given;
}

/** The post is requested a second time, and finished this time. */
async function buysAnew({ service, campaign }: Case, ...flags: readonly string[]): Promise<void> {
  const run = campaign.run(['apply', 'm.yaml', ...flags]);
  (await service.next('POST /media-config/')).respond(201, CONFIG_AGAIN);
  await finishAgain(service);
  expect(await run).toMatchObject({ code: 0 });
}

describe('a post that the service never finishes', () => {
  it('is given up by --skip: nothing asks for it any more, and nothing calls it done', async () => {
    const given = await pendingPost();
    const { service, campaign } = given;
    expect(await campaign.run(['resolve', 'm.yaml', POST, '--skip'])).toEqual({
      code: 0,
      signal: null,
      stdout: `✓ ${POST}@1 is given up: no run waits for it or fetches it, and it is not requested again until it changes.
  It may have been made. \`campaign apply m.yaml --replace ${POST}\` requests it anew, and then it is made twice.
`,
      stderr: '',
    });
    const { length } = service.seen;
    const plan = await campaign.run(['plan', 'm.yaml', '--detailed-exitcode']);
    expect([plan.code, plan.stdout.split('\n').slice(2)]).toEqual([0, ['No changes.', '']]);
    const apply = await campaign.run(['apply', 'm.yaml']);
    expect([apply.code, apply.stderr]).toEqual([0, '']);
    expect(service.seen).toHaveLength(length);

    const status = await campaign.run(['status', 'm.yaml', '--fail-on', 'missing,failed,pending']);
    expect([status.code, status.stdout.split('\n').slice(1)]).toEqual([
      0,
      ['', '  ✓ hero  0/1  1 given up', '', '0 of 1 posts done, 1 given up.', ''],
    ]);
    expect((await campaign.run(['state', 'list', 'm.yaml'])).stdout).toMatch(
      /\nmedia\/hero\/kitchen +skipped\n$/,
    );
    expect((await campaign.run(['outputs', 'm.yaml'])).stdout).toBe('');
  });

  it('is requested again by --replace, and the plan says so', async () => {
    const given = await skipped();
    const { stdout } = await given.campaign.run(['plan', 'm.yaml', '--replace', POST]);
    expect(stdout.split('\n').slice(2)).toEqual([
      '      media-config/hero@2  one request, 1 post',
      `  -/+ ${POST}`,
      '        asked for with --replace',
      '',
      'Plan: 0 to create, 0 to update, 1 to replace, 0 to delete. 1 post to pay.',
      '',
    ]);
    await buysAnew(given, '--replace', POST);
    expect(creates(given.service).filter((request) => request === 'POST /media-config/')).toHaveLength(2);
    expect(await given.campaign.run(['status', 'm.yaml'])).toMatchObject({
      stdout: expect.stringContaining('✓ hero  1/1\n'),
    });
  });

  it('is requested again once it changes, without a question: there is no picture that it would replace', async () => {
    const given = await skipped();
    await given.campaign.write('m.yaml', SINGLE.replace('4:5', '1:1'));
    const { stdout } = await given.campaign.run(['plan', 'm.yaml']);
    expect(stdout).toContain(
      `    + ${POST}  image 1:1\n        metadata.aspect_ratio: "4:5" → "1:1"  m.yaml:11\n`,
    );
    await buysAnew(given);
  });

  it('can be decided in no other way, and not twice', async () => {
    const { campaign } = await pendingPost();
    const resolve = (...args: string[]) => campaign.run(['resolve', 'm.yaml', ...args]);
    const before = await campaign.read(STATE);
    for (const decision of [['--not-created'], ['--id', ID.media]]) {
      expect(await resolve(POST, ...decision)).toMatchObject({
        code: 64,
        stderr: `error: Nothing to resolve [nothing-to-resolve]
  ${POST} is being generated: it can only be given up with --skip, or requested again.

`,
      });
    }
    expect(await resolve(`${POST}@2`, '--skip')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(`${POST}@2 is not in the state.`),
    });
    expect(await campaign.read(STATE)).toBe(before);
    expect(await resolve(POST, '--skip')).toMatchObject({ code: 0 });
    expect(await resolve(POST, '--skip')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(
        `${POST} is neither unknown, failed nor pending: there is nothing to decide.`,
      ),
    });
  });

  it('is asked about on a terminal, and left alone unless somebody says so', async () => {
    const { service, campaign } = await pendingPost();
    const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
    const ask = (keys: string) =>
      runOnTerminal(
        ['resolve', 'm.yaml', POST],
        { cwd: campaign.folder, env },
        { question: 'What shall it be? [s/q/L/?] ', keys },
      );
    const before = await campaign.read(STATE);
    for (const keys of ['\n', 'l\n']) {
      const { code, screen } = await ask(keys);
      expect(code).toBe(0);
      expect(screen).toMatch(
        /\nmedia\/hero\/kitchen@1 is being generated, requested \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n {2}s {2}skip: give it up\n {2}q {2}quit: ask no more\n {2}l {2}leave it as it is \(default\)\n/,
      );
    }
    expect(await campaign.read(STATE)).toBe(before);
    expect((await ask('s\n')).screen).toContain(`✓ ${POST}@1 is given up: no run waits for it`);
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  });
});

it('an older take that never ends is given up by its own name', async () => {
  const { service, campaign } = await pendingPost();
  await campaign.write('m.yaml', SINGLE.replace('4:5', '1:1'));
  const run = campaign.run(['apply', 'm.yaml', '--yes', '--no-wait']);
  (await service.next('POST /media-config/')).respond(201, CONFIG_AGAIN);
  expect(await run).toMatchObject({ code: 3 });

  expect(await campaign.run(['resolve', 'm.yaml', POST, '--skip'])).toMatchObject({ code: 0 });
  expect(await campaign.run(['resolve', 'm.yaml', POST, '--skip'])).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(`Its take ${POST}@1 is pending: name that one.`),
  });
  expect(await campaign.run(['resolve', 'm.yaml', `${POST}@1`, '--skip'])).toMatchObject({
    code: 0,
    stdout: `✓ ${POST}@1 is given up: no run waits for it or fetches it.\n`,
  });
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
});

describe('a product that the service refuses', () => {
  it('is given up by --skip, and requested again once somebody takes that back', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const first = campaign.run(['apply', 'm.yaml']);
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(400, failure('no such variant'));
    expect(await first).toMatchObject({ code: 1 });
    expect(await campaign.run(['resolve', 'm.yaml', 'product/tote', '--skip'])).toEqual({
      code: 0,
      signal: null,
      stdout: '✓ product/tote is given up: it is not requested again until it changes.\n',
      stderr: '',
    });
    const { length } = service.seen;
    const again = await campaign.run(['apply', 'm.yaml']);
    expect(service.seen.slice(length)).toEqual([]);
    // The post needs it, and cannot be had.
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch(/1 blocked/);
    const undo = await campaign.run(['resolve', 'm.yaml', 'product/tote', '--not-created']);
    expect(undo).toMatchObject({ code: 0 });
    const last = campaign.run(['apply', 'm.yaml']);
    (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
    (await service.next('POST /media-config/')).respond(201, CONFIG);
    await finishMedium(service);
    expect(await last).toMatchObject({ code: 0 });
  });
});
