/** `destroy` from end to end. */
import { chmod, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runAsNobody } from '../support/run-as-nobody.ts';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import { appliedCampaign, FULL, lastRun } from './pruned-campaign.ts';
import { API_KEY, type CampaignFolder } from './small-campaign.ts';

const NOTHING = { products: 0, concepts: 0, requests: 0 };
const ENVIRONMENTS =
  '\nservice:\n  environments: { stage: { base_url: "BASE_URL" } }\n  default_environment: stage\n';

const destroy = (campaign: CampaignFolder, ...flags: string[]) =>
  campaign.run(['destroy', 'm.yaml', ...flags]);

it('deletes all that the state made, after --yes; files and uploads stay, and the next apply begins anew', async () => {
  const campaign = await appliedCampaign(FULL);
  const filesBesidesNotes = async () =>
    (await campaign.files()).filter((file) => !file.includes('.attempts-'));
  const files = await filesBesidesNotes();
  const refused = await destroy(campaign);
  expect([refused.code, refused.stdout]).toEqual([5, '']);
  expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'This deletes everything that the campaign spring has made in the environment default: 6 deletions at the service, 3 posts among them; downloaded files stay. None of it can be brought back. Nothing was deleted: nobody can be asked, so say --yes if you mean it.',
  );
  expect(campaign.sent()).toEqual([]);
  const { code, stdout, stderr } = await destroy(campaign, '--yes');
  expect([code, campaign.there()]).toEqual([0, NOTHING]);
  expect(stdout).toContain('\nDestroy complete: 6 deleted.\n');
  expect(stderr).toContain('1 upload stays at the service: it has no way to delete uploads');
  const sent = campaign.sent();
  expect(sent.slice(0, 2)).toEqual(['DELETE /media-config/{id}/', 'DELETE /media-config/{id}/']);
  expect(sent.at(-1)).toBe('DELETE /products/{id}/');
  expect(await campaign.listed()).toEqual(['upload done']);
  expect(await filesBesidesNotes()).toEqual(files);
  expect(await lastRun(campaign)).toMatchObject({ deleted: 6 });
  const again = await destroy(campaign, '--json');
  expect([again.code, campaign.sent()]).toEqual([0, []]);
  const events = again.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; command?: string });
  expect(events.map(({ type }) => type)).toEqual(['version', 'run-started', 'warning', 'run-finished']);
  expect(events[1]?.command).toBe('destroy');
  expect((await campaign.apply('--quiet')).code).toBe(0);
  expect(await campaign.listed()).toContain('media-config/hero@2 done');
  expect(campaign.there()).toEqual({ products: 2, concepts: 2, requests: 2 });
});

it('asks for campaign and environment on a terminal, and takes nothing else for a yes', async () => {
  const campaign = await appliedCampaign(FULL);
  const env = { CAMPAIGN_BASE_URL: campaign.service.url, CAMPAIGN_API_KEY: API_KEY };
  const type = (keys: string) =>
    runOnTerminal(
      ['destroy', 'm.yaml'],
      { cwd: campaign.folder, env },
      { question: 'Type `spring default` to delete it: ', keys },
    );
  const no = await type('yes\r');
  expect([no.code, no.screen]).toEqual([5, expect.stringContaining('Nothing was deleted.')]);
  expect(no.screen).toContain('    - product/tote\n');
  expect(campaign.sent()).toEqual([]);
  expect((await type('spring default\r')).code).toBe(0);
  expect(campaign.there()).toEqual(NOTHING);
});

it('needs --env beside --yes where the manifest names environments', async () => {
  const campaign = await appliedCampaign(FULL);
  await campaign.write(
    'm.yaml',
    FULL.replace('\nproducts:', `${ENVIRONMENTS.replace('BASE_URL', campaign.service.url)}products:`),
  );
  await campaign.run(['state', 'use', 'm.yaml', 'spring.default.state.jsonl', '--yes']);
  const refused = await destroy(campaign, '--yes');
  expect([refused.code, campaign.sent()]).toEqual([5, []]);
  expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain('so say --yes and --env stage if you mean it');
  expect((await destroy(campaign, '--yes', '--env', 'stage', '--quiet')).code).toBe(0);
  expect(campaign.there()).toEqual(NOTHING);
});

