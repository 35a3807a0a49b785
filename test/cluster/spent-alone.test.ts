/** A run that one process carries out, and a shared run of the same account at the same time: both count in one place. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { manyProducts } from './shared-campaign.ts';

/**
 * An apply that began alone waits with two products, and a shared run of three posts with its own. Only a worker starts while
 * products wait: no create waits for long on a busy machine.
 */
async function scene(budgets: { readonly alone?: string; readonly shared?: string } = {}) {
  const gates = { alone: deferred<void>(), shared: deferred<void>() };
  let pendingPolls = Number.POSITIVE_INFINITY;
  let products = 0;
  const waits = (route: string) => {
    if (route !== 'POST /products/') return undefined;
    products += 1;
    return products <= 2 ? gates.alone.promise : gates.shared.promise;
  };
  const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls, waits }));
  const url = await makeDatabase();
  const env = { CAMPAIGN_STATE: url };
  const folderOf = (name: string, count: number, budget = '') =>
    campaignFolder(manyProducts(count, budget).replace('name: many', `name: ${name}`), service);
  const [one, two] = await Promise.all([
    folderOf('one', 2, budgets.alone),
    folderOf('two', 3, budgets.shared),
  ]);
  const start = (campaign: CampaignFolder, args: readonly string[]) => {
    const run = campaign.start(args, env);
    onTestFinished(() => void run.process.kill('SIGKILL'));
    return run;
  };
  expect(await two.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
  const shared = start(two, ['apply', 'm.yaml', '--no-work', '--json']);
  await shared.seen(/takes part in it/);
  const alone = start(one, ['apply', 'm.yaml']);
  await expect.poll(() => products, { timeout: 60_000 }).toBe(2);
  const worker = start(two, ['worker', '--json']);
  await expect.poll(() => products, { timeout: 60_000 }).toBe(5);
  const finishPosts = () => void (pendingPolls = 0);
  const requested = (count: number) =>
    expect.poll(() => service.created.configs.length, { timeout: 60_000 }).toBe(count);
  const spent = async () => {
    const rows = await runSql(url, 'select sum(posts)::int as posts from campaign.spent');
    return rows[0]?.['posts'];
  };
  return { service, one, env, alone, shared, worker, gates, finishPosts, requested, spent };
}

const budget = (posts: number) => `budget: { per_month: { posts: ${posts} } }\n`;

describe.runIf(hasPostgres)('what an apply buys that works alone', () => {
  it('counts for the shared runs of its account that are open', async () => {
    const { alone, shared, gates, finishPosts, requested, spent } = await scene({ shared: budget(3) });
    gates.alone.resolve();
    await requested(2);
    finishPosts();
    expect(await alone.end).toMatchObject({ code: 0 });
    gates.shared.resolve();
    const { code, stdout, stderr } = await shared.end;
    expect(code, stderr).toBe(5);
    expect(stdout + stderr).toContain('over budget');
    await requested(3);
    expect(await spent()).toBe(3);
  });

  it('is within the limits of those runs, and within its own with what they have spent', async () => {
    const { service, one, env, alone, shared, worker, gates, finishPosts, requested, spent } = await scene({
      shared: budget(3),
    });
    gates.shared.resolve();
    await requested(3);
    gates.alone.resolve();
    const { code, stdout, stderr } = await alone.end;
    expect(code, stderr).toBe(5);
    expect(stdout + stderr).toContain('per_month.posts of the budget is 3');
    finishPosts();
    expect(await shared.end).toMatchObject({ code: 0 });
    expect(service.created.configs).toHaveLength(3);
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });

    await one.write('m.yaml', `${await one.read('m.yaml')}${budget(4)}`);
    const later = await one.run(['apply', 'm.yaml'], env);
    expect(later.code, later.stderr).toBe(5);
    expect(later.stdout + later.stderr).toContain('per_month.posts of the budget is 4');
    expect(service.created.configs).toHaveLength(4);
    expect(await spent()).toBe(4);
  });

  it('is given back where the service refuses it', async () => {
    const service = await untilTestEnds(
      startBareService({
        pendingPolls: 0,
        refuses: (route) => (route === 'POST /media-config/' ? 400 : undefined),
      }),
    );
    const campaign = await campaignFolder(manyProducts(2), service);
    const url = await makeDatabase();
    expect(await campaign.run(['apply', 'm.yaml'], { CAMPAIGN_STATE: url })).toMatchObject({ code: 1 });
    expect(await runSql(url, 'select sum(posts)::int as posts from campaign.spent')).toEqual([{ posts: 0 }]);
  });
});
