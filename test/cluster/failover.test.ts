/**
 * A worker that dies for good, and one that is frozen in the middle of creates: what the database has of it says how long
 * anything stood still, and what the service has whether anything was bought twice.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { IS_FULL } from '../sweep/stride.ts';
import {
  checkComplete,
  checkLedger,
  CONCEPT_DONE,
  decideAll,
  madeAtLeast,
  manyProducts,
} from './shared-campaign.ts';

const COUNT = IS_FULL ? 60 : 8;
const STANDSTILL_SECONDS = 20;
const FROZEN_MS = 30_000;

/**
 * An apply that only watches, a worker whose products are made while their answers do not come, and others that have
 * nothing of the run yet. No post is finished until the test says so, and each poll has its answer: one that is held keeps
 * a slot, and nobody has a free one for what the frozen worker had claimed.
 */
async function scene(count: number) {
  const products = deferred<void>();
  let pendingPolls = Number.POSITIVE_INFINITY;
  const posts = { resolve: () => void (pendingPolls = 0) };
  const waits = (route: string) => (route === 'POST /products/' ? products.promise : undefined);
  const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls, waits }));
  const campaign = await campaignFolder(manyProducts(COUNT), service);
  const url = await makeDatabase();
  const env = { CAMPAIGN_STATE: url };
  expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
  const workers = Array.from({ length: count + 1 }, () =>
    campaign.start(['worker', '--json', '--slots', '4'], env),
  );
  // A frozen process ends with nothing less.
  onTestFinished(() => workers.forEach(({ process }) => void process.kill('SIGKILL')));
  await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
  const [victim, ...others] = workers as [Worker, ...Worker[]];
  for (const { process } of others) process.kill('SIGSTOP');
  const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
  await madeAtLeast(service, 3);
  // All that it has claimed then waits for an answer.
  await expect.poll(() => runSql(url, CONCEPT_DONE)).toHaveLength(1);
  const active = `select id from campaign_queue.job where state = 'active'`;
  const jobs = (await runSql(url, active)).map(({ id }) => String(id));
  const join = async () => {
    for (const { process } of others) process.kill('SIGCONT');
    await Promise.all(others.map((worker) => worker.seen(/"joined"/)));
  };
  return { service, campaign, url, env, victim, others, apply, jobs, products, posts, join };
}

type Worker = ReturnType<Awaited<ReturnType<typeof campaignFolder>>['start']>;

async function ended(worker: Worker): Promise<void> {
  worker.process.kill('SIGTERM');
  expect(await worker.end).toMatchObject({ code: 0 });
}

describe.runIf(hasPostgres)('the others of a shared run', () => {
  it('finish it without a worker that is killed and never comes back, and nothing stands still for 20 seconds', async () => {
    const { service, campaign, url, env, victim, others, apply, jobs, products, posts, join } = await scene(
      IS_FULL ? 2 : 1,
    );
    posts.resolve();
    await join();
    const [clock] = await runSql(url, 'select clock_timestamp() as now');
    victim.process.kill('SIGKILL');
    products.resolve();
    await apply.end;

    const again = await runSql(
      url,
      `select retry_count > 0 as lost, extract(epoch from started_on - $2)::float8 as seconds
        from campaign_queue.job where id = any ($1)`,
      [jobs, clock?.['now']],
    );
    expect(again.map(({ lost }) => lost)).toEqual(jobs.map(() => true));
    const [pause] = await runSql(
      url,
      `select max(extract(epoch from at - coalesce(before, $1)))::float8 as seconds from (
        select at, lag(at) over (order by seq) as before from campaign.event where at > $1) e`,
      [clock?.['now']],
    );
    for (const { seconds } of [...again, pause ?? {}]) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(STANDSTILL_SECONDS);
    }
    const unknown = await checkLedger(service, campaign, env);
    expect(unknown.length).toBeGreaterThanOrEqual(3);
    await decideAll(service, campaign, { env, unknown });
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    for (const worker of others) await ended(worker);
    await checkComplete(service, campaign, { env, count: COUNT });
  });

  it.each(IS_FULL ? ['goes on', 'has ended'] : ['goes on'])(
    'take over from one that is frozen, whose answers are recorded once it wakes up: the run %s',
    async (then) => {
      const { service, campaign, url, env, victim, others, apply, jobs, products, posts, join } =
        await scene(1);
      // The full form leaves it frozen for half a minute; the short one says that its claims have lapsed.
      victim.process.kill('SIGSTOP');
      const since = performance.now();
      const begun = await runSql(url, 'select address from campaign.node where has_intent');
      products.resolve();
      if (then === 'has ended') posts.resolve();
      await join();
      if (!IS_FULL)
        await runSql(url, `update campaign_queue.job set heartbeat_on = 'epoch' where id = any ($1)`, [jobs]);
      const unknown = () => runSql(url, `select address from campaign.node where ended = 'unknown'`);
      await expect.poll(async () => (await unknown()).length).toBeGreaterThanOrEqual(begun.length);
      if (then === 'has ended') expect((await apply.end).code).not.toBe(0);
      const left = IS_FULL ? FROZEN_MS - (performance.now() - since) : 0;
      await new Promise((resolve) => setTimeout(resolve, left));
      victim.process.kill('SIGCONT');
      // After the end of the run, its nodes stay as they were.
      if (then === 'goes on') await expect.poll(unknown).toEqual([]);
      posts.resolve();
      if (then === 'has ended') await expect.poll(() => checkLedger(service, campaign, env)).toEqual([]);
      if (then === 'goes on') expect(await apply.end).toMatchObject({ code: 0 });
      else expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
      for (const worker of [victim, ...others]) await ended(worker);
      await checkComplete(service, campaign, { env, count: COUNT });
    },
  );
});
