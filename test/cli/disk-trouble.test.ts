/** A disk that refuses what comes after the work: what was done is counted and recorded all the same. */
import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { CLI } from '../support/run-cli.ts';
import { CONFIG, creates, finishMedium, makeObjects } from './held-answers.ts';
import { campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml'];
const INDEX = join('out', 'small', 'default', 'index.json');
const LOCK = join('.campaign', `${STATE}.lock`);

async function heldCampaign() {
  const service = await untilTestEnds(startHeldService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
}

type Held = Awaited<ReturnType<typeof heldCampaign>>;

/** Applies; `meddle` happens while the posts are being requested. */
async function applyWith({ service, campaign }: Held, meddle: () => Promise<unknown>) {
  const run = campaign.runApart(APPLY);
  await makeObjects(service);
  const request = await service.next('POST /media-config/');
  await meddle();
  request.respond(201, CONFIG);
  await finishMedium(service);
  return run;
}

describe('an index that cannot be written', () => {
  it('ends with 74, and counts what was done', async () => {
    const held = await heldCampaign();
    const { campaign, service } = held;
    const { code, stdout, stderr } = await applyWith(held, async () => {
      await rm(join(campaign.folder, INDEX));
      await mkdir(join(campaign.folder, INDEX));
    });
    expect(code).toBe(74);
    expect(stdout).toMatch(/\nApply incomplete: 4 created, 1 file downloaded\.\n/);
    expect(stderr).toMatch(
      /\nerror: The output cannot be written \[cannot-write\]\n.+index\.json is a folder in the place of a file of campaign\. What was done before is recorded in the state\. Move away what stands in its place, then run again\.\n\n$/,
    );
    const history = await campaign.run(['history', 'm.yaml', '--json']);
    expect(JSON.parse(history.stdout)).toMatchObject([
      { exit_code: 74, outcome: 'error', nodes: { created: 4, downloaded: 1, pending: 0 } },
    ]);

    // Nothing is left to do but the index, so nothing is recorded.
    const state = await campaign.read(STATE);
    const again = await campaign.run(APPLY);
    expect(again).toMatchObject({
      code: 74,
      stderr: expect.stringContaining('index.json is a folder ') as string,
    });
    expect(await campaign.read(STATE)).toBe(state);
    await rm(join(campaign.folder, INDEX), { recursive: true });
    expect(await campaign.run(APPLY)).toMatchObject({ code: 0, stderr: '' });
    expect(await campaign.files()).toContain(INDEX);
    expect(creates(service)).toHaveLength(3);
  });
});

describe('a state that cannot be closed', () => {
  it('ends with 74, is whole, and hides nothing of the run', async () => {
    const held = await heldCampaign();
    const { campaign } = held;
    const holder = join(campaign.folder, `${LOCK}.json`);
    const { code, stdout, stderr } = await applyWith(held, async () => {
      await rm(holder);
      await mkdir(holder);
    });
    expect(code).toBe(74);
    expect(stdout).toMatch(/\nApply complete: 4 created, 1 file downloaded\.\n/);
    expect(stderr).toMatch(
      /\nerror: The state could not be closed as it should \[cannot-write\]\n.+\. All that was recorded is in the state, and durable\. .+ Move away what stands in its place, then run again\.\n\n$/,
    );
    await rm(holder, { recursive: true });
    const next = await campaign.run(APPLY);
    expect(next).toMatchObject({ code: 0, stderr: '' });
    expect(next.stdout).toMatch(/\nNo changes\.\n$/);
  });

  it('is no bug where .campaign was deleted meanwhile', async () => {
    const held = await heldCampaign();
    const { campaign } = held;
    const end = await applyWith(held, () => rm(join(campaign.folder, '.campaign'), { recursive: true }));
    expect(end.stdout).toMatch(/\nApply complete: 4 created, 1 file downloaded\.\n/);
    expect(end.code).toBe(0);
    expect((await campaign.run(APPLY)).stdout).toMatch(/\nNo changes\.\n$/);
  });
});

it('no file can be opened any more: that is said, with 74, and is no bug', async () => {
  const command = 'ulimit -n 40; exec "$0" "$@"';
  const args = [process.execPath, CLI, 'apply', '--env', 'emulator', 'none.yaml'];
  const { status, stderr } = spawnSync('sh', ['-c', command, ...args], { encoding: 'utf8' });
  // Node 24 itself keeps fewer files open, so that these are enough.
  if (process.versions.node.startsWith('20.')) expect(status).toBe(74);
  expect(`${status} ${stderr}`).toMatch(
    /^74 error: A file or folder cannot be used .*\n {2}EMFILE: .* Lift the limit of open files|^65 error: No such manifest/,
  );
});
