import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../../support/bare-service.ts';
import { SCHEMA_VERSION } from '../../../src/store/postgres/schema.ts';
import { makeRoles } from '../../support/documented-roles.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { checksOf } from '../../cli/doctor-run.ts';
import { campaignFolder, SINGLE, untilTestEnds } from '../../cli/small-campaign.ts';

const DOCS = readFileSync(path.join(import.meta.dirname, '../../../docs/scale.md'), 'utf8');

describe.runIf(hasPostgres)('the roles of docs/scale.md', () => {
  it('let the worker apply, but change or remove no event, and the reader only read', async () => {
    const url = await makeDatabase();
    const { as, grant } = await makeRoles(url);
    const campaign = await campaignFolder(SINGLE, await untilTestEnds(startBareService({ pendingPolls: 0 })));
    const run = (role: Parameters<typeof as>[0], ...args: string[]) =>
      campaign.run(args, { CAMPAIGN_STATE: as(role) });

    const tables = async (role: Parameters<typeof as>[0]) =>
      checksOf(await run(role, 'doctor', 'm.yaml', '--json')).get('database')?.summary;
    expect(await tables('worker')).toMatch(/campaign_worker\w* may not make them$/);
    expect(await tables('owner')).toMatch(/the next apply makes them$/);
    const early = await run('worker', 'apply', 'm.yaml');
    expect(early).toMatchObject({ code: 78 });
    expect(early.stderr).toContain('This role may not make them');
    expect(early.stderr).toContain('Run `campaign db migrate --state URL` once as the owner');
    const made = await run('owner', 'db', 'migrate', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({ before: 0, version: SCHEMA_VERSION });
    await grant();
    expect(await run('worker', 'apply', 'm.yaml')).toMatchObject({ code: 0 });
    expect((await run('reader', 'status', 'm.yaml')).stdout).toContain('1 of 1 posts done');
    const refused = await run('reader', 'apply', 'm.yaml');
    expect(refused).toMatchObject({ code: 77 });
    expect(refused.stderr).toContain('The database does not allow this');

    // Another version of campaign has been here.
    await runSql(url, 'update campaign.schema_version set version = 9');
    for (const words of [
      ['plan', 'm.yaml'],
      ['apply', 'm.yaml'],
      ['db', 'migrate'],
    ]) {
      const other = await run('owner', ...words);
      expect(other).toMatchObject({ code: 76 });
      expect(other.stderr).toContain('Use the version of campaign that made them, or name another database.');
    }
  });

  it('two that migrate at once make the tables once', async () => {
    const url = await makeDatabase();
    const campaign = await campaignFolder(SINGLE);
    const env = { CAMPAIGN_STATE: url };
    const both = await Promise.all([1, 2].map(() => campaign.runApart(['db', 'migrate'], env)));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await runSql(url, 'select version from campaign.schema_version')).toEqual([
      { version: SCHEMA_VERSION },
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
