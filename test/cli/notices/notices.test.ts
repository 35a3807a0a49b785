/** `--heartbeat` and `--notify`: what they say however a command ends, and that neither changes how it ends. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cleanVariables } from '../../../src/cli/notices/clean-variables.ts';
import { NOTIFY_SECONDS, runNotify } from '../../../src/cli/notices/run-notify.ts';
import { startBareService } from '../../support/bare-service.ts';
import { startHeldService } from '../../support/held-service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { finishMedium, makeObjects, makeRequest, POLL } from '../held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  SMALL,
  untilTestEnds,
} from '../small-campaign.ts';
import { isHeartbeat, isNotification } from './valid.ts';

type Json = Record<string, unknown>;

const BEAT = ['--heartbeat', 'beat.json'];
const TELL = [
  '--notify',
  'cat > told.json; echo "$CAMPAIGN_OUTCOME $CAMPAIGN_CHANGED $CAMPAIGN_SUMMARY" > told.txt',
];
const APPLY = ['apply', 'm.yaml', ...BEAT, ...TELL];

const PRICED = `${SMALL}budget: { currency: EUR, prices: { image: 0.1, carousel: 0.3 } }\n`;

async function beatIn(campaign: CampaignFolder): Promise<Json> {
  const beat = JSON.parse(await campaign.read('beat.json')) as Json;
  expect(isHeartbeat(beat)).toEqual([]);
  return beat;
}

async function toldIn(campaign: CampaignFolder): Promise<Json & { manifests: Json[]; words: string }> {
  const told = JSON.parse(await campaign.read('told.json')) as Json & { manifests: Json[] };
  expect(isNotification(told)).toEqual([]);
  return { ...told, words: await campaign.read('told.txt') };
}

describe('at the end of an apply', () => {
  it('they say what was made and what it cost; without work, that nothing changed', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(PRICED, service);
    expect(await campaign.run(APPLY)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('!') as string,
    });
    const beat = await beatIn(campaign);
    expect(Object.keys(beat)).toEqual([
      'campaign',
      'environment',
      'started_at',
      'finished_at',
      'outcome',
      'exit_code',
      'nodes',
      'cost',
    ]);
    const nodes = expect.objectContaining({ created: 5, downloaded: 4, unchanged: 0 }) as object;
    const end = {
      campaign: 'small',
      environment: 'default',
      outcome: 'succeeded',
      exit_code: 0,
      nodes,
      cost: 0.4,
    };
    expect(beat).toMatchObject(end);
    const told = await toldIn(campaign);
    expect(told).toMatchObject({
      ...end,
      posts_made: 2,
      changed: true,
      text: '2 posts made (small, default)',
    });
    expect(told.manifests).toMatchObject([
      {
        manifest: 'm.yaml',
        currency: 'EUR',
        failures: [],
        problems: [],
        next: expect.stringContaining('The files are in out/small/default') as string,
      },
    ]);
    expect(told.words).toBe('succeeded true 2 posts made (small, default)\n');

    for (const flags of [['--quiet'], ['--json']]) {
      expect(await campaign.run([...APPLY, ...flags])).toMatchObject({ code: 0, stderr: '' });
      expect(await beatIn(campaign)).toMatchObject({
        outcome: 'succeeded',
        nodes: { created: 0, unchanged: 5 },
        cost: 0,
      });
      expect((await toldIn(campaign)).words).toBe('succeeded false nothing changed (small, default)\n');
    }
    expect(await readdir(campaign.folder)).toEqual(
      expect.not.arrayContaining([expect.stringContaining('.tmp')]),
    );
  });

  it('they tell failures by their causes, with every address and its line', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['4:5', '1:1'] }));
    const campaign = await campaignFolder(SMALL, service);
    for (const flags of [[], ['--json']]) {
      expect(await campaign.run([...APPLY, ...flags])).toMatchObject({ code: 1 });
      expect(await beatIn(campaign)).toMatchObject({ outcome: 'failed', nodes: { failed: 2 }, cost: null });
      const { manifests, words } = await toldIn(campaign);
      expect(words).toMatch(/^failed (true 3 created, |false )2 failed \(small, default\)\n$/);
      expect(manifests).toMatchObject([
        {
          failures: [
            {
              code: 'media-failed',
              file: 'm.yaml',
              line: 11,
              addresses: [
                expect.stringMatching(/^media\/hero\/kitchen/),
                expect.stringMatching(/^media\/hero\/tour/),
              ],
            },
          ],
          next: expect.stringContaining('`campaign status m.yaml` says what failed') as string,
        },
      ]);
    }
  });

  it('they are there where nothing could be sent', async () => {
    const campaign = await campaignFolder(SINGLE, { url: 'http://127.0.0.1:9/api' });
    const ends = async (args: readonly string[], expected: Json, words: string) => {
      const { code } = await campaign.run(args);
      expect(await beatIn(campaign)).toMatchObject({ ...expected, exit_code: code });
      expect((await toldIn(campaign)).words).toBe(`${words}\n`);
    };
    await campaign.write('small.default.state.jsonl', 'no state\n');
    const damaged = { campaign: 'small', environment: 'default', outcome: 'error', exit_code: 76 };
    await ends(APPLY, damaged, 'error false error (small, default)');
    await campaign.write('m.yaml', 'version: 1\n');
    const unread = { campaign: null, environment: null, outcome: 'invalid', exit_code: 65 };
    await ends(APPLY, unread, 'invalid false invalid (m.yaml)');
    const { manifests } = await toldIn(campaign);
    expect(manifests).toMatchObject([{ problems: [{ file: 'm.yaml', line: 1 }] }]);
    const known = { ...unread, environment: 'stage' };
    await ends([...APPLY, '--env', 'stage'], known, 'invalid false invalid (stage)');
    await ends(['apply', 'gone.yaml', ...BEAT, ...TELL], unread, 'invalid false invalid (no manifest)');
  });

  it('they sum up several manifests', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    await campaign.write('all/a.campaign.yaml', SINGLE);
    await campaign.write('all/b.campaign.yaml', 'version: 1\n');
    await campaign.write('all/tote.png', PNG);
    expect(await campaign.run(['apply', 'all', ...BEAT, ...TELL])).toMatchObject({ code: 65 });
    expect(await beatIn(campaign)).toMatchObject({
      campaign: null,
      outcome: 'invalid',
      nodes: { created: 4 },
      manifests: [
        { manifest: 'all/a.campaign.yaml', campaign: 'small', outcome: 'succeeded' },
        { manifest: 'all/b.campaign.yaml', campaign: null, outcome: 'invalid' },
      ],
    });
    expect((await toldIn(campaign)).words).toBe('invalid true invalid, 1 post made (2 manifests)\n');
  });
});

describe('a command that is stopped', () => {
  it('in the middle of a run tells that it was, and what is pending', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.start(APPLY);
    await makeRequest(service);
    await service.next(POLL);
    run.process.kill('SIGTERM');
    expect(await run.end).toMatchObject({ signal: 'SIGTERM' });
    expect(await beatIn(campaign)).toMatchObject({
      outcome: 'cancelled',
      exit_code: 143,
      nodes: { pending: 1 },
    });
    expect((await toldIn(campaign)).words).toBe(
      'cancelled true cancelled, 3 created, 1 pending (small, default)\n',
    );

    const waiting = campaign.run(['wait', ...APPLY.slice(1)]);
    await finishMedium(service);
    expect(await waiting).toMatchObject({ code: 0 });
    expect(await beatIn(campaign)).toMatchObject({ outcome: 'succeeded', nodes: { created: 1 } });
    expect((await toldIn(campaign)).words).toBe('succeeded true 1 post made (small, default)\n');
  });

  it('at once by a second signal leaves a heartbeat, and starts nothing that would outlive it', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const run = campaign.start(APPLY);
    await makeObjects(service);
    await service.next('POST /media-config/');
    run.process.kill('SIGINT');
    await run.seen(/Ctrl-C again ends now/);
    run.process.kill('SIGINT');
    expect(await run.end).toMatchObject({ signal: 'SIGINT' });
    expect(await beatIn(campaign)).toMatchObject({ outcome: 'cancelled', nodes: { unknown: 1 } });
    expect(await campaign.files()).not.toContain('told.json');
  });

  it('before it sends anything leaves a heartbeat, and sends nothing', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const key = join(campaign.folder, 'key');
    await promisify(execFile)('mkfifo', [key]);
    const run = campaign.start(APPLY, { CAMPAIGN_API_KEY: '', CAMPAIGN_API_KEY_FILE: 'key' });
    // It can be opened once campaign waits for what comes.
    const pipe = await open(key, 'w');
    run.process.kill('SIGHUP');
    expect(await run.end).toMatchObject({ signal: 'SIGHUP', stderr: '' });
    await pipe.close();
    expect(await beatIn(campaign)).toMatchObject({ outcome: 'cancelled', exit_code: 129 });
    expect(await campaign.files()).not.toContain('told.json');
    expect(service.seen).toEqual([]);
  });
});

describe('--heartbeat', () => {
  it('replaces its own file only; what stands in the way stays, with a warning and the same exit code', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const at = (name: string) => join(campaign.folder, name);
    await mkdir(at('folder'));
    await symlink('target', at('link'));
    await campaign.write('notes.txt', 'mine');
    await promisify(execFile)('mkfifo', [at('pipe')]);
    for (const [file, why] of [
      ['folder', 'it is a folder'],
      ['link', 'it is a symbolic link'],
      ['notes.txt', 'it exists and is no heartbeat of campaign. Name another file'],
      ['m.yaml', 'it exists and is no heartbeat of campaign. Name another file'],
      ['nowhere/beat.json', 'its folder does not exist'],
      ['pipe', 'nobody reads what is written to it'],
      ['/dev/full', 'the disk is full'],
    ] as const) {
      const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--quiet', '--heartbeat', file]);
      expect([code, stderr.split('\n').at(-2)]).toEqual([
        0,
        `  ! --heartbeat: ${file} is not written: ${why}.`,
      ]);
    }
    expect(await campaign.read('notes.txt')).toBe('mine');
    expect((await readdir(campaign.folder)).filter((name) => /tmp|target/.test(name))).toEqual([]);
    // What a killed run with the same number left is no obstacle.
    await campaign.write(`beat.json.${process.pid}.tmp`, 'half a');
    expect(await campaign.run(['apply', 'm.yaml', ...BEAT])).toMatchObject({ code: 0, stderr: '' });
    expect(await beatIn(campaign)).toMatchObject({ outcome: 'succeeded' });
    expect(await campaign.run(['apply', 'm.yaml', '--heartbeat', ''])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('It is empty. Is a variable of the shell not set?') as string,
    });
  });
});

describe('--notify', () => {
  it('shows what the command prints on standard error, and warns where it fails; the exit code stays', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const command = 'echo said; echo "and warned" >&2; exit 3';
    const { code, stdout, stderr } = await campaign.runApart([
      'apply',
      'm.yaml',
      '--json',
      '--notify',
      command,
    ]);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      expect.stringContaining('"run-finished"'),
    ]);
    expect(stderr).toBe('said\nand warned\n  ! --notify: it ended with 3.\n');
    // One that reads nothing, and leaves something running, holds nobody.
    const left = await campaign.runApart([
      'apply',
      'm.yaml',
      '--quiet',
      '--notify',
      'exec 0<&-; sleep 60 > /dev/null 2>&1 & echo $! > pid',
    ]);
    expect(left).toMatchObject({ code: 0, stdout: '', stderr: '' });
    process.kill(Number(await campaign.read('pid')));
  });

  it('ends a command that takes too long, with all that it has started', async () => {
    const campaign = await campaignFolder(SINGLE);
    const alive = join(campaign.folder, 'alive');
    await promisify(execFile)('mkfifo', [alive]);
    const clock = createManualClock();
    const command = `exec 9> '${alive}'; sleep 60 & echo started >&9; wait`;
    const run = runNotify(command, { input: '{}', env: { PATH: process.env['PATH'] ?? '' }, clock });
    // It ends when nobody holds its other end any more.
    const stream = createReadStream(alive);
    const ended = once(stream, 'end');
    await once(stream, 'data');
    await clock.advance(NOTIFY_SECONDS * 1_000);
    expect(await run.end).toBe(`it took longer than ${NOTIFY_SECONDS} s, and was ended`);
    await ended;
    expect(clock.pending).toBe(0);
  });
});

describe('the variables of a command', () => {
  it('are all but those that hold a key', async () => {
    const campaign = await campaignFolder(`service:
  environments:
    production: { base_url: "https://a.example.com", api_key_env: &key VISUALS_KEY }
    stage: { base_url: "https://b.example.com", "api_key_env" : 'STAGE_LOGIN' }
`);
    await campaign.write('key', 'key-in-a-file\n');
    const env = {
      PATH: '/bin',
      VISUALS_KEY: API_KEY,
      STAGE_LOGIN: 'other-key-77',
      STDIN_KEY: 'key-of-another',
      CAMPAIGN_API_KEY: 'third-key-99',
      CAMPAIGN_API_KEY_FILE: join(campaign.folder, 'key'),
      CAMPAIGN_STATE: 'postgres://me:secret@db/states',
      CAMPAIGN_ENV: 'production',
      AUTHORIZATION: `Bearer ${API_KEY}`,
      COPY: 'x key-in-a-file',
      https_proxy: 'http://user:secret@proxy:8080',
      ALL_PROXY: 'user:secret@proxy:8080',
      http_proxy: 'http://proxy:8080',
      SMTP: 'smtp://me:mine@mail.example.com',
      SLACK_TOKEN: 'for-the-command',
    };
    const inputs = ['{"service":{"environments":{"x":{"api_key_env":"STDIN_KEY"}}}}'];
    const kept = await cleanVariables(env, [join(campaign.folder, 'm.yaml')], {
      inputs,
      variables: new Map(),
    });
    expect(Object.keys(kept)).toEqual(['PATH', 'CAMPAIGN_ENV', 'http_proxy', 'SMTP', 'SLACK_TOKEN']);
    const aws = {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIA0001',
      AWS_SECRET_ACCESS_KEY: 'canary0002',
    };
    const cleaned = async (storage: string | undefined) =>
      Object.keys(await cleanVariables(aws, [], { inputs: [], variables: new Map(), storage }));
    expect(await cleaned('s3://bucket')).toEqual(['AWS_REGION']);
    expect(await cleaned('file:///shared')).toEqual(Object.keys(aws));
  });
});
