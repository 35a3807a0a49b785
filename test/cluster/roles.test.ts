/** A run that workers share, with no more rights than docs/scale.md grants, and whoever reads meanwhile with none to write. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { checksOf } from '../cli/doctor-run.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { makeRoles } from '../support/documented-roles.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, checkLedger, manyProducts } from './shared-campaign.ts';

const COUNT = 4;

/** Each ends with 0, and sends nothing. */
const READS = [
  ['plan', '--json'],
  ['status', '--json'],
  ['outputs', '--json'],
  ['history', '--json'],
  ['report', '--out', 'report.html'],
  ['graph', '--status'],
  ['state', 'list'],
  ['state', 'show', 'product/p0'],
  ['state', 'export'],
  ['state', 'check'],
];

/** What changes the log, the tables, or what others may do. */
const FORBIDDEN = [
  `update campaign.event set line = ''`,
  'delete from campaign.event',
  'truncate campaign.event',
  'delete from campaign.campaign',
  'delete from campaign.run',
  'truncate campaign.campaign cascade',
  'drop table campaign.event',
  'alter table campaign.event add column more text',
  'alter table campaign.event disable trigger all',
  'create trigger t before insert on campaign.event for each row execute function suppress_redundant_updates_trigger()',
  'create rule r as on insert to campaign.event do instead nothing',
  'create table campaign.more (id int)',
  'create table campaign_queue.more (id int)',
  'create or replace function campaign.holder(bigint, interval) returns text language sql as $$ select null $$',
  'drop schema campaign_queue cascade',
  'insert into campaign.schema_version (version) values (9)',
  'update campaign.schema_version set version = 9',
  'create schema more',
];

describe.runIf(hasPostgres)('a shared run under the roles of docs/scale.md', () => {
  it('is carried out by the worker, which cannot change the past, and read by the reader, which changes nothing', async () => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const roles = await makeRoles(url);
    const owner = { CAMPAIGN_STATE: roles.as('owner') };
    const writer = { CAMPAIGN_STATE: roles.as('worker') };
    const reader = { CAMPAIGN_STATE: roles.as('reader') };
    expect(await campaign.run(['db', 'migrate'], owner)).toMatchObject({ code: 0 });
    await roles.grant();

    const workers = [1, 2].map(() => campaign.start(['worker', '--json', '--slots', '2'], writer));
    for (const { process } of workers) onTestFinished(() => void process.kill('SIGKILL'));
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    const apply = campaign.start(['apply', 'm.yaml'], writer);
    await Promise.all(workers.map((worker) => worker.seen(/"joined"/)));
    await expect.poll(() => service.created.configs).toHaveLength(COUNT);
    for (const [verb = '', ...words] of READS) {
      const args =
        verb === 'state' ? [verb, words[0] ?? '', 'm.yaml', ...words.slice(1)] : [verb, 'm.yaml', ...words];
      const { code, stderr } = await campaign.run(args, reader);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    }
    expect((await campaign.run(['status', 'm.yaml'], reader)).stdout).toContain('campaign apply');
    const ui = campaign.start(['ui', 'm.yaml', '--json'], reader);
    await ui.seen(/"url"/);
    ui.process.kill('SIGTERM');
    await ui.end;
    // It takes part in nothing, and ends nothing.
    for (const args of [
      ['apply', 'm.yaml'],
      ['stop', 'm.yaml'],
    ])
      expect({ args, ...(await campaign.run(args, reader)) }).toMatchObject({ code: 77 });
    expect(await runSql(url, 'select from campaign.run where ended_at is null')).toHaveLength(1);
    expect(service.created.configs).toHaveLength(COUNT);

    pendingPolls = 0;
    const applied = await apply.end;
    expect({ code: applied.code, err: applied.stderr }).toMatchObject({ code: 0 });
    expect(await checkLedger(service, campaign, reader)).toEqual([]);
    await checkComplete(service, campaign, { env: reader, count: COUNT });
    for (const worker of workers) {
      worker.process.kill('SIGTERM');
      expect(await worker.end).toMatchObject({ code: 0, stderr: '' });
    }
    // The next run removes what the one before needed.
    await campaign.write('m.yaml', manyProducts(COUNT + 1));
    const detached = await campaign.run(['apply', 'm.yaml', '--detach', '--yes'], writer);
    expect({ code: detached.code, err: detached.stderr }).toEqual({ code: 0, err: '' });
    expect(await runSql(url, 'select distinct run::int from campaign.node')).toEqual([{ run: 2 }]);
    expect(await campaign.run(['stop', 'm.yaml'], writer)).toMatchObject({ code: 0 });
    expect(await campaign.run(['apply', 'm.yaml', '--yes'], writer)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env: reader, count: COUNT + 1 });
  });

  it('says what its role lacks, where its grants are those of older tables, and goes on once that is granted', async () => {
    const url = await makeDatabase();
    const roles = await makeRoles(url);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(2), service);
    const writer = { CAMPAIGN_STATE: roles.as('worker') };
    expect(await campaign.run(['db', 'migrate'], { CAMPAIGN_STATE: roles.as('owner') })).toMatchObject({
      code: 0,
    });
    await roles.grant();
    const role = new URL(roles.as('worker')).username;
    const ofDoctor = async () =>
      checksOf(await campaign.run(['doctor', 'm.yaml', '--json'], writer)).get('db_role')?.summary;
    const worker = campaign.start(['worker', '--json'], writer);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);

    await runSql(url, `revoke insert on campaign.spent from ${role}`);
    expect(await ofDoctor()).toContain('lacks rights for runs that workers share, on campaign.spent');
    const refused = await campaign.run(['apply', 'm.yaml'], writer);
    expect(refused).toMatchObject({ code: 74 });
    expect(refused.stderr).toContain('The run cannot be handed over: permission denied for table spent');
    expect(refused.stderr).not.toContain('could not be kept');
    await runSql(url, `grant insert on campaign.spent to ${role}`);

    await runSql(url, `revoke insert on campaign.part from ${role}`);
    const apply = await campaign.run(['apply', 'm.yaml'], writer);
    expect(apply).toMatchObject({ code: 74 });
    expect(apply.stderr).toContain('permission denied for table part');
    await worker.seen(/"waiting".*permission denied for table part/);
    expect(service.created.uploads).toEqual([]);
    await runSql(url, `grant insert on campaign.part to ${role}`);
    expect(await ofDoctor()).toContain('may add to the state, and change nothing of it');
    expect(await campaign.run(['apply', 'm.yaml'], writer)).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env: writer, count: 2 });
  });

  it('has tables that neither of them can change', async () => {
    const url = await makeDatabase();
    const roles = await makeRoles(url);
    const campaign = await campaignFolder(manyProducts(1));
    const env = { CAMPAIGN_STATE: roles.as('owner') };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    await roles.grant();
    const tables = await runSql(
      url,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like 'campaign%' order by 1`,
    );
    const names = tables.map(({ name }) => String(name));
    expect(names).toContain('campaign_queue.job_common');
    const ofReader = names.flatMap((name) => [
      `delete from ${name}`,
      `truncate ${name}`,
      `insert into ${name} default values`,
    ]);
    for (const [role, statements] of [
      ['worker', FORBIDDEN],
      ['reader', [...FORBIDDEN, ...ofReader]],
    ] as const)
      for (const sql of statements) {
        const said = await runSql(roles.as(role), sql).then(
          () => 'done',
          (error: Error) => error.message,
        );
        expect({ role, sql, said }).toMatchObject({
          said: expect.stringMatching(/permission denied|must be owner/) as string,
        });
      }
  });
});
