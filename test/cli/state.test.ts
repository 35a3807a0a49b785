import { readFile, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

interface Applied {
  readonly service: BareService;
  readonly campaign: CampaignFolder;
  readonly state: (...args: readonly string[]) => Promise<CliEnd>;
}

/** A campaign that was applied once. */
async function applied(): Promise<Applied> {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const state = ([command = '', ...args]: readonly string[]) =>
    campaign.run(['state', command, 'm.yaml', ...args]);
  return { service, campaign, state: (...args) => state(args) };
}

/** Of `schemas/`, as everybody else can compile it. */
async function validator(name: string): Promise<ValidateFunction> {
  const file = join(import.meta.dirname, '..', '..', 'schemas', `${name}.schema.json`);
  const ajv = new Ajv2020({ allErrors: true, discriminator: true });
  return ajv.compile(JSON.parse(await readFile(file, 'utf8')) as object);
}

/** Nothing on standard error. */
function said(stdout: string): CliEnd {
  return { code: 0, signal: null, stdout, stderr: '' };
}

function refused(code: number, stderr: string): CliEnd {
  return { code, signal: null, stdout: '', stderr };
}

/** Changes a line of the state and leaves its checksum as it was. */
async function edit(campaign: CampaignFolder, from: string, to: string): Promise<string> {
  const text = await campaign.read(STATE);
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  await campaign.write(STATE, edited);
  return edited;
}

describe('state rm', () => {
  it('forgets a node after a yes; the next apply makes it again', async () => {
    const { service, campaign, state } = await applied();
    const [{ id }] = service.created.concepts as [{ id: string }];
    const before = await campaign.read(STATE);
    expect(await state('rm', 'concept/morning')).toEqual(
      refused(
        5,
        `error: This needs a yes [not-confirmed]
  This takes out of the state: concept/morning (done ${id}). What exists at the service stays there, and files stay where they are; the next apply makes again what the manifest asks for. Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.

`,
      ),
    );
    expect(await campaign.read(STATE)).toBe(before);
    expect(await state('rm', 'concept/morning', '--yes')).toEqual(said('✓ concept/morning forgotten\n'));
    const { stdout } = await campaign.run(['plan', 'm.yaml', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ changes: [{ address: 'concept/morning', action: 'create' }] });
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(service.created.concepts).toHaveLength(2);
  });

  it('asks on a terminal', async () => {
    const { service, campaign } = await applied();
    const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
    const args = ['state', 'rm', 'm.yaml', 'media/*'];
    const place = { cwd: campaign.folder, env };
    const question = 'Forget it? [y/N/?] ';
    const no = await runOnTerminal(args, place, { question, keys: 'n\n' });
    expect(no.code).toBe(5);
    expect(no.screen).toMatch(
      /and pays for the posts\.\n {2}y {2}do it\n {2}n {2}change nothing \(default\)\nForget it\? \[y\/N\/\?\] n\s+Nothing was changed\.\n/,
    );
    expect(await runOnTerminal(args, place, { question, keys: '\u0003' })).toMatchObject({ code: 130 });
    expect(await runOnTerminal(args, place, { question, keys: '\u0004' })).toMatchObject({ code: 5 });
    const yes = await runOnTerminal(args, place, { question, keys: 'y\n' });
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.screen).toContain('✓ media/hero/kitchen forgotten\n');
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    // Under a new number: one address never means two requests.
    expect(service.created.configs).toHaveLength(2);
    const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
    const rows = JSON.parse(stdout) as { address: string }[];
    expect(rows.map(({ address }) => address)).toContain('media-config/hero@2');
  });

  it('keeps a request whose posts would go unseen, and knows no other nodes', async () => {
    const { state } = await applied();
    expect(await state('rm', 'media-config/hero@1', '--yes')).toEqual(
      refused(
        64,
        `error: It cannot be forgotten yet [in-use]
  media-config/hero@1 made posts that the state knows. Name them too: media/hero/kitchen

`,
      ),
    );
    expect(await state('rm', 'product/cap', '--yes')).toMatchObject({ code: 64, stdout: '' });
    const both = await state('rm', 'media*/hero*', '--yes', '--json');
    expect(both).toEqual(said('{"forgotten":["media-config/hero@1","media/hero/kitchen"]}\n'));
    const { stdout } = await state('list', '--json');
    const rows = JSON.parse(stdout) as { kind: string }[];
    expect(rows.map(({ kind }) => kind)).toEqual(['upload', 'product', 'concept']);
  });
});

