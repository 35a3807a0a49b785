import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { campaignFolder, SINGLE, untilTestEnds } from '../../cli/small-campaign.ts';

const DOCS = readFileSync(path.join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');

/** The roles belong to the whole server, so they get names of their own here. */
function documentedSql(suffix: string): { before: string; after: string } {
  const [, sql = ''] = /```sql test\/store\/postgres\/roles\.test\.ts\n([^]*?)```/.exec(DOCS) ?? [];
  const [before = '', after = ''] = sql
    .replaceAll(/campaign_(owner|worker|reader)/g, `campaign_$1${suffix}`)
    .replaceAll(/'a(?:nother one| long one| third one)'/g, `'long'`)
    .split('-- afterwards');
  return { before, after: `--${after}` };
}

describe.runIf(hasPostgres)('the roles of docs/scale.md', () => {
  it('let the worker apply, but change or remove no event, and the reader only read', async () => {
    const url = await makeDatabase();
    const suffix = `_${new URL(url).pathname.slice(1)}`;
    const { before, after } = documentedSql(suffix);
    const as = (role: string) => {
      const login = new URL(url);
      login.username = `campaign_${role}${suffix}`;
      login.password = 'long';
      return login.href;
    };
    const campaign = await campaignFolder(SINGLE, await untilTestEnds(startBareService({ pendingPolls: 0 })));
    const run = (role: string, ...args: string[]) => campaign.run(args, { CAMPAIGN_STATE: as(role) });

    await runSql(url, before);
    const early = await run('worker', 'apply', 'm.yaml');
    expect(early).toMatchObject({ code: 78 });
    expect(early.stderr).toContain('Run `campaign db migrate --state URL` once as the owner');
    const made = await run('owner', 'db', 'migrate', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ before: 0, version: 2 });
    await runSql(url, after);
    expect(await run('worker', 'apply', 'm.yaml')).toMatchObject({ code: 0 });
    expect((await run('reader', 'status', 'm.yaml')).stdout).toContain('1 of 1 posts done');
    const refused = await run('reader', 'apply', 'm.yaml');
    expect(refused).toMatchObject({ code: 77 });
    expect(refused.stderr).toContain('The database does not allow this');

    for (const sql of [
      `update campaign.event set line = ''`,
      'delete from campaign.event',
      'truncate campaign.event',
      'drop table campaign.event',
      'alter table campaign.event add column more text',
      'delete from campaign.campaign',
    ])
      await expect(runSql(as('worker'), sql)).rejects.toThrow(/permission denied|must be owner/);
    await expect(runSql(as('reader'), 'insert into campaign.migration (version) values (9)')).rejects.toThrow(
      'permission denied',
    );

    // A newer campaign has been here.
    await runSql(url, 'insert into campaign.migration (version) values (3)');
    for (const words of [
      ['plan', 'm.yaml'],
      ['apply', 'm.yaml'],
      ['db', 'migrate'],
    ]) {
      const newer = await run('owner', ...words);
      expect(newer).toMatchObject({ code: 76 });
      expect(newer.stderr).toContain('Install a newer version of campaign');
    }
  });

  it('two that migrate at once make the tables once', async () => {
    const url = await makeDatabase();
    const campaign = await campaignFolder(SINGLE);
    const env = { CAMPAIGN_STATE: url };
    const both = await Promise.all([1, 2].map(() => campaign.runApart(['db', 'migrate'], env)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await runSql(url, 'select version from campaign.migration')).toEqual([
      { version: 1 },
      { version: 2 },
    ]);
    expect((await campaign.run(['db', 'migrate'], env)).stdout).toContain('there is nothing to do');
  });

  it('are preceded by a beginning that works', async () => {
    const campaign = await campaignFolder(SINGLE, await untilTestEnds(startBareService({ pendingPolls: 0 })));
    const env = { CAMPAIGN_STATE: await makeDatabase() };
    const [, block = ''] = /```sh test\/store\/postgres\/roles\.test\.ts\n([^]*?)```/.exec(DOCS) ?? [];
    const commands = [...block.matchAll(/^campaign (.*?)(?: +#.*)?$/gm)].map(([, words = '']) =>
      words.replace('campaign.yaml --env production', 'm.yaml').split(' '),
    );
    expect(commands.map(([verb]) => verb)).toEqual(['db', 'apply']);
    for (const words of commands) expect(await campaign.run(words, env)).toMatchObject({ code: 0 });
    expect(await campaign.run(['db', 'migrate'], { CAMPAIGN_STATE: 'a.jsonl' })).toMatchObject({ code: 64 });
  });
});
