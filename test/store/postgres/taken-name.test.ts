/** One database, several campaigns: a name is that of one folder, and a campaign with another name takes its log along. */
import { execFileSync } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { PASSWORD } from '../../support/start-postgres.ts';
import { campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from '../../cli/small-campaign.ts';

const SUMMER = SINGLE.replace('name: small', 'name: summer');
const SUMMER_STATE = 'summer.default.state.jsonl';

/** A campaign in a repository, whose state is in a database. */
async function applied() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  const url = await makeDatabase();
  const path = (name: string) => join(campaign.folder, name);
  /** The exit code of a command, and what it says; nothing may have been bought meanwhile. */
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await campaign.run(args, { CAMPAIGN_STATE: url });
    expect(service.created.configs).toHaveLength(1);
    return { code, said: stdout + stderr };
  };
  const git = (...words: readonly string[]) =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: campaign.folder,
      stdio: 'ignore',
    });
  expect((await run('apply', 'm.yaml')).code).toBe(0);
  git('init', '-q');
  git('add', 'm.yaml', 'tote.png', STATE);
  git('commit', '-qm', 'applied');
  return { service, campaign, url, shown: url.replace(`:${PASSWORD}`, ''), path, run };
}

describe.runIf(hasPostgres)('a name in a database', () => {
  it('that another folder has with its manifest is refused there, whatever the command', async () => {
    const { service, campaign, url, path, run } = await applied();
    await campaign.write('next/m.yaml', SINGLE);
    await campaign.write('next/tote.png', PNG);
    const runs = () => runSql(url, 'select id from campaign.run');
    const before = await runs();
    for (const args of [
      ['plan', 'next/m.yaml'],
      ['apply', 'next/m.yaml', '--yes'],
      ['status', 'next/m.yaml'],
      ['state', 'use', 'next/m.yaml', url, '--yes'],
      ['state', 'new', 'next/m.yaml', '--yes'],
    ]) {
      const { code, said } = await run(...args);
      expect([args, code, said]).toEqual([args, 65, expect.stringContaining('[name-taken]')]);
      expect(said).toContain(path(STATE));
    }
    expect(await runs()).toEqual(before);
    expect(await campaign.files()).not.toContain(`next/${STATE}`);
    // The folder that has it goes on, and another name is free.
    expect((await run('apply', 'm.yaml')).said).toContain('No changes.');
    await campaign.write('next/m.yaml', SUMMER);
    expect(await campaign.run(['apply', 'next/m.yaml'], { CAMPAIGN_STATE: url })).toMatchObject({ code: 0 });
    expect(service.created.configs).toHaveLength(2);
  });

  it('whose manifest has moved to another folder goes along, once somebody says so', async () => {
    const { campaign, url, path, run } = await applied();
    await campaign.write('next/.keep', '');
    for (const name of ['m.yaml', 'tote.png']) await rename(path(name), path(`next/${name}`));
    expect(await run('apply', 'next/m.yaml')).toMatchObject({
      code: 76,
      said: expect.stringContaining('[state-elsewhere]') as string,
    });
    expect((await run('state', 'use', 'next/m.yaml', url, '--yes')).code).toBe(0);
    expect((await run('plan', 'next/m.yaml')).said).not.toContain('new post');
  });
});

describe.runIf(hasPostgres)('state use of a file that names a log in a database', () => {
  it('gives the log to the campaign that has another name now', async () => {
    const { campaign, url, shown, path, run } = await applied();
    expect((await run('approve', 'm.yaml', 'media/hero/*')).code).toBe(0);
    await campaign.write('m.yaml', SUMMER);
    for (const verb of ['plan', 'apply', 'status']) {
      const { code, said } = await run(verb, 'm.yaml');
      expect([verb, code]).toEqual([verb, 76]);
      expect(said).toContain(`\`campaign state use m.yaml ${path(STATE)}\``);
    }
    const left = await campaign.read(STATE);
    const use = ['state', 'use', 'm.yaml', STATE];
    // Nobody has said so yet.
    expect((await run(...use)).code).toBe(5);
    expect(await campaign.read(STATE)).toBe(left);
    const used = await run(...use, '--yes');
    expect([used.code, used.said]).toEqual([
      0,
      expect.stringContaining(`${shown} is now the state of summer`),
    ]);
    const files = await campaign.files();
    expect(files).toEqual(expect.arrayContaining([SUMMER_STATE, 'summer.default.decisions.yaml']));
    expect(files).not.toEqual(expect.arrayContaining([STATE]));
    expect(JSON.parse(await campaign.read(SUMMER_STATE))).toMatchObject({
      campaign: 'summer',
      moved_to: shown,
    });
    expect((await run('apply', 'm.yaml')).said).toContain('Apply complete: 4 unchanged.');
    expect((await run(...use, '--yes')).code).toBe(64);

    // As a crash leaves it that came before the file had its new name.
    await campaign.write(STATE, left);
    await rm(path(SUMMER_STATE));
    expect((await run('apply', 'm.yaml')).code).toBe(76);
    expect((await run(...use, '--yes')).code).toBe(0);
    expect((await run('apply', 'm.yaml')).said).toContain('No changes.');
    // Another clone that has the file finds it, too.
    await rm(path('.campaign'), { recursive: true });
    expect((await run('plan', 'm.yaml')).code).toBe(0);
    expect(await runSql(url, 'select name from campaign.campaign where lineage is not null')).toEqual([
      { name: 'summer' },
    ]);
  });

  it('takes none whose manifest is there, none of another database, and nothing else', async () => {
    const { campaign, path, run } = await applied();
    await campaign.write('n.yaml', SUMMER);
    expect(await run('state', 'use', 'n.yaml', STATE, '--yes')).toMatchObject({
      code: 64,
      said: expect.stringContaining('[state-in-use]') as string,
    });
    await rm(path('m.yaml'));
    const other = ['--state', await makeDatabase()];
    expect(await run('state', 'use', 'n.yaml', STATE, '--yes', ...other)).toMatchObject({
      code: 76,
      said: expect.stringContaining('[state-vanished]') as string,
    });
    expect(await run('state', 'use', 'n.yaml', 'tote.png', '--yes')).toMatchObject({
      code: 64,
      said: expect.stringContaining('[no-state]') as string,
    });
    expect(await campaign.files()).toContain(STATE);
    expect((await run('state', 'use', 'n.yaml', STATE, '--yes')).code).toBe(0);
    expect((await run('plan', 'n.yaml')).said).toContain('0 new posts');
  });
});