describe('state check', () => {
  it('says that every line holds, or names the first one that does not', async () => {
    const { campaign, state } = await applied();
    expect(await state('check')).toEqual(
      said(`${STATE}: every line holds. Records: 12; nodes: 4; runs: 1.\n`),
    );
    expect(JSON.parse((await state('check', '--json')).stdout)).toMatchObject({
      valid: true,
      records: 12,
      nodes: 4,
      runs: 1,
    });
    const edited = await edit(campaign, '"product/tote"', '"product/toto"');
    const { code, stdout, stderr } = await state('check');
    expect([code, stdout]).toEqual([76, '']);
    expect(stderr).toMatch(
      /^error: The state is damaged \[state-damaged\]\n {2}\S+small\.default\.state\.jsonl, line \d+ \(byte \d+\): its checksum does not hold: it was changed/,
    );
    const json = await state('check', '--json');
    expect(json).toMatchObject({ code: 76, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: false,
      diagnostics: [{ severity: 'error', code: 'state-damaged' }],
    });
    expect(await campaign.read(STATE)).toBe(edited);
  });

  it('says so where there is none yet', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    expect(await campaign.run(['state', 'check', 'm.yaml'])).toEqual(
      said(`${STATE}: there is no state yet.\n`),
    );
  });
});

it('names a conflict that git left, and the way out', async () => {
  const { campaign, state } = await applied();
  const lines = (await campaign.read(STATE)).split('\n');
  await campaign.write(STATE, [...lines.slice(0, 3), '<<<<<<< HEAD', ...lines.slice(3)].join('\n'));
  const { code, stdout, stderr } = await state('check');
  expect([code, stdout]).toEqual([76, '']);
  expect(stderr).toMatch(
    /, line 4 \(byte \d+\): git left a conflict here: .+ Take one of them whole: `git log --all --full-history -- FILE` lists the commits, `git checkout COMMIT -- FILE` brings one back\./,
  );
});

describe("the state's file", () => {
  it('has lines of the published form only', async () => {
    const { campaign } = await applied();
    const lines = (await campaign.read(STATE)).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 12);
    const validate = await validator('state-record');
    for (const line of lines) expect([line, validate(JSON.parse(line))]).toEqual([line, true]);
  });
});

describe('state export', () => {
  it('is the whole state as one document of the published form', async () => {
    const { service, state } = await applied();
    const { code, stdout, stderr } = await state('export');
    expect([code, stderr]).toEqual([0, '']);
    const document = JSON.parse(stdout) as object;
    const validate = await validator('state-export');
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(document).toMatchObject({
      seq: 12,
      campaign: 'small',
      environment: 'default',
      base_url: service.url,
      objects: [{ status: 'done' }, { status: 'done' }, { status: 'done' }],
      requests: [{ address: 'media-config/hero@1', status: 'done' }],
      media: [{ address: 'media/hero/kitchen', takes: [{ n: 1, status: 'done' }] }],
      learned: { media_path: '/media/{config.id}/{item.id}/' },
      runs: [{ command: 'apply', exit_code: 0 }],
    });
    expect(JSON.parse((await state('export', '--json')).stdout)).toEqual(document);
  });
});

describe('state new', () => {
  it('starts anew where the state is gone, and nowhere else', async () => {
    const { service, campaign, state } = await applied();
    expect(await state('new', '--yes')).toEqual(
      refused(
        64,
        `error: There is a state [state-exists]
  ${STATE} is there and knows 4 nodes. To start anew, move it away first.

`,
      ),
    );
    await rm(join(campaign.folder, STATE));
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 76 });
    expect(await state('new')).toEqual(
      refused(
        5,
        `error: This needs a yes [not-confirmed]
  The state ${STATE} is gone. A new one knows nothing: the next apply creates everything again, and pays for it. Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.

`,
      ),
    );
    expect(await campaign.files()).not.toContain(STATE);
    expect(await state('new', '--yes')).toEqual(said(`✓ ${STATE} starts anew.\n`));
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(service.created.products).toHaveLength(2);
  });

  it('has nothing to do where there never was one', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    expect(await campaign.run(['state', 'new', 'm.yaml'])).toEqual(
      said(`There never was a state at ${STATE}: the first apply begins it.\n`),
    );
  });
});

const OTHER = 'other.default.state.jsonl';

