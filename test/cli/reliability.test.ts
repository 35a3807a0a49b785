import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import {
  CONFIG,
  creates,
  failure,
  FILE,
  finishMedium,
  ID,
  makeObjects,
  makeRequest,
  makeUpstream,
  medium,
  POLL,
  success,
} from './held-answers.ts';
import { API_KEY, campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

describe('a create that the service refuses', () => {
  it('fails the run, and is tried again by the next one', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run(APPLY);
    await makeUpstream(service);
    (await service.next('POST /products/')).respond(400, failure('no such variant'));
    const { code, stdout, stderr } = await first;
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nApply failed: 2 created, 1 failed, 1 blocked\.\n/);
    expect(stderr).toContain(
      '✗ product/tote rejected: The service refused the request: POST /products/: refused (400): no such variant',
    );

    const second = campaign.run(APPLY);
    (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
    (await service.next('POST /media-config/')).respond(201, CONFIG);
    await finishMedium(service);
    expect(await second).toMatchObject({ code: 0 });
    expect(creates(service)).toEqual([
      'POST /concepts/',
      'POST /products/',
      'POST /products/',
      'POST /media-config/',
    ]);
  });
});

describe('a generation that fails', () => {
  it('fails every run until it is dealt with, and is never requested again by itself', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run(APPLY);
    await makeRequest(service);
    (await service.next(POLL)).respond(200, medium('failed', { error_message: 'too dark' }));
    const { code, stderr } = await first;
    expect(code).toBe(1);
    expect(stderr).toContain('✗ media/hero/kitchen failed: too dark');

    const { length } = service.seen;
    const next = campaign.run(APPLY);
    (await service.next(POLL)).respond(200, medium('failed', { error_message: 'too dark' }));
    const second = await next;
    expect(second.code).toBe(1);
    expect(second.stdout).toMatch(
      /\n {4}! media\/hero\/kitchen failed: too dark {2}m\.yaml:11\n\nNo changes; 1 failed, 1 to recheck\.\n/,
    );
    // The token, and one look: nothing is requested.
    expect(service.seen.slice(length)).toEqual(['POST /get_auth_token', POLL]);
  });
});

describe('a create whose answer never came', () => {
  it('is unknown, and is not sent again by the next run', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run(APPLY);
    await makeObjects(service);
    (await service.next('POST /media-config/')).reset();
    const end = await first;
    expect(end.code).toBe(4);
    expect(end.stdout).toMatch(/\nApply incomplete: 3 created, 1 unknown\.\n/);
    expect(end.stderr).toContain('✗ media-config/hero@1 unknown: The service did not answer');

    const state = await campaign.read(STATE);
    const second = await campaign.run(APPLY);
    expect(second.code).toBe(4);
    expect(second.stdout).toMatch(
      /\n {8}decide: `campaign resolve m\.yaml media-config\/hero@1` asks, or takes --id UUID, --not-created or --skip\n\nNo changes; 1 unknown\.\n\nApply incomplete: 3 unchanged, 1 unknown\.\n/,
    );
    expect(creates(service).filter((request) => request === 'POST /media-config/')).toHaveLength(1);
    expect(await campaign.read(STATE)).toBe(state);
  });

  it('is unknown too when its answer is cut in the middle', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.run(APPLY);
    await makeUpstream(service);
    (await service.next('POST /products/')).cut(201, success({ id: ID.product }), 'none');
    const { code, stdout } = await run;
    expect(code).toBe(4);
    expect(stdout).toMatch(/\nApply incomplete: 2 created, 1 blocked, 1 unknown\.\n/);
  });
});

describe('the lock', () => {
  it('keeps a second run out with 75, which says who holds it; --lock-timeout waits', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.start(APPLY);
    await makeRequest(service);
    const poll = await service.next(POLL);

    const second = await campaign.run(APPLY);
    expect(second).toMatchObject({ code: 75, stdout: '' });
    expect(second.stderr).toMatch(/^error: Another run holds the lock \[state-locked\]\n/);
    expect(second.stderr).toContain(`is in use by \`campaign apply\`, process ${first.process.pid} on `);

    const third = campaign.run([...APPLY, '--lock-timeout', '60s']);
    poll.respond(200, medium('success', { media_info: `${service.url}/files/1.png` }));
    (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
    expect(await first.end).toMatchObject({ code: 0 });
    const { code, stdout } = await third;
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nNo changes\.\n$/);
  });
});

