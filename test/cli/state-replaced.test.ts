/** A state that is an older copy all at once: by an editor, by git, by a backup. Nothing is bought again for it. */
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { CONFIG, creates, finishMedium, makeObjects } from './held-answers.ts';
import { type CampaignFolder, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];

/** A campaign whose first run was killed once its objects were made; the log as it was then. */
async function begun(): Promise<{ service: HeldService; campaign: CampaignFolder; older: string }> {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.start(APPLY);
  await makeObjects(service);
  await service.next('POST /media-config/');
  const older = (await campaign.read(STATE)).split('\n').slice(0, -2).join('\n');
  run.process.kill('SIGKILL');
  await run.end;
  await campaign.run(['resolve', 'm.yaml', 'media-config/hero@1', '--not-created']);
  return { service, campaign, older: `${older}\n` };
}

async function put(campaign: CampaignFolder, text: string): Promise<void> {
  await writeFile(join(campaign.folder, 'copy'), text);
  await rename(join(campaign.folder, 'copy'), join(campaign.folder, STATE));
}

describe('a state that is replaced by an older copy while a create is under way (scenario 7)', () => {
  it('ends the run with 74; the log is kept and put back, and the create is not sent again', async () => {
    const { service, campaign, older } = await begun();
    const run = campaign.start(APPLY);
    const request = await service.next('POST /media-config/');
    await put(campaign, older);
    request.respond(201, CONFIG);
    expect((await run.end).code).toBe(74);
    const kept = (await campaign.files()).find((name) => name.includes('.replaced-')) ?? '';
    const refused = await campaign.run(APPLY);
    expect(refused.code).toBe(76);
    expect(refused.stderr).toContain('The state is older than before');
    expect(refused.stderr).toContain(
      `A log that goes on from there is kept in ${join(campaign.folder, kept)}.`,
    );
    await copyFile(join(campaign.folder, kept), join(campaign.folder, STATE));
    const next = campaign.run(APPLY);
    await finishMedium(service);
    expect((await next).code).toBe(0);
    expect(creates(service).filter((sent) => sent === 'POST /media-config/')).toHaveLength(2);
  });

  it('and then killed: the next run refuses the copy', async () => {
    const { service, campaign, older } = await begun();
    const run = campaign.start(APPLY);
    await service.next('POST /media-config/');
    await put(campaign, older);
    run.process.kill('SIGKILL');
    await run.end;
    expect(await campaign.run(APPLY)).toMatchObject({ code: 76 });
    expect(creates(service).filter((sent) => sent === 'POST /media-config/')).toHaveLength(2);
  });
});

describe('state use that is declined', () => {
  it('leaves the copy as refused as it was', async () => {
    const { campaign, older } = await begun();
    await put(campaign, older);
    const lock = join('.campaign', `${STATE}.lock`);
    const known = await campaign.read(lock);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 76 });
    expect(await campaign.run(['state', 'use', 'm.yaml', STATE])).toMatchObject({ code: 5 });
    expect(await campaign.read(lock)).toBe(known);
    expect(await campaign.read(STATE)).toBe(older);
    expect(await campaign.run(APPLY)).toMatchObject({ code: 76 });
  });
});
