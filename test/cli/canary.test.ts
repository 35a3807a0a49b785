/**
 * A canary key and the tokens that it buys are on the wire and nowhere else: after each bad day every byte that the
 * command left is searched for them, and what it said, its arguments, and all that a program started by it could see.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadProfile } from '../../src/app/load-profile.ts';
import { type Emulator, type FaultRule, startEmulator } from '../../src/emulator/emulator.ts';
import { realClock } from '../../src/util/clock.ts';
import { holds, placesOf } from '../support/find-secret.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { API_KEY, type CampaignFolder, campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';
import { IS_FULL } from '../sweep/stride.ts';

const KEYS = { plain: API_KEY, awkward: 'cänary "5f1d"%2B+/=&<\'\\\\x' } as const;

/** The awkward key holds every sign that an encoding changes; the plain one has its days in `npm run test:sweep`. */
const DAYS_OF = Object.entries(KEYS).filter(([name]) => IS_FULL || name === 'awkward');

/** The first part of every token of the emulator, those that were never used included. */
const TOKEN_HEAD = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** Tokens that came with a request to a server of this process. */
const tokens = new Set<string>();
const REQUESTS = 'http.server.request.start';
const noteToken = (message: unknown) => {
  const { authorization } = (message as { request: IncomingMessage }).request.headers;
  if (authorization !== undefined) tokens.add(authorization.replace(/^Bearer /, ''));
};
beforeAll(() => subscribe(REQUESTS, noteToken));
afterAll(() => void unsubscribe(REQUESTS, noteToken));

const TOLD = ['--heartbeat', 'beat.json', '--notify', '{ env; cat; } >> notified.txt'];
const APPLY = ['apply', 'm.yaml', '--trace', 'run.har', '--log-level', 'debug', ...TOLD];

interface Rig {
  readonly key: string;
  readonly emulator: Emulator;
  readonly campaign: CampaignFolder;
  readonly env: Readonly<Record<string, string>>;
}

/** A service that knows this key alone, its data elsewhere, and a campaign whose HOME and temporary files are searched. */
async function startDay(key: string, orders: readonly FaultRule[] = [], manifest = SMALL): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-canary-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const behaviour = { apiKey: key, generationMs: { image: 0, carousel: 0, video: 0 } };
  const emulator = await untilTestEnds(
    startEmulator({ dataDir, clock: realClock, random: Math.random, behaviour, orders }),
  );
  const campaign = await campaignFolder(manifest);
  const inside = (name: string) => join(campaign.folder, name);
  await mkdir(inside('home'));
  await mkdir(inside('tmp'));
  await campaign.write('bin/git', gitThatTells(inside('git.txt')));
  await chmod(inside('bin/git'), 0o755);
  const env = {
    CAMPAIGN_BASE_URL: emulator.url,
    CAMPAIGN_API_KEY: key,
    HOME: inside('home'),
    TMPDIR: inside('tmp'),
    COPY_OF_KEY: `Bearer ${key}`,
    PATH: [inside('bin'), process.env['PATH'] ?? ''].join(delimiter),
  };
  return { key, emulator, campaign, env };
}

/** What a program sees that campaign starts: its environment, its arguments, and those of campaign. */
function gitThatTells(file: string): string {
  return `#!/bin/sh\n{ env; echo "$0" "$@"; tr '\\0' ' ' < /proc/$PPID/cmdline; } >> '${file}'\nexit 1\n`;
}

async function expectClean({ key, campaign }: Rig, ends: readonly CliEnd[]): Promise<void> {
  const secrets = [key, TOKEN_HEAD, ...[...tokens].flatMap((token) => token.split('.').slice(1))];
  const texts = {
    stdout: ends.map(({ stdout }) => stdout).join('\n'),
    stderr: ends.map(({ stderr }) => stderr).join('\n'),
  };
  expect(texts.stdout + texts.stderr).not.toBe('\n');
  expect(await placesOf(secrets, { folder: campaign.folder, texts })).toEqual([]);
}

/** Everything that looks at a state and tells of it. */
const READERS = ['status', 'outputs', 'plan', 'history', 'state list', 'state export', 'graph'];

