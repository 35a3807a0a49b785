import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CampaignFolder, campaignFolder, SINGLE } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml', '--env', 'emulator'];
const PLAN = ['plan', 'm.yaml', '--env', 'emulator'];
const NEW = ['state', 'new', 'm.yaml', '--env', 'emulator'];
const STATE = '.campaign/small.emulator.state.jsonl';
const DATA = '.campaign/small.emulator.data';

const WHY =
  `${DATA} has none of the 4 objects that the state ${STATE} knows: it was deleted, is an older copy, or stayed on ` +
  'another machine. Bring it back, or rehearse from the beginning, which costs nothing: ' +
  '`campaign state new m.yaml --env emulator`.';
const REFUSED = `error: The emulator's data is gone [emulator-data-gone]\n  ${WHY}\n\n`;
const BEGUN = { code: 0, stdout: `✓ ${STATE} starts anew.\n`, stderr: '' };
const COMPLETE = 'Apply complete: 4 created, 1 file downloaded.\n';

/** A campaign that was applied once, to be copied: every test breaks it in another way. */
let applied: CampaignFolder;
const cleanUps: (() => Promise<void>)[] = [];
beforeAll(async () => {
  applied = await campaignFolder(SINGLE, undefined, (cleanUp) => cleanUps.push(cleanUp));
  const { code, stdout } = await applied.run(APPLY);
  expect([code, stdout]).toEqual([0, expect.stringContaining(COMPLETE)]);
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

async function rehearsed(): Promise<CampaignFolder> {
  const campaign = await campaignFolder(SINGLE);
  await cp(applied.folder, campaign.folder, { recursive: true, preserveTimestamps: true });
  return campaign;
}

function remove({ folder }: CampaignFolder, path: string): Promise<void> {
  return rm(join(folder, path), { recursive: true });
}

async function states(campaign: CampaignFolder): Promise<string[]> {
  const files = await campaign.files();
  return files.filter((file) => file.includes('.state.jsonl') && !file.includes('.lock'));
}

describe("the emulator's state", () => {
  it("lies in .campaign/, beside the emulator's data, and goes with it", async () => {
    const campaign = await rehearsed();
    expect(await states(campaign)).toEqual([STATE]);
    await remove(campaign, '.campaign');
    expect((await campaign.run(APPLY)).stdout).toMatch(new RegExp(COMPLETE));
  });

  it('lies where --state says', async () => {
    const campaign = await campaignFolder(SINGLE);
    await mkdir(join(campaign.folder, 'kept'));
    const named = ['--state', 'kept/s.jsonl'];
    expect((await campaign.run([...APPLY, ...named])).code).toBe(0);
    expect(await states(campaign)).toEqual([]);
    expect((await campaign.run([...PLAN, ...named])).stdout).toContain('No changes.');
  });
});

describe("the emulator's data is gone", () => {
  it('a run says so before it does anything, with the way out; then rehearsals work again', async () => {
    const campaign = await rehearsed();
    await remove(campaign, DATA);
    const state = await campaign.read(STATE);
    expect(await campaign.run(APPLY)).toEqual({ code: 76, signal: null, stdout: '', stderr: REFUSED });
    expect(await campaign.run([...APPLY, '--quiet'])).toMatchObject({
      code: 76,
      stdout: '',
      stderr: `small · emulator · m.yaml\n${REFUSED}`,
    });
    const warning = `  ! The emulator's data is gone: ${WHY}\n`;
    expect(await campaign.run(PLAN)).toMatchObject({ code: 0, stderr: warning });
    const doctor = await campaign.run(['doctor', 'm.yaml', '--env', 'emulator', '--json']);
    expect([doctor.code, doctor.stdout]).toEqual([
      76,
      expect.stringContaining(JSON.stringify(WHY).slice(1, -1)),
    ]);
    expect(await campaign.read(STATE)).toBe(state);

    expect(await campaign.run(NEW)).toMatchObject(BEGUN);
    const [aside = ''] = (await states(campaign)).filter((file) => file !== STATE);
    expect(aside).toMatch(/^\.campaign\/small\.emulator\.state\.jsonl\.before-new-/);
    expect(await campaign.read(aside)).toBe(state);
    expect((await campaign.run(APPLY)).stdout).toMatch(new RegExp(COMPLETE));
    expect(await campaign.run(APPLY)).toMatchObject({ code: 0, stderr: '' });
  });

  it('in part is gone too', async () => {
    const campaign = await rehearsed();
    await remove(campaign, `${DATA}/files`);
    const { code, stderr } = await campaign.run(APPLY);
    expect(code).toBe(76);
    expect(stderr).toContain(`${DATA} has 3 of the 4 objects (not upload/`);
  });

  it('is gone as well where it cannot be read', async () => {
    const campaign = await rehearsed();
    await campaign.write(`${DATA}/ledger.jsonl`, 'no ledger\n');
    const { code, stderr } = await campaign.run(APPLY);
    expect([code, stderr]).toEqual([76, expect.stringContaining(`  ${DATA} cannot be read (`)]);
    expect(await campaign.run(NEW)).toMatchObject(BEGUN);
    const kept = (await campaign.files()).find((file) => file.endsWith('ledger.jsonl')) ?? '';
    expect(kept).toMatch(/^\.campaign\/small\.emulator\.data\.before-new-/);
    expect((await campaign.run(APPLY)).stdout).toMatch(new RegExp(COMPLETE));
  });

  it('is not missed by a state that is gone itself', async () => {
    const campaign = await rehearsed();
    await remove(campaign, STATE);
    expect(await campaign.run(NEW)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('the next apply creates everything again. Nothing was changed'),
    });
    expect(await campaign.run([...NEW, '--yes'])).toMatchObject(BEGUN);
    expect((await campaign.run(APPLY)).code).toBe(0);
  });

  it('nothing is looked up there', async () => {
    const campaign = await campaignFolder(SINGLE);
    const order = '{ on: POST /products/, do: { fault: cut, effect: after } }';
    await campaign.write('lost.yaml', `description: An answer is lost.\norders: [${order}]\n`);
    expect((await campaign.run([...APPLY, '--profile', 'lost.yaml'])).code).toBe(4);
    await remove(campaign, DATA);
    const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const resolve = ['resolve', 'm.yaml', 'product/tote', '--env', 'emulator', '--id', id];
    const { code, stderr } = await campaign.run(resolve);
    expect([code, stderr]).toEqual([76, REFUSED.replace('the 4 objects', 'the 2 objects')]);
  });

  it('a state whose data is there is not put aside', async () => {
    const campaign = await rehearsed();
    expect(await campaign.run([...NEW, '--yes'])).toMatchObject({
      code: 64,
      stderr: `error: There is a state [state-exists]\n  ${STATE} is there and knows 4 nodes. To start anew, move it away first.\n\n`,
    });
  });
});
