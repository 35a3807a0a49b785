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
    expect(stdout).toMatch(/\nApply failed: 2 created, 1 failed, 1 blocked\.\n$/);
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
    expect(stderr).toContain('✗ media/hero/kitchen failed: The generation failed: Status failed: too dark');

    const { length } = service.seen;
    const second = await campaign.run(APPLY);
    expect(second).toMatchObject({ code: 1, stderr: '' });
    expect(second.stdout).toMatch(
      /\n {4}! media\/hero\/kitchen failed: The generation failed\. Status failed: too dark\n\nNo changes; 1 failed\.\n$/,
    );
    expect(service.seen).toHaveLength(length);
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
    expect(end.stdout).toMatch(/\nApply incomplete: 3 created, 1 unknown\.\n$/);
    expect(end.stderr).toContain('✗ media-config/hero@1 unknown: The service did not answer');

    const state = await campaign.read(STATE);
    const second = await campaign.run(APPLY);
    expect(second.code).toBe(4);
    expect(second.stdout).toMatch(
      /\n {8}decide: campaign resolve MANIFEST media-config\/hero@1 --id UUID \| --not-created \| --skip\n\nNo changes; 1 unknown\.\n$/,
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
    expect(stdout).toMatch(/\nApply incomplete: 2 created, 1 blocked, 1 unknown\.\n$/);
  });
});

describe('stopping', () => {
  it('on SIGINT while a post is pending ends cleanly with 130; the next run finishes it', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.start(APPLY);
    await makeRequest(service);
    await service.next(POLL);
    first.process.kill('SIGINT');
    const { code, stdout } = await first.end;
    expect(code).toBe(130);
    expect(stdout).toMatch(/\nApply stopped: 3 created, 1 pending\.\n$/);

    const before = creates(service);
    const second = campaign.run(APPLY);
    await finishMedium(service);
    expect(await second).toMatchObject({ code: 0 });
    expect(creates(service)).toEqual(before);
    expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
  });

  it('on SIGTERM awaits the create that was sent', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.start(APPLY);
    await makeObjects(service);
    const create = await service.next('POST /media-config/');
    run.process.kill('SIGTERM');
    await run.seen(/^SIGTERM: no new work/);
    create.respond(201, CONFIG);
    expect(await run.end).toMatchObject({ code: 143 });
    const { stdout } = await campaign.run(['state', 'list', 'm.yaml', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({
      address: 'media-config/hero@1',
      kind: 'media-config',
      status: 'done',
      id: ID.config,
    });
  });

  it('on a second SIGINT ends at once; what was sent is unknown', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.start(APPLY);
    await makeObjects(service);
    await service.next('POST /media-config/');
    run.process.kill('SIGINT');
    await run.seen(/^SIGINT: no new work/);
    run.process.kill('SIGINT');
    const { code, stdout } = await run.end;
    expect(code).toBe(130);
    expect(stdout).toMatch(/\nApply stopped: 3 created, 1 unknown\.\n$/);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 4 });
  });

  it('with --no-wait after the requests, with --deadline after a time: 3, and the next run goes on', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run([...APPLY, '--no-wait']);
    await makeRequest(service);
    const { code, stdout } = await first;
    expect(code).toBe(3);
    expect(stdout).toMatch(/\nApply incomplete: 3 created, 1 pending\.\n$/);
    expect(service.seen).not.toContain(POLL);

    const second = campaign.run([...APPLY, '--deadline', '300ms']);
    await service.next(POLL);
    expect(await second).toMatchObject({ code: 3 });

    const third = campaign.run(APPLY);
    await finishMedium(service);
    expect(await third).toMatchObject({ code: 0 });
    expect(creates(service).filter((request) => request === 'POST /media-config/')).toHaveLength(1);
  });
});

describe('a reader that goes away', () => {
  it('does not end the run (| head -1)', async () => {
    const { service, campaign } = await heldCampaign();
    const run = campaign.start([...APPLY, '--json']);
    await run.seen(/"version"/);
    run.process.stdout?.destroy();
    run.process.stderr?.destroy();
    await makeRequest(service);
    await finishMedium(service);
    expect(await run.end).toMatchObject({ code: 0, signal: null });
    expect(await campaign.files()).toContain('out/small/default/hero/kitchen-image.png');
  });
});