describe.each(DAYS_OF)('a key (%s) and its tokens are nowhere', (_, key) => {
  it('after a good day', async () => {
    const day = await startDay(key);
    const { campaign, env, emulator } = day;
    const ends = [await campaign.runApart(APPLY, env)];
    expect(ends).toMatchObject([{ code: 0 }]);
    for (const reader of READERS) ends.push(await campaign.run([...reader.split(' '), 'm.yaml'], env));
    ends.push(await campaign.run(['state', 'show', 'm.yaml', 'media/hero/kitchen', '--json'], env));
    ends.push(await campaign.run(['apply', 'm.yaml', '--json'], env));
    ends.push(await campaign.run(['doctor', 'm.yaml', '--trace', 'doctor.har'], env));
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    expect(await campaign.read('notified.txt')).toMatch(/^CAMPAIGN_OUTCOME=succeeded$[^]*"exit_code":0/m);
    expect(await campaign.read('git.txt')).toMatch(/LC_ALL=C\n[^]* status [^]*cli\.js apply m\.yaml/);
    expect([...tokens].some((token) => token.startsWith(TOKEN_HEAD))).toBe(true);
    expect(emulator.calls.length).toBeGreaterThan(8);
    await expectClean(day, ends);
  });

  it('after a day on which half of all requests go wrong', async () => {
    const flaky = await loadProfile('flaky');
    const orders = flaky.ok ? flaky.value.orders : [];
    // Silence would only take its time: other tests wait for it.
    const often = orders.filter((order) => order.do.fault !== 'silence');
    const day = await startDay(
      key,
      often.map((order) => ({ ...order, when: { share: 0.02 } })),
    );
    const ends: CliEnd[] = [];
    for (let run = 0; run < 3; run += 1) ends.push(await day.campaign.run(APPLY, day.env));
    await expectClean(day, ends);
  });

  it('after an outage', async () => {
    const day = await startDay(key, [
      { on: '*', when: { from: 4 }, do: { fault: 'status', status: 503, message: `No room for ${key}` } },
    ]);
    const end = await day.campaign.run(APPLY, day.env);
    expect(end.code).not.toBe(0);
    await expectClean(day, [end, await day.campaign.run(['doctor', 'm.yaml'], day.env)]);
  });

  it('when every token is refused', async () => {
    const day = await startDay(key, [
      { on: ['POST /upload-media/', 'POST /concepts/'], do: { fault: 'status', status: 401, message: key } },
    ]);
    const end = await day.campaign.run(APPLY, day.env);
    expect(end.code).toBe(77);
    await expectClean(day, [end]);
  });

  it('when the key is wrong, and the service says so with the key', async () => {
    const message = `Wrong key: ${key}, ${encodeURIComponent(key)}, ${Buffer.from(key).toString('base64')}`;
    const day = await startDay(key, [
      { on: 'POST /get_auth_token', do: { fault: 'status', status: 401, message } },
    ]);
    const ends = [
      await day.campaign.run(APPLY, day.env),
      await day.campaign.run([...APPLY, '--json'], day.env),
      await day.campaign.run(['doctor', 'm.yaml', '--json', '--trace', 'doctor.har'], day.env),
    ];
    expect(ends.map(({ code }) => code)).toEqual([77, 77, 77]);
    expect(ends[0]?.stderr).toContain('Wrong key: [redacted]');
    await expectClean(day, ends);
  });

  it('when generations and creates fail and the service gives the key as the reason', async () => {
    const day = await startDay(key, [
      { on: 'generation', do: { fault: 'generation', how: 'fails', message: `No picture for ${key}.` } },
    ]);
    const end = await day.campaign.run(APPLY, day.env);
    expect(end.code).toBe(1);
    await expectClean(day, [end, await day.campaign.run(['status', 'm.yaml'], day.env)]);
  });

  it('when there is no service', async () => {
    const day = await startDay(key);
    const nowhere = { ...day.env, CAMPAIGN_BASE_URL: 'http://127.0.0.1:9/api' };
    const ends = [
      await day.campaign.run(APPLY, nowhere),
      await day.campaign.run(['doctor', 'm.yaml'], nowhere),
    ];
    expect(ends.map(({ code }) => code)).toEqual([69, 69]);
    expect(await day.campaign.read('beat.json')).toContain('"outcome":"unavailable","exit_code":69');
    await expectClean(day, ends);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)('after %s in the middle', async (signal) => {
    const day = await startDay(key, [{ on: 'generation', do: { fault: 'generation', how: 'stuck' } }]);
    const run = day.campaign.start(APPLY, day.env);
    await run.seen(/media-config\/hero@1.*done/);
    run.process.kill(signal);
    const end = await run.end;
    expect(end.signal).toBe(signal);
    await expectClean(day, [end]);
  });

  it.each(['CAMPAIGN_API_KEY', 'VISUALS_LOGIN'])(
    'after a bug, its crash report included (%s)',
    async (name) => {
      const day = await startDay(key, [], SMALL + NAMED_KEY);
      await day.campaign.write('bug.mjs', BUG);
      const { CAMPAIGN_API_KEY: _, ...env } = day.env;
      const bug = { [name]: key, NODE_OPTIONS: `--import=${join(day.campaign.folder, 'bug.mjs')}` };
      const end = await day.campaign.runApart(APPLY, { ...env, ...bug });
      expect([end.code, end.stderr]).toEqual([70, expect.stringContaining('campaign has a bug [bug]')]);
      const report = (await day.campaign.files()).find((file) => /crash-.*\.json$/.test(file));
      expect(await day.campaign.read(report ?? 'no report')).toContain('[redacted]');
      await expectClean(day, [end]);
    },
  );
});

/** A key under a name that says nothing; CAMPAIGN_BASE_URL leads to the test's service all the same. */
const NAMED_KEY = `service:
  environments: { shop: { base_url: "https://visuals.example.com", api_key_env: VISUALS_LOGIN } }
  default_environment: shop
`;

/** Breaks the process once it sends a token, with an error that tells all it knows. */
const BUG = `import http from 'node:http';
const send = http.request;
http.request = (...args) => {
  const request = send(...args);
  const token = request.getHeader('authorization');
  const key = process.env.CAMPAIGN_API_KEY ?? process.env.VISUALS_LOGIN;
  const told = { key, token };
  if (token) setImmediate(() => { throw new Error(key + ' got ' + token, { cause: new Error(JSON.stringify(told)) }); });
  return request;
};
`;

describe('the search', () => {
  it.each(Object.values(KEYS))('finds %s in every spelling', (key) => {
    const spellings = [
      key,
      encodeURIComponent(key),
      new URLSearchParams({ key }).toString(),
      JSON.stringify({ key }),
      JSON.stringify(JSON.stringify({ key })),
      JSON.stringify(key).replace(/[^ -~]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
      key.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
      Buffer.from(key).toString('hex'),
      ...['', 'a', 'ab', 'abc'].flatMap((before) => [
        Buffer.from(`${before}${key} and more`).toString('base64'),
        `${before}${Buffer.from(`api_key=${key}`).toString('base64url')}`,
      ]),
    ];
    expect(spellings.filter((text) => !holds(Buffer.from(`left ${text} right`), [key]))).toEqual([]);
    expect(holds(Buffer.from('canary-key-5f1e, c%C3%A4nary'), [key])).toBe(false);
  });
});
