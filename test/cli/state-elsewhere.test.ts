import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

async function appliedCampaign() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
  return { service, campaign };
}

/** Most systems have a second file system there. */
const MEMORY = '/dev/shm';
const isOtherDisk = existsSync(MEMORY) && statSync(MEMORY).dev !== statSync(tmpdir()).dev;

const NO_CHANGES = /\nNo changes\.\n$/;

describe('a state under another name', () => {
  it('stops a renamed manifest before it buys anything, and is adopted', async () => {
    const { service, campaign } = await appliedCampaign();
    const path = (name: string) => join(campaign.folder, name);
    await rename(path('m.yaml'), path('spring.yaml'));
    const before = await campaign.files();
    for (const command of [
      ['plan'],
      ['status'],
      ['apply'],
      ['state', 'accept'],
      ['state', 'rebind', '--yes'],
    ]) {
      const { code, stdout, stderr } = await campaign.run([...command, 'spring.yaml']);
      expect([command, code, stdout]).toEqual([command, 76, '']);
      expect(stderr).toContain('error: The state of this campaign has another name [state-elsewhere]\n');
      expect(stderr).toContain(`\`campaign state adopt spring.yaml ${path(STATE)}\``);
      expect(stderr).toContain('`campaign state new spring.yaml`');
    }
    const asked = await campaign.run(['state', 'adopt', 'spring.yaml', STATE]);
    expect([asked.code, asked.stdout]).toEqual([5, '']);
    expect((await campaign.files()).filter((name) => !name.endsWith('.lock'))).toEqual(
      before.filter((name) => !name.endsWith('.lock')),
    );
    const [decisions, later] = ['m.default.decisions.yaml', 'spring.default.decisions.yaml'];
    await campaign.write(decisions, 'version: 1\ndecisions: []\n');
    await campaign.write(later, 'version: 1\ndecisions: []\n');
    const two = await campaign.run(['state', 'adopt', 'spring.yaml', STATE, '--yes']);
    expect([two.code, two.stderr]).toEqual([64, expect.stringContaining('two files of decisions') as string]);
    await rm(path(later));
    const adopted = await campaign.run(['state', 'adopt', 'spring.yaml', STATE, '--yes']);
    expect([adopted.code, adopted.stderr]).toEqual([0, '']);
    const files = await campaign.files();
    expect([files.includes(later), files.includes(decisions)]).toEqual([true, false]);
    expect([files.includes('spring.default.state.jsonl'), files.includes(STATE)]).toEqual([true, false]);
    expect((await campaign.run(['apply', 'spring.yaml'])).stdout).toMatch(NO_CHANGES);
    expect(service.created.configs).toHaveLength(1);
    // The manifest under its old name is now the one that would buy again; once more is once too often.
    await rename(path('spring.yaml'), path('m.yaml'));
    expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(76);
    const again = await campaign.run(['state', 'adopt', 'm.yaml', STATE, '--yes']);
    expect([again.code, again.stderr.split('\n')[0]]).toEqual([
      76,
      'error: There is no such state [state-vanished]',
    ]);
  });

  it('stops a campaign that got another name with its manifest, or a manifest in another folder, and is adopted', async () => {
    const { service, campaign } = await appliedCampaign();
    const path = (name: string) => join(campaign.folder, name);
    // Edited as well: an edit of the concept may have waited for consent for weeks.
    const summer = SINGLE.replace('name: small', 'name: summer').replace('Soft light', 'Hard light');
    await rm(path('m.yaml'));
    await campaign.write('summer.yaml', summer);
    for (const command of ['plan', 'apply']) {
      const { code, stderr } = await campaign.run([command, 'summer.yaml']);
      expect([code, stderr]).toEqual([
        76,
        expect.stringContaining(
          `${STATE} is the state of small, default, ${service.url}: its manifest is not`,
        ) as string,
      ]);
    }
    // A new campaign with its words and other photos.
    await campaign.write('photo.png', Buffer.concat([PNG, Buffer.from('other')]));
    await campaign.write('autumn.yaml', summer.replace('summer', 'autumn').replace('tote.png', 'photo.png'));
    expect((await campaign.run(['plan', 'autumn.yaml'])).stdout).toContain('1 new post.');
    const adopted = await campaign.run(['state', 'adopt', 'summer.yaml', STATE, '--yes']);
    expect([adopted.code, adopted.stderr]).toEqual([0, '']);
    expect((await campaign.run(['apply', 'summer.yaml'])).code).toBe(5);
    await mkdir(path('brand'));
    for (const name of ['summer.yaml', 'tote.png']) await rename(path(name), path(`brand/${name}`));
    expect((await campaign.run(['apply', 'brand/summer.yaml'])).code).toBe(76);
    expect(service.created.configs).toHaveLength(1);
    // Both are meant.
    expect((await campaign.run(['state', 'new', 'brand/summer.yaml', '--yes'])).code).toBe(0);
    expect((await campaign.run(['apply', 'brand/summer.yaml'])).code).toBe(0);
    expect(service.created.configs).toHaveLength(2);
  });

  it('stops a wait that would see none of its pending posts', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    expect((await campaign.run(['apply', 'm.yaml', '--no-wait'])).code).toBe(3);
    await rm(join(campaign.folder, 'm.yaml'));
    await campaign.write('summer.yaml', SINGLE.replace('name: small', 'name: summer'));
    expect((await campaign.run(['wait', 'summer.yaml'])).code).toBe(76);
    expect((await campaign.run(['state', 'adopt', 'summer.yaml', STATE, '--yes'])).code).toBe(0);
    expect((await campaign.run(['wait', 'summer.yaml'])).code).toBe(0);
    expect((await campaign.run(['outputs', 'summer.yaml', '--verify'])).stdout).toBe(
      '1 file: 1 as recorded.\n',
    );
  });

  it('never takes the place of another one', async () => {
    const { campaign } = await appliedCampaign();
    await campaign.write('other.jsonl', await campaign.read(STATE));
    const { code, stderr } = await campaign.run(['state', 'adopt', 'm.yaml', 'other.jsonl', '--yes']);
    expect([code, stderr.split('\n')[0]]).toEqual([64, 'error: There is a state [state-exists]']);
    expect(await campaign.files()).toContain('other.jsonl');
  });

  it.skipIf(!isOtherDisk)('is adopted from another disk once it was moved to this one', async () => {
    const { campaign } = await appliedCampaign();
    const elsewhere = await mkdtemp(join(MEMORY, 'campaign-'));
    onTestFinished(() => rm(elsewhere, { recursive: true }));
    const log = await campaign.read(STATE);
    const file = join(elsewhere, 'mine.state.jsonl');
    await writeFile(file, log);
    await rm(join(campaign.folder, STATE));
    await rename(join(campaign.folder, 'm.yaml'), join(campaign.folder, 'n.yaml'));
    const adopt = (from: string) => campaign.run(['state', 'adopt', 'n.yaml', from, '--yes']);
    expect(await adopt(file)).toMatchObject({
      code: 74,
      stderr:
        'error: The state lies on another disk [other-disk]\n' +
        `  ${file} lies on another file system than ${campaign.folder}, so it cannot get its new name in one step. Nothing was ` +
        'changed. Move it to that folder first, with `mv` and under any name, then adopt that file; or leave it there ' +
        'and name it with --state.\n\n',
    });
    expect(await readFile(file, 'utf8')).toBe(log);
    await campaign.write('moved.jsonl', log);
    expect((await adopt('moved.jsonl')).code).toBe(0);
    expect((await campaign.run(['plan', 'n.yaml'])).stdout).toMatch(NO_CHANGES);
  });

  it('stops an environment with a new name, a link to the manifest, and a --state that is forgotten', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const env = (name: string) =>
      `\nservice: { environments: { ${name}: { base_url: "${service.url}" } } }\n`;
    const none = { CAMPAIGN_BASE_URL: '' };
    await campaign.write('m.yaml', SINGLE.replace('\n', env('production')));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'production'], none)).code).toBe(0);
    await campaign.write('m.yaml', SINGLE.replace('\n', env('live')));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], none)).code).toBe(76);
    const adopt = ['state', 'adopt', 'm.yaml', '--env', 'live', 'm.production.state.jsonl', '--yes'];
    expect((await campaign.run(adopt, none)).code).toBe(0);
    expect((await campaign.run(['plan', 'm.yaml', '--env', 'live'], none)).stdout).not.toContain(
      '1 new post',
    );
    // What belongs to this state is refused elsewhere by what it says itself, not by its name.
    expect(await campaign.read('m.live.state.jsonl')).toContain('"type":"rebound"');
    await mkdir(join(campaign.folder, 'linked'));
    await symlink('../m.yaml', join(campaign.folder, 'linked/m.yaml'));
    await campaign.write('linked/tote.png', PNG);
    const linked = await campaign.run(['plan', 'linked/m.yaml', '--env', 'live', '--allow-outside'], none);
    expect(linked.stderr).toContain('m.live.state.jsonl is the state of small, live');
    expect(linked.code).toBe(76);
    await mkdir(join(campaign.folder, 'states'));
    await rename(join(campaign.folder, 'm.live.state.jsonl'), join(campaign.folder, 'states/small.jsonl'));
    const named = ['--env', 'live', '--state', 'states/small.jsonl'];
    expect((await campaign.run(['state', 'accept', 'm.yaml', ...named], none)).code).toBe(0);
    const forgotten = await campaign.run(['apply', 'm.yaml', '--env', 'live'], none);
    expect(forgotten.code).toBe(76);
    expect(service.created.configs).toHaveLength(1);
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
      [['state', 'rebind', 'm.yaml', '--yes'], 0],
      [['state', 'adopt', 'm.yaml', 'none.jsonl', '--yes'], 76],
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
