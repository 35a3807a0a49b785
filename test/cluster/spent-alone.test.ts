/** A run that one process carries out, and a shared run of the same account at the same time: both count in one place. */
import { rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { createConnection, type Query } from '../../src/store/postgres/connection.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { openLedger } from '../../src/store/postgres/ledger.ts';
import { createPatience } from '../../src/store/postgres/patience.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { realClock } from '../../src/util/clock.ts';
import { deferred } from '../../src/util/deferred.ts';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { intent } from '../log/fold-events.ts';
import { AT, IDENTITY } from '../store/file/sample-log.ts';
import { makePlace } from '../store/file/state-place.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { manyProducts } from './shared-campaign.ts';
import { databaseOf, INTENT } from './two-processes.ts';

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

  it('is counted once, also where the answer of the database is lost while another request begins', async () => {
    const { folder, file } = await makePlace();
    onTestFinished(() => rm(folder, { recursive: true }));
    const url = await makeDatabase();
    const store = createPostgresStore({
      database: databaseOf(url),
      file,
      identity: IDENTITY,
      witnesses: NO_WITNESSES,
    });
    const session = await store.write({
      lockTimeoutMs: 0,
      clock: realClock,
      runId: 'run-1',
      command: 'campaign apply',
      newLineage: () => 'lineage-1',
      begin: {
        type: 'run-started',
        at: AT,
        command: 'apply',
        version: '1',
        manifest: 'm',
        by: 'anna@studio',
      },
    });
    if (!session.ok) throw new Error(session.error.detail);
    onTestFinished(() => session.value.close());
    await session.value.recorder.append([INTENT]);
    const connection = createConnection(databaseOf(url));
    onTestFinished(() => connection.close());
    let asked = 0;
    const query: Query = async (text, values) => {
      const rows = await connection.query(text, values);
      if (!text.includes('spend_alone') || ++asked > 1) return rows;
      throw new DatabaseError('LOST', 'the connection has ended');
    };
    const ledger = await openLedger(
      { ...connection, query },
      {
        run: 1,
        patiently: createPatience({ clock: realClock, longestMs: 60_000 }),
        account: 'a',
        budget: { limits: [], run: { posts: 0, cost: 0n }, states: [] },
      },
    );
    const request = { numberOfPosts: 1 };
    const intents = ['a', 'b'].map(
      (name) => ({ ...intent(`media-config/${name}@1`), at: AT, request }) as unknown as StateEvent,
    );
    await Promise.all(intents.map((event) => ledger.before([event])));
    expect(asked).toBe(3);
    expect(await runSql(url, 'select sum(posts)::int as posts from campaign.spent')).toEqual([{ posts: 2 }]);
  });
});
