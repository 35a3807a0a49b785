/** docs/reliability.md, scenarios 6, 7 and 34, and errors that nobody foresaw: what they leave behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { CLI } from '../support/run-cli.ts';
import { CONFIG, creates, finishMedium, makeObjects } from './held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

async function isWhole(campaign: CampaignFolder): Promise<boolean> {
  return (await campaign.run(['state', 'check', 'm.yaml'])).code === 0;
}

describe('a bug', () => {
  it('ends with 70, the state intact and a file to attach, without a secret', async () => {
    const { service, campaign } = await heldCampaign();
    // A bug on command.
    await campaign.write(
      'bug.mjs',
      `process.on('SIGUSR2', () => { throw new Error('boom ' + process.env.CAMPAIGN_API_KEY + ' in ' + process.env.HOME); });`,
    );
    await campaign.write('m.yaml', `${SINGLE}variables: { secret: none }\n`);
    const env = { NODE_OPTIONS: '--import ./bug.mjs', HOME: campaign.folder };
    const run = campaign.start([...APPLY, '--var', `secret=${API_KEY}`], env);
    await makeObjects(service);
    const request = await service.next('POST /media-config/');
    run.process.kill('SIGUSR2');
    const { code, stderr } = await run.end;
    expect(code).toBe(70);
    const file = (await campaign.files()).find((name) => name.startsWith('.campaign/crash-')) ?? '';
    const error = stderr.slice(stderr.indexOf('error: '));
    expect(error).toBe(`error: campaign has a bug [bug]
  Error: boom [redacted] in ~
  The state is intact: run again, or update first. Please report it and attach ${join(campaign.folder, file)}; it was written without secrets, but look at it first.

`);
    const text = await campaign.read(file);
    const report = JSON.parse(text) as { command: string[]; error: { stack: string[] }[] };
    expect(report).toMatchObject({
      format_version: '1.0',
      campaign: '0.1.0',
      node: process.version,
      command: ['apply', 'm.yaml', '--var', 'secret=...'],
      error: [{ name: 'Error', message: 'boom [redacted] in ~' }],
    });
    expect(report.error[0]?.stack[0]).toMatch(/^\s+at process\.<anonymous> \(file:\/\/~\/bug\.mjs:1:/);
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(campaign.folder);
    expect((await stat(join(campaign.folder, file))).mode & 0o777).toBe(0o600);

    request.respond(201, CONFIG);
    expect(await isWhole(campaign)).toBe(true);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 4 });
    expect(creates(service)).toHaveLength(3);
    const history = await campaign.run(['history', 'm.yaml']);
    expect(history.stdout).toMatch(/^[^\n]* {2}killed: no end {2}[^\n]*\n {4}apply\n/);
  });
});

describe('a state that is replaced during a run (scenario 7)', () => {
  it('ends it with 74; the ends of what was sent are kept, and the next run takes them in', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.start(APPLY);
    await makeObjects(service);
    const request = await service.next('POST /media-config/');
    const state = await campaign.read(STATE);
    await rename(join(campaign.folder, STATE), join(campaign.folder, 'elsewhere.jsonl'));
    await campaign.write(STATE, state);
    request.respond(201, CONFIG);
    const { code, stdout, stderr } = await run.end;
    expect(code).toBe(74);
    expect(stdout).toMatch(/\nApply incomplete: 3 created, 1 pending\.\n$/);
    const files = await campaign.files();
    const file = files.find((name) => name.startsWith('.campaign/errored-')) ?? '';
    const kept = files.find((name) => name.includes('.replaced-')) ?? '';
    expect(stderr).toContain(`error: The state cannot be written [cannot-write]
  The state cannot be written: ${join(campaign.folder, STATE)} was replaced during the run; as this run wrote it, it is kept in ${join(campaign.folder, kept)}: put that back in its place, then run again. Nothing more was sent. What was under way is kept in ${join(campaign.folder, file)}, and the next run takes it in. Another program did that: git, an editor, a folder that is kept in sync.
`);
    // The same lines stand on standard error, should even that file get lost.
    for (const line of (await campaign.read(file)).trimEnd().split('\n')) expect(stderr).toContain(line);
    expect(await campaign.read(STATE)).toBe(state);

    for (const command of ['plan', 'status']) {
      const looked = await campaign.run([command, 'm.yaml']);
      expect(looked.stderr).toBe(
        `  ! A run could not write all that it did into the state: the rest waits in ${join(campaign.folder, file)}, and the next apply takes it in.\n`,
      );
    }
    const next = campaign.run(APPLY);
    await finishMedium(service);
    const end = await next;
    expect(end.code).toBe(0);
    expect(end.stderr).toContain(
      `  ! What an earlier run could not write into the state was taken in from ${join(campaign.folder, file)}.\n`,
    );
    expect(creates(service)).toHaveLength(3);
    expect(await isWhole(campaign)).toBe(true);
    const history = await campaign.run(['history', 'm.yaml', '--json']);
    expect(JSON.parse(history.stdout)).toMatchObject([
      { exit_code: 74, outcome: 'error', nodes: { created: 3, pending: 1 } },
      { exit_code: 0 },
    ]);
  });
});

describe('a folder that cannot be written (scenario 7)', () => {
  it('ends apply with 74 before anything is sent; plan needs nothing of it', async () => {
    const service = await untilTestEnds(startBareService());
    const campaign = await campaignFolder(SINGLE, service);
    await chmod(campaign.folder, 0o555);
    // Root may write anywhere: somebody else is sent.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const run = async (command: string) => {
      const child = spawn(process.execPath, [CLI, command, 'm.yaml'], {
        cwd: campaign.folder,
        env: { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY },
        ...nobody,
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.stdout.resume();
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stderr };
    };
    const { code, stderr } = await run('apply');
    expect(code).toBe(74);
    expect(stderr).toBe(`error: The state cannot be written [state-unwritable]
  ${join(campaign.folder, STATE)}: EACCES: permission denied, mkdir '${join(campaign.folder, '.campaign')}'. Check the folder, its owner and the free space, or name another file with --state.

`);
    expect(await run('plan')).toEqual({ code: 0, stderr: '' });
    expect(service.requests).toEqual([]);
  });
});

describe('cron (scenario 34)', () => {
  it('with no HOME, no terminal, an empty PATH, umask 000 and / as its folder', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const manifest = join(campaign.folder, 'm.yaml');
    const script =
      'umask 000; cd /; exec env -i PATH= CAMPAIGN_BASE_URL="$1" CAMPAIGN_API_KEY="$2" "$3" "$4" apply "$5" </dev/null';
    const cron = async () => {
      const child = spawn('sh', ['-c', script, 'sh', service.url, API_KEY, process.execPath, CLI, manifest], {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
      }
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, text };
    };
    const first = await cron();
    expect(first.text).toContain('\nApply complete: 4 created, 1 file downloaded.\n');
    expect(first.code).toBe(0);
    const second = await cron();
    expect(second.text).toMatch(/\nNo changes\.\n$/);
    const mode = async (name: string) => (await stat(join(campaign.folder, name))).mode & 0o777;
    expect(await mode(STATE)).toBe(0o600);
    expect(await mode('.campaign')).toBe(0o700);
    expect(await mode(`.campaign/${STATE}.lock`)).toBe(0o600);
    expect(await readFile(join(campaign.folder, '.campaign/.gitignore'), 'utf8')).toBe('*\n');
    expect(await isWhole(campaign)).toBe(true);
  });
});
