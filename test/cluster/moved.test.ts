/** A state moves into a database, is written there by workers, and moves back: nothing is lost or paid twice, and one side counts. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, CONCEPT_DONE, madeAtLeast, MANY_STATE, manyProducts } from './shared-campaign.ts';

type Env = Readonly<Record<string, string>>;

/** Each of them uses the state. */
const USES = [
  ['plan', 'm.yaml'],
  ['apply', 'm.yaml'],
  ['apply', 'm.yaml', '--detach'],
  ['wait', 'm.yaml'],
  ['status', 'm.yaml'],
  ['outputs', 'm.yaml'],
  ['history', 'm.yaml'],
  ['report', 'm.yaml', '--out', 'report.html'],
  ['refresh', 'm.yaml'],
  ['approve', 'm.yaml', 'media/grid/*'],
  ['resolve', 'm.yaml', 'product/p0', '--not-created'],
  ['destroy', 'm.yaml', '--yes'],
  ['stop', 'm.yaml'],
  ['state', 'list', 'm.yaml'],
  ['state', 'export', 'm.yaml'],
  ['ui', 'm.yaml'],
];

function startWorker(campaign: CampaignFolder, env: Env) {
  const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
  onTestFinished(() => void worker.process.kill('SIGKILL'));
  return worker;
}

async function expectEnd(campaign: CampaignFolder, args: readonly string[], env: Env, code: number) {
  const end = await campaign.run(args, env);
  expect({ args, code: end.code, stderr: end.stderr }).toMatchObject({ code });
  return end;
}

describe.runIf(hasPostgres)('a state that moves', () => {
  it('has what workers have recorded, on the side that counts, and the other one refuses', async () => {
    const held = [deferred<void>(), deferred<void>()];
    let hold: Promise<void> | undefined;
    const waits = (route: string) => (route.startsWith('GET /media/') ? hold : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(2), service);
    const url = await makeDatabase();
    const there = { CAMPAIGN_STATE: url };
    const exported = async (env: Env) => {
      const { stdout } = await expectEnd(campaign, ['state', 'export', 'm.yaml'], env, 0);
      // The log may be written anew, in a shorter form.
      return stdout.replace(/"seq": \d+/, '');
    };
    const toFile = ['state', 'move', 'm.yaml', '--to', MANY_STATE];
    const toDatabase = ['state', 'move', 'm.yaml', '--to', url];
    await expectEnd(campaign, ['apply', 'm.yaml'], {}, 0);
    const before = await exported({});
    await expectEnd(campaign, toDatabase, {}, 0);
    expect(await exported(there)).toBe(before);

    const workers = [1, 2].map(() => startWorker(campaign, there));
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    for (const [round, { promise, resolve }] of held.entries()) {
      const count = 3 + round;
      hold = promise;
      await campaign.write('m.yaml', manyProducts(count));
      const apply = campaign.start(['apply', 'm.yaml', '--no-work', '--yes'], there);
      await madeAtLeast(service, 2 * count);
      const [run] = await runSql(url, 'select id::int from campaign.run where ended_at is null');
      const joined = new RegExp(`"joined","run":${String(run?.['id'])},`);
      await Promise.all(workers.map((worker) => worker.seen(joined)));
      // The run is open.
      const open = await expectEnd(campaign, toFile, there, 75);
      expect(open.stderr).toContain('campaign stop');
      resolve();
      expect(await apply.end).toMatchObject({ code: 0 });
      const after = await exported(there);
      await expectEnd(campaign, toFile, there, 0);
      expect(await exported({})).toBe(after);
      await checkComplete(service, campaign, { env: {}, count });

      const events = await runSql(url, 'select count(*) from campaign.event');
      const requests = service.requests.length;
      for (const args of USES) await expectEnd(campaign, args, there, 76);
      expect(service.requests).toHaveLength(requests);
      await expectEnd(campaign, ['doctor', 'm.yaml'], there, 76);
      expect(await runSql(url, 'select count(*) from campaign.event')).toEqual(events);
      await expectEnd(campaign, toDatabase, {}, 0);
      expect(await exported(there)).toBe(after);
      for (const args of USES.slice(0, 3)) await expectEnd(campaign, args, {}, 76);
    }
    for (const worker of workers) {
      worker.process.kill('SIGTERM');
      const { code, stdout } = await worker.end;
      expect(code).toBe(0);
      // In both runs; more often, where it has looked for work while another one was ending the run.
      expect(new Set(stdout.match(/"joined","run":\d+/g)).size).toBe(2);
    }
    await checkComplete(service, campaign, { env: there, count: 4 });
  });

  it('takes no late answer on the side that was left behind: the create stays unknown until it is decided', async () => {
    const [asked, held] = [deferred<void>(), deferred<void>()];
    const waits = (route: string) => {
      if (route !== 'POST /products/') return undefined;
      asked.resolve();
      return held.promise;
    };
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(1), service);
    const url = await makeDatabase();
    const there = { CAMPAIGN_STATE: url };
    await expectEnd(campaign, ['db', 'migrate'], there, 0);
    const worker = startWorker(campaign, there);
    await worker.seen(/"ready"/);
    await expectEnd(campaign, ['apply', 'm.yaml', '--detach'], there, 0);
    await asked.promise;
    await expect.poll(() => runSql(url, CONCEPT_DONE)).toHaveLength(1);
    worker.process.kill('SIGSTOP');
    await runSql(url, "update campaign_queue.job set heartbeat_on = 'epoch' where state = 'active'");
    await expectEnd(campaign, ['stop', 'm.yaml'], there, 0);
    await expectEnd(campaign, ['state', 'move', 'm.yaml', '--to', MANY_STATE], there, 0);
    const events = await runSql(url, 'select count(*) from campaign.event');

    held.resolve();
    worker.process.kill('SIGCONT');
    await worker.seen(/"left"/);
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    expect(await runSql(url, 'select count(*) from campaign.event')).toEqual(events);
    const [product] = service.created.products;
    const rows = await expectEnd(campaign, ['state', 'list', 'm.yaml', '--json'], {}, 0);
    expect(JSON.parse(rows.stdout)).toContainEqual(
      expect.objectContaining({ address: 'product/p0', status: 'unknown' }),
    );
    await expectEnd(campaign, ['resolve', 'm.yaml', 'product/p0', '--id', String(product?.id)], {}, 0);
    await expectEnd(campaign, ['apply', 'm.yaml'], {}, 0);
    await checkComplete(service, campaign, { env: {}, count: 1 });
  });
});