describe('state use', () => {
  it('makes it the state of another campaign, after a yes', async () => {
    const { service, campaign, state } = await applied();
    const place = `default, ${service.url}`;
    expect(await state('use', STATE)).toEqual(
      said(`Nothing to change: ${STATE} is the state of small, ${place}.\n`),
    );
    await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: other'));
    expect(await campaign.run(['plan', 'm.yaml'])).toMatchObject({ code: 76 });
    const [from, to] = [STATE, OTHER].map((name) => join(campaign.folder, name));
    expect(await state('use', STATE)).toEqual(
      refused(
        5,
        `error: This needs a yes [not-confirmed]
  ${from} knows 4 nodes and is the state of small, ${place}. It was last used with the manifest m.yaml. It becomes ${to}, the state of other, ${place}, and its nodes are taken for what exists there. Nothing was changed: there is no terminal to ask on, so say --yes if you mean it.

`,
      ),
    );
    expect(await state('use', STATE, '--yes')).toEqual(
      said(`✓ ${OTHER} is now the state of other, ${place}.\n`),
    );
    const { stdout } = await campaign.run(['plan', 'm.yaml']);
    expect(stdout).toContain('Plan: 0 to create, 0 to update, 0 to replace, 0 to delete. 0 new posts.');
    await campaign.write('m.yaml', SINGLE);
    expect(await campaign.run(['plan', 'm.yaml'])).toMatchObject({ code: 76 });
  });

  it('is the way out of a wrong base URL, where nothing is known yet: without a question', async () => {
    const service = await startBareService();
    await service.close();
    const campaign = await campaignFolder(SINGLE, service);
    expect(await campaign.run(['apply', 'm.yaml', '--quiet'])).toMatchObject({ code: 69 });
    const right = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const env = { CAMPAIGN_BASE_URL: right.url };
    const refusal = await campaign.run(['apply', 'm.yaml'], env);
    expect(refusal.code).toBe(76);
    expect(refusal.stderr).toContain(
      `It knows no node yet, so nothing is lost: \`campaign state use m.yaml ${join(campaign.folder, STATE)}\` makes it the state of this manifest and environment.`,
    );
    expect(await campaign.run(['state', 'use', 'm.yaml', STATE], env)).toMatchObject({ code: 0 });
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
  });
});

describe('history', () => {
  it('lists the runs: when, who, what changed, how they ended', async () => {
    const { campaign, state } = await applied();
    await state('rm', 'concept/morning', '--yes');
    expect(await campaign.run(['apply', 'm.yaml'], { GITHUB_ACTIONS: 'true' })).toMatchObject({ code: 0 });
    // A run without work leaves no trace.
    await campaign.run(['apply', 'm.yaml']);
    const who = `${userInfo().username}@${hostname()}`;
    const { stdout } = await campaign.run(['history', 'm.yaml']);
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(cells).toEqual([
      [RUN_ID, TIME, 'succeeded', SECONDS, who],
      ['', 'apply: 4 created, 1 file downloaded'],
      [RUN_ID, TIME, 'succeeded', SECONDS, who],
      ['', 'state rm concept/morning: concept/morning forgotten'],
      [RUN_ID, TIME, 'succeeded', SECONDS, `${who} (github-actions)`],
      ['', 'apply: 1 created'],
    ]);
    const json = JSON.parse((await campaign.run(['history', 'm.yaml', '--json'])).stdout) as unknown[];
    expect(json).toHaveLength(3);
    expect(json[1]).toMatchObject({
      decided: { count: 1, first: [{ decision: 'forgotten', address: 'concept/morning' }] },
    });
    expect(json[2]).toMatchObject({
      command: 'apply',
      by: who,
      ci: 'github-actions',
      outcome: 'succeeded',
      exit_code: 0,
      nodes: { created: 1 },
    });
    const last = async (n: string) =>
      JSON.parse((await campaign.run(['history', 'm.yaml', '-n', n, '--json'])).stdout) as unknown[];
    expect([await last('2'), await last('9')]).toEqual([json.slice(1), json]);
    expect((await campaign.run(['history', 'm.yaml', '-n', '1'])).stdout.split('\n')).toHaveLength(3);
    expect((await campaign.run(['history', 'm.yaml', '-n', '0'])).code).toBe(64);
    const [{ run }] = json as [{ run: string }];
    const one = await campaign.run(['history', 'm.yaml', run.slice(0, 6)]);
    expect(one.stdout.split('\n').slice(1)).toEqual([
      '    apply: 4 created, 1 file downloaded',
      expect.stringMatching(/^ {4}campaign \S+, m\.yaml$/),
      expect.stringMatching(/^ {4}Of [\d.]+ m?s, /),
      '',
      'POST PLAN  REQUESTED  FINISHED  FAILED  FILES',
      'hero       1          1         0       1',
      '',
    ]);
    const detail = JSON.parse((await campaign.run(['history', 'm.yaml', run, '--json'])).stdout) as object;
    const posts = [{ post: 'hero', requested: 1, finished: 1, failed: 0, files: 1 }];
    expect(detail).toMatchObject({ run, complete: true, posts, cost: null, sent_again: 0, errors: [] });
    const { ms, ...parts } = (detail as { time: Record<string, number> }).time;
    expect(Object.keys(parts).toSorted()).toEqual([
      'downloading',
      'generating',
      'other',
      'sending',
      'waiting',
    ]);
    expect(Object.values(parts).reduce((sum, each) => sum + each, 0)).toBe(ms);
    const unknown = await campaign.run(['history', 'm.yaml', 'ffffffffff']);
    expect(unknown).toMatchObject({ code: 64, stderr: expect.stringContaining('unknown-run') as string });
  });

  it('is empty before the first run', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    expect(await campaign.run(['history', 'm.yaml'])).toEqual(said('No run has changed this state yet.\n'));
  });
});

const RUN_ID = expect.stringMatching(/^[0-9a-f]{8}$/) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/) as string;
const SECONDS = expect.stringMatching(/^\d+(\.\d)? s$/) as string;