it('removes the files that are what was downloaded with --files, and lists the others', async () => {
  const campaign = await appliedCampaign(FULL);
  const file = 'out/spring/default/side/b-image.png';
  await writeFile(join(campaign.folder, file), 'retouched');
  await rm(join(campaign.folder, 'out/spring/default/side/c-image.png'));
  const link = 'out/spring/default/hero/a-image.png';
  await rename(join(campaign.folder, link), join(campaign.folder, 'elsewhere.png'));
  await symlink(join(campaign.folder, 'elsewhere.png'), join(campaign.folder, link));
  const { code, stderr } = await destroy(campaign, '--yes', '--files');
  expect(code).toBe(0);
  expect(stderr).toContain(`${file} stays: it is not what was downloaded`);
  expect(stderr).toContain(`${link} stays: it is a link`);
  expect(await campaign.files()).toContain('elsewhere.png');
  expect((await campaign.files()).filter((name) => name.startsWith('out'))).toEqual([file]);
  expect(await campaign.read(file)).toBe('retouched');
});

it('leaves pending posts and ends with 3, and goes on where a run was interrupted', async () => {
  const campaign = await appliedCampaign(FULL);
  campaign.refuse((route) => (route === 'DELETE /media-config/{id}/' ? 409 : undefined));
  const failed = await destroy(campaign, '--yes', '--quiet');
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('Destroy failed: ')]);
  campaign.refuse(() => 404);
  const before = (await campaign.listed()).length;
  expect((await destroy(campaign, '--yes', '--quiet')).code).toBe(3);
  expect(await campaign.listed()).toHaveLength(before);
  campaign.refuse(undefined);
  await campaign.write(
    'm.yaml',
    `${FULL}  late:\n    concept: night\n    items:\n      - { key: z, post_type: image, products: [mug], aspect_ratio: "1:1" }\n`,
  );
  expect((await campaign.apply('--no-wait', '--quiet')).code).toBe(3);
  const { code, stdout } = await destroy(campaign, '--yes');
  expect([code, campaign.there()]).toEqual([3, { products: 1, concepts: 1, requests: 1 }]);
  expect(stdout).toContain('    media/late/z stays: it is pending\n');
  expect(stdout).toContain('    product/mug stays: media-config/late@1 stays, and uses it\n');
  expect((await campaign.apply('--quiet')).code).toBe(0);
  expect((await destroy(campaign, '--yes', '--quiet')).code).toBe(0);
  expect(campaign.there()).toEqual(NOTHING);
});

it('comes back for files that could not be removed', async () => {
  const campaign = await appliedCampaign();
  const { folder, service } = campaign;
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const destroy = () => runAsNobody(['destroy', 'm.yaml', '--yes', '--files'], { folder, env });
  await chmod(join(folder, 'out/spring/default/side'), 0o555);
  const refused = await destroy();
  expect(refused.code).toBe(74);
  expect(refused.output).toContain('EACCES: permission denied, unlink');
  expect(refused.output).not.toMatch(/\bbug\b/);
  expect(await campaign.files()).toContain('out/spring/default/side/b-image.png');
  await chmod(join(folder, 'out/spring/default/side'), 0o755);
  expect(await destroy()).toMatchObject({ code: 0 });
  expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual([]);
  expect(campaign.there()).toEqual({ products: 0, concepts: 0, requests: 0 });
});

it('forgets nothing that can still be read, where a gateway answers every DELETE with 404', async () => {
  const campaign = await appliedCampaign(FULL);
  const before = (await campaign.listed()).map((row) => row.split(' ')[0]);
  campaign.refuse((route) => (route.startsWith('DELETE ') ? 404 : undefined));
  const { code, stderr } = await destroy(campaign, '--yes');
  expect([code, stderr]).toEqual([3, expect.stringContaining('and yet the service still has it')]);
  expect((await campaign.listed()).map((row) => row.split(' ')[0])).toEqual(before);
  campaign.refuse(undefined);
  expect(await destroy(campaign, '--yes', '--quiet')).toMatchObject({ code: 0 });
  expect(campaign.there()).toEqual(NOTHING);
});
