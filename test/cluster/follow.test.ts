/** Two applies at once: one run, and the other one takes part in it if it would do the same; else it ends with 75. */
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = 6;

describe.runIf(hasPostgres)('a second apply', () => {
  it('takes part in the run of the first one, if it is about the same', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });

    const others = [
      ['apply', 'm.yaml', '--only', 'grid/p1'],
      ['apply', 'm.yaml', '--fail-fast'],
      ['wait', 'm.yaml'],
    ];
    for (const args of others) {
      const { code, stderr } = await campaign.run(args, env);
      expect({ args, code }).toEqual({ args, code: 75 });
      expect(stderr).toMatch(BEGUN);
    }
    await campaign.write('m.yaml', manyProducts(COUNT).replace('Soft light', 'Hard light'));
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 75 });
    const otherKey = { ...env, CAMPAIGN_API_KEY: 'another-key' };
    await campaign.write('m.yaml', `# A comment changes nothing.\n${manyProducts(COUNT)}`);
    expect(await campaign.run(['apply', 'm.yaml'], otherKey)).toMatchObject({ code: 75 });
    expect(service.requests).toEqual([]);

    const second = campaign.start(['apply', 'm.yaml'], env);
    const third = await campaign.run(['apply', 'm.yaml', '--json'], env);
    expect({ code: third.code, err: third.stderr }).toEqual({ code: 0, err: '' });
    expect(await second.end).toMatchObject({ code: 0 });
    const events = third.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toContainEqual(
      expect.objectContaining({ summary: 'Another apply has begun the same run; this one takes part in it' }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'succeeded', nodes: { failed: 0 } });
    const runs = await runSql(url, 'select ended_how from campaign.run where shared is not null');
    expect(runs).toEqual([{ ended_how: 'ended' }]);
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it('does by itself what is left to do, if that run ends before it could take part in it', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    // Who was kept out reads the version of the queue before it takes part.
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table campaign_queue.version');
    const second = campaign.start(['apply', 'm.yaml'], env);
    await vi.waitUntil(async () => (await runSql(url, WAITING)).length > 0, { timeout: 60_000 });
    await runSql(url, `update campaign.run set ended_at = clock_timestamp(), ended_how = 'ended'`);
    await holder.end();
    expect(await second.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  });
});

it.runIf(hasPostgres)(
  'an apply that stood still until the next run had begun says how its own has ended',
  async () => {
    let pendingPolls = Number.POSITIVE_INFINITY;
    const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    onTestFinished(() => void apply.process.kill('SIGKILL'));
    await madeAtLeast(service, 2 * COUNT);
    apply.process.kill('SIGSTOP');
    pendingPolls = 0;
    const open = 'select from campaign.run where ended_at is null';
    await vi.waitUntil(async () => (await runSql(url, open)).length === 0, { timeout: 60_000 });
    worker.process.kill('SIGTERM');
    await worker.end;
    await campaign.write('m.yaml', manyProducts(COUNT + 1));
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    apply.process.kill('SIGCONT');
    const { code, stderr } = await apply.end;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('has begun before this process could show how each node ended');
  },
);

const BEGUN =
  / is in use by a run of several processes, which `campaign apply` \(process \d+ on .*\) began at 2/;
const WAITING = `select from pg_locks where relation = 'campaign_queue.version'::regclass and not granted`;
