import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

async function appliedCampaign() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
  return { service, campaign };
}

/** Most systems have a second file system there. */
const MEMORY = '/dev/shm';
const isOtherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

describe('a state under another name', () => {
  it('stops a wait that would see none of its pending posts', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    expect((await campaign.run(['apply', 'm.yaml', '--no-wait'])).code).toBe(3);
    await rm(join(campaign.folder, 'm.yaml'));
    await campaign.write('summer.yaml', SINGLE.replace('name: small', 'name: summer'));
    expect((await campaign.run(['wait', 'summer.yaml'])).code).toBe(76);
    expect((await campaign.run(['state', 'use', 'summer.yaml', STATE, '--yes'])).code).toBe(0);
    expect((await campaign.run(['wait', 'summer.yaml'])).code).toBe(0);
    expect((await campaign.run(['outputs', 'summer.yaml', '--verify'])).stdout).toBe(
      '1 file: 1 as recorded.\n',
    );
  });

  it('never takes the place of another one', async () => {
    const { campaign } = await appliedCampaign();
    await campaign.write('other.jsonl', await campaign.read(STATE));
    const { code, stderr } = await campaign.run(['state', 'use', 'm.yaml', 'other.jsonl', '--yes']);
    expect([code, stderr.split('\n')[0]]).toEqual([64, 'error: There is a state [state-exists]']);
    expect(await campaign.files()).toContain('other.jsonl');
  });

  it.skipIf(!isOtherDisk)('is taken from another disk once it was moved to this one', async () => {
    const { campaign } = await appliedCampaign();
    const elsewhere = await mkdtemp(join(MEMORY, 'campaign-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    const log = await campaign.read(STATE);
    const file = join(elsewhere, 'mine.state.jsonl');
    await writeFile(file, log);
    await rm(join(campaign.folder, STATE));
    await rm(join(campaign.folder, 'm.yaml'));
    await campaign.write('n.yaml', SINGLE.replace('name: small', 'name: summer'));
    const use = (from: string) => campaign.run(['state', 'use', 'n.yaml', from, '--yes']);
    expect(await use(file)).toMatchObject({
      code: 74,
      stderr:
        'error: The state lies on another disk [other-disk]\n' +
        `  ${file} lies on another file system than ${campaign.folder}, so it cannot get its new name in one step. Nothing was ` +
        'changed. Move it to that folder first, with `mv` and under any name, then use that file; or leave it there ' +
        'and name it with --state.\n\n',
    });
    expect(await readFile(file, 'utf8')).toBe(log);
    await campaign.write('moved.jsonl', log);
    expect((await use('moved.jsonl')).code).toBe(0);
    expect((await campaign.run(['plan', 'n.yaml'])).stdout).toContain(' 0 new posts.');
  });
});

describe('a command that is refused', () => {
  it('leaves no state behind, so that a plan it refused still holds', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    expect((await campaign.run(['plan', 'm.yaml', '--out', 'p.json'])).code).toBe(0);
    const refusals: readonly (readonly [readonly string[], number])[] = [
      [['apply', 'm.yaml', '--plan', 'p.json', '--replace', 'media/hero/kitchen'], 64],
      [['apply', 'm.yaml', '--only', 'media/none'], 64],
      [['apply', 'm.yaml', '--replace', 'media/none'], 64],
      [['apply', 'm.yaml', '--plan', 'none.json'], 64],
      [['state', 'rm', 'm.yaml', 'media/none', '--yes'], 64],
      [['state', 'accept', 'm.yaml', 'media/none'], 64],
      [['state', 'accept', 'm.yaml'], 0],
      [['state', 'use', 'm.yaml', STATE, '--yes'], 64],
      [['state', 'use', 'm.yaml', 'none.jsonl', '--yes'], 76],
      [['resolve', 'm.yaml', 'product/tote', '--skip'], 64],
    ];
    for (const [args, code] of refusals) {
      const end = await campaign.run(args);
      expect([args, end.code, (await campaign.files()).includes(STATE)]).toEqual([args, code, false]);
    }
    await campaign.write('m.yaml', SINGLE.replace('Soft light', 'Hard light'));
    expect((await campaign.run(['apply', 'm.yaml', '--plan', 'p.json'])).code).not.toBe(0);
    await campaign.write('m.yaml', SINGLE);
    expect((await campaign.run(['apply', 'm.yaml', '--plan', 'p.json'])).code).toBe(0);
    expect(service.created.configs).toHaveLength(1);
  });
});
