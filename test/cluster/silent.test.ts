/**
 * What becomes of a process that has died: how long it takes at most until others have what it had claimed, and that
 * nothing waits for good for what it did not come to. The parts of that time: a job counts as lost after 10 seconds
 * without a sign of life, each process looks for such jobs every 3 seconds, and asks for work at least every 0.4 seconds.
 */
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConnection } from '../../src/store/postgres/connection.ts';
import { databaseAt } from '../../src/store/postgres/database-url.ts';
import { completeJobs, openQueue, queueOf } from '../../src/store/postgres/queue.ts';
import type { SharedRun } from '../../src/store/shared-run.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode, productNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { serverIsOldEnough, shareOf } from './two-processes.ts';

const LEFT_MS = 3_000;

const ACTIVE = `select data ->> 'address' as address, id, retry_count::int as retries,
  extract(epoch from clock_timestamp() - heartbeat_on)::float8 as silent
  from campaign_queue.job where name = $1 and state = 'active' order by 1`;

/** Who waits for a lock on the nodes. */
const WAITING = `select pid from pg_locks where relation = 'campaign.node'::regclass and not granted`;

/** Keeps everybody from the nodes, once `locked`. */
async function lockNodes(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    locked: client.query('begin; lock table campaign.node in access exclusive mode'),
    end: () => client.end(),
  };
}

function waiting(url: string, count: number) {
  const found = async () => (await runSql(url, WAITING)).map(({ pid }) => Number(pid));
  return vi.waitUntil(async () => ((await found()).length === count ? found() : undefined), {
    timeout: 60_000,
  });
}

/** Two processes: the first one does nothing by itself any more, like one that has died; time is the test's in the second. */
async function scene(nodes: Parameters<typeof shareOf>[0]) {
  const clock = createManualClock();
  const { both, url } = await shareOf(nodes, { first: createManualClock(), second: clock });
  await serverIsOldEnough(url);
  const [dead, alive] = both as [SharedRun, SharedRun];
  onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
  const claimed = async (run: SharedRun) => {
    const { claimed: all } = await run.claim({ wanted: 4, busy: 0 });
    return all.map(({ node }) => node.address).toSorted();
  };
  const active = () => runSql(url, ACTIVE, [queueOf(dead.id)]);
  const silentFor = (address: string, seconds: number) =>
    runSql(
      url,
      `update campaign_queue.job set heartbeat_on = clock_timestamp() - $2 * interval '1 second'
        where name = $3 and data ->> 'address' = $1`,
      [address, seconds, queueOf(dead.id)],
    );
  return { clock, url, dead, alive, claimed, active, silentFor };
}

describe.runIf(hasPostgres)('what a process has claimed', () => {
  it('stays its own for 10 seconds of silence, and is given to another one 3 seconds later at most', async () => {
    const { clock, dead, alive, claimed, active, silentFor } = await scene([
      uploadNode('a'),
      uploadNode('b'),
    ]);
    expect(await claimed(dead)).toEqual(['upload/a', 'upload/b']);
    const jobs = await active();
    expect(jobs.map(({ retries }) => retries)).toEqual([0, 0]);
    await silentFor('upload/a', 10.1);
    await silentFor('upload/b', 2);
    // Nobody has looked for it yet.
    expect(await claimed(alive)).toEqual([]);
    await clock.advance(LEFT_MS);
    await vi.waitUntil(async () => (await active()).length === 1, { timeout: 60_000 });
    expect(await claimed(alive)).toEqual(['upload/a']);
    expect((await active()).map(({ address, retries }) => [address, retries])).toEqual([
      ['upload/a', 1],
      ['upload/b', 0],
    ]);
  });

  it('is kept by signs of life, as long as the process works at it', async () => {
    const { clock, alive, claimed, active, silentFor } = await scene([uploadNode('a')]);
    expect(await claimed(alive)).toEqual(['upload/a']);
    await silentFor('upload/a', 9);
    await clock.advance(LEFT_MS);
    await vi.waitUntil(async () => Number((await active())[0]?.['silent']) < 8, { timeout: 60_000 });
    expect(await active()).toMatchObject([{ address: 'upload/a', retries: 0 }]);
  });

  it('and has not heard of, because its connection was cut meanwhile, is given to another one', async () => {
    const { clock, url, alive, claimed, active, silentFor } = await scene([uploadNode('a')]);
    const first = await lockNodes(url);
    await first.locked;
    const claiming = claimed(alive);
    await waiting(url, 1);
    // Whoever comes next has its turn when the first question was answered.
    const next = await lockNodes(url);
    await waiting(url, 2);
    await first.end();
    await next.locked;
    const [pid] = await waiting(url, 1);
    // It has got the job, and asks what is to be done.
    expect(await active()).toHaveLength(1);
    await runSql(url, 'select pg_terminate_backend($1)', [pid]);
    await next.end();
    expect(await claiming).toEqual([]);
    await silentFor('upload/a', 10.1);
    await clock.advance(LEFT_MS);
    await vi.waitUntil(async () => (await claimed(alive)).length > 0, { timeout: 60_000 });
    expect(await active()).toMatchObject([{ address: 'upload/a', retries: 1 }]);
  });

  it('was the end of the run: another one ends it', async () => {
    const { clock, dead, alive, url } = await scene([]);
    const died = new Error('it dies');
    const ending = dead.finish(() => Promise.reject(died));
    await expect(ending).rejects.toBe(died);
    expect(await alive.finish(() => Promise.resolve())).toBe(false);
    await runSql(
      url,
      `update campaign_queue.job set heartbeat_on = heartbeat_on - interval '10.1 seconds' where name = $1`,
      [`${queueOf(dead.id)}-end`],
    );
    await clock.advance(LEFT_MS);
    await vi.waitUntil(() => alive.finish(() => Promise.resolve()), { timeout: 60_000 });
    expect(await alive.look()).toMatchObject({ isOver: true });
  });

  it('had ended, and nobody had come to release what waits for it: another one does', async () => {
    const nodes = [
      uploadNode('a'),
      conceptNode('c'),
      productNode('a', { dependsOn: ['upload/a', 'concept/c'] }),
    ];
    const { clock, url, dead, alive, claimed, active } = await scene(nodes);
    expect(await claimed(dead)).toEqual(['concept/c', 'upload/a']);
    // It dies right after the transaction that says so.
    const held = await active();
    const database = databaseAt(url, {});
    if (!database.ok) throw new Error(database.error.detail);
    const connection = createConnection(database.value);
    const boss = await openQueue(connection.query);
    await connection.transaction(async (query) => {
      const claims = held.map(({ id, retries }) => ({ id: String(id), retryCount: Number(retries) }));
      expect(await completeJobs(boss, queueOf(dead.id), { claims, query })).toBe(2);
      await query(`update campaign.node set ended = 'done' where run = $1 and kind <> 'product'`, [dead.id]);
    });
    await boss.stop({ graceful: false });
    await connection.close();
    expect(await claimed(alive)).toEqual([]);
    await clock.advance(LEFT_MS);
    await vi.waitUntil(async () => (await claimed(alive)).includes('product/a'), { timeout: 60_000 });
  });
});
