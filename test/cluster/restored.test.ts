/** A backup that was taken while a run was open, and is brought back: the steps of docs/scale.md, with the ledger as judge. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql, serverUrl } from '../support/postgres.ts';
import { deferred } from '../../src/util/deferred.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';

const COUNT = 3;
const DOCS = readFileSync(path.join(import.meta.dirname, '../../docs/scale.md'), 'utf8');

/** Ends the sessions of a database, and copies it before they are back. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const server = await serverUrl();
  for (;;) {
    await runSql(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`);
    const error = await runSql(server, `create database ${to} template ${from}`).then(
      () => undefined,
      (reason: { readonly code?: string }) => reason,
    );
    if (!error) return;
    // Somebody was back first.
    if (error.code !== '55006') throw error;
  }
}

it.runIf(hasPostgres)(
  'a backup of an open run is brought back without a create that is sent twice',
  async () => {
    const requests = deferred<void>();
    const waits = (route: string) => (route === 'POST /media-config/' ? requests.promise : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const name = new URL(url).pathname.slice(1);
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const start = async () => {
      const worker = campaign.start(['worker', '--json'], env);
      onTestFinished(() => void worker.process.kill('SIGKILL'));
      await worker.seen(/"ready"/);
      return worker;
    };
    const worker = await start();
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    await expect.poll(() => service.created.configs.length).toBe(COUNT);
    // Who stands still does not come back before the copy is made.
    for (const { process } of [worker, apply]) process.kill('SIGSTOP');
    await copyDatabase(name, `${name}_backup`);
    for (const { process } of [worker, apply]) process.kill('SIGCONT');
    requests.resolve();
    expect(await apply.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });

    await runSql(await serverUrl(), `drop database ${name}`);
    await runSql(await serverUrl(), `alter database ${name}_backup rename to ${name}`);
    const [, statement = ''] = /`(update campaign\.run set [^`]*)`/.exec(DOCS) ?? [];
    const open = 'select id from campaign.run where ended_at is null';
    expect(await runSql(url, open)).toHaveLength(1);
    await runSql(url, statement);
    expect(await runSql(url, open)).toEqual([]);

    // Nothing of it goes on, and what is missing is said before anything is sent.
    const later = await start();
    const refused = await campaign.run(['apply', 'm.yaml'], env);
    expect(refused).toMatchObject({ code: 76 });
    expect(refused.stderr).toContain('campaign state use m.yaml ');
    expect((await campaign.run(['status', 'm.yaml'], env)).stderr).toContain(
      'The state is older than before',
    );
    expect(service.created.products).toHaveLength(COUNT);
    expect(service.created.configs).toHaveLength(COUNT);
    later.process.kill('SIGTERM');
    expect((await later.end).code).toBe(0);
  },
);