describe('a state that is not as it was', () => {
  it('is refused with 76 by every command that reads it, untouched', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    await campaign.run(APPLY);
    const { length } = service.requests;

    const damaged = (await campaign.read(STATE)).replace('"product/tote"', '"product/toto"');
    await campaign.write(STATE, damaged);
    for (const command of ['apply', 'plan', 'status', 'outputs']) {
      const end = await campaign.run([command, 'm.yaml']);
      expect(end).toMatchObject({ code: 76, stdout: '' });
      expect(end.stderr).toMatch(
        /^error: The state is damaged \[state-damaged\]\n {2}\S*small\.default\.state\.jsonl, line \d+ \(byte \d+\): its checksum does not hold/,
      );
    }
    expect(await campaign.read(STATE)).toBe(damaged);

    await rm(join(campaign.folder, STATE));
    for (const command of ['apply', 'plan', 'status', 'outputs']) {
      const end = await campaign.run([command, 'm.yaml']);
      expect(end).toMatchObject({ code: 76, stdout: '' });
      expect(end.stderr).toMatch(/^error: The state is gone \[state-vanished\]\n/);
    }
    expect(await campaign.files()).not.toContain(STATE);
    expect(service.requests).toHaveLength(length);
  });
});

describe('no service', () => {
  it('with a key that it refuses: 77, and its message once', async () => {
    const service = await untilTestEnds(startBareService({ apiKey: 'another one' }));
    const campaign = await campaignFolder(SINGLE, service);
    const { code, stdout, stderr } = await campaign.run([...APPLY, '--quiet']);
    expect(code).toBe(77);
    expect(stdout).toBe(
      'small · default · m.yaml: Apply incomplete: 1 to request, 3 put off.\nThe service refuses the API key: check it and the environment; `campaign doctor m.yaml` tries them.\n\nNext:\n  campaign apply m.yaml  requests 1 post\n',
    );
    // The campaign, and the cause at whichever node met it first.
    expect(stderr).toMatch(
      /^small · default · m\.yaml\n {2}… \S+( \(tote\.png\))? put off: The service refuses the API key: POST \/get_auth_token: authentication was refused \(401\): Invalid API key \(\d+\.\d s\)\n$/,
    );
    expect(service.requests.map(({ path }) => path)).toEqual(['/get_auth_token']);
  });

  it('at all: ends by itself, says so, and leaves nothing unknown', async () => {
    const service = await startBareService();
    await service.close();
    const campaign = await campaignFolder(SINGLE, service);
    const { code, stderr } = await campaign.run([...APPLY, '--quiet']);
    expect(code).toBe(69);
    expect(stderr).toContain(
      'The service could not be reached: POST /get_auth_token: not sent (connection refused, ECONNREFUSED)',
    );
    const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
    expect(JSON.parse(stdout)).not.toContainEqual(expect.objectContaining({ status: 'unknown' }));
  });
});

describe('secrets', () => {
  it('turn up in no output and in no file, even when the service repeats them', async () => {
    const token = 'canary-token-77e0';
    const service = await untilTestEnds(
      startHeldService({ token: () => ({ access_token: token, token_type: 'Bearer', expires_at: 3600 }) }),
    );
    const campaign = await campaignFolder(SINGLE, service);
    const echo = failure(`key ${API_KEY} with Bearer ${token} is not allowed`);
    const outputs: string[] = [];
    for (const flags of [['--json'], ['--log-level', 'debug'], []]) {
      const run = campaign.run([...APPLY, ...flags]);
      if (outputs.length === 0) await makeObjects(service);
      (await service.next('POST /media-config/')).respond(400, echo);
      const { code, stdout, stderr } = await run;
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('refused (400): key ');
      outputs.push(stdout, stderr);
    }
    for (const args of [
      ['plan', 'm.yaml'],
      ['status', 'm.yaml'],
      ['state', 'list', 'm.yaml', '--json'],
    ]) {
      const { stdout, stderr } = await campaign.run(args);
      outputs.push(stdout, stderr);
    }
    for (const file of await campaign.files()) outputs.push(await campaign.read(file));
    for (const text of outputs) {
      expect(text).not.toContain(API_KEY);
      expect(text).not.toContain(token);
    }
  });
});
