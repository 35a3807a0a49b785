import { describe, expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, creates, finishMedium, ID, makeObjects, makeRequest, POLL } from './held-answers.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

describe('stopping', () => {
  it('on SIGINT while a post is pending ends cleanly, by the signal; the next run finishes it', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.start(APPLY);
    await makeRequest(service);
    await service.next(POLL);
    first.process.kill('SIGINT');
    const { code, signal, stdout, stderr } = await first.end;
    expect([code, signal]).toEqual([null, 'SIGINT']);
    expect(stderr).toContain('  ! Stopping: no create or update is under way.\n');
    expect(stdout).toMatch(/\nApply stopped: 3 created, 1 pending\.\n/);

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
    await run.seen(/^ {2}! Stopping: waiting for 1 create or update \(at most 20 s\)\.$/);
    create.respond(201, CONFIG);
    expect(await run.end).toMatchObject({ code: null, signal: 'SIGTERM' });
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
    await run.seen(/Ctrl-C again ends now; what has no answer then needs `campaign resolve`\.$/);
    run.process.kill('SIGINT');
    const { signal, stdout, stderr } = await run.end;
    expect(signal).toBe('SIGINT');
    expect(stderr).toContain('  ! Ending now: 1 create has no answer, and needs `campaign resolve`.\n');
    expect(stdout).toMatch(/\nApply stopped: 3 created, 1 unknown\.\n/);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 4 });
  });

  it('with --no-wait after the requests, with --deadline after a time: 3, and the next run goes on', async () => {
    const { service, campaign } = await heldCampaign();
    const first = campaign.run([...APPLY, '--no-wait']);
    await makeRequest(service);
    const { code, stdout } = await first;
    expect(code).toBe(3);
    expect(stdout).toMatch(/\nApply incomplete: 3 created, 1 pending\.\n/);
    expect(service.seen).not.toContain(POLL);

    const second = campaign.run([...APPLY, '--deadline', '3s']);
    await service.next(POLL);
    expect(await second).toMatchObject({ code: 3 });

    const third = campaign.run(APPLY);
    await finishMedium(service);
    expect(await third).toMatchObject({ code: 0 });
    expect(creates(service).filter((request) => request === 'POST /media-config/')).toHaveLength(1);
  });
});

describe('a reader that goes away (scenario 12)', () => {
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
