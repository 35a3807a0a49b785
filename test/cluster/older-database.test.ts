/**
 * A database that comes back older than it was, under processes that work with it: a backup that is brought back, and a standby
 * that lacked the newest records and is promoted. The service's ledger says that nothing was bought twice.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { deferred } from '../../src/util/deferred.ts';
import { hasOwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { conceptNode, uploadNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { MANY_STATE, manyProducts } from './shared-campaign.ts';
import { CREATED, INTENT, shareOf } from './two-processes.ts';

const COUNT = 4;

async function scene() {
  const server = await ownPostgres();
  let pendingPolls = Number.POSITIVE_INFINITY;
  const finishPosts = () => void (pendingPolls = 0);
  let held: Promise<void> | undefined;
  /** Products are made, but their answers do not come until it is called. */
  const holdProducts = () => {
    const { promise, resolve } = deferred<void>();
    held = promise;
    return resolve;
  };
  const waits = (route: string) => (route === 'POST /products/' ? held : undefined);
  const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls, waits }));
  const campaign = await campaignFolder(manyProducts(COUNT), service);
  const env = { CAMPAIGN_STATE: server.url };
  expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
  const start = async () => {
    const worker = campaign.start(['worker', '--json', '--slots', '4'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);
    return worker;
  };
  const allRequested = () =>
    expect
      .poll(() => runSql(server.url, `select from campaign.event where line like '%"type":"created"%'`))
      .toHaveLength(2 * COUNT + 1);
  const made = () => [service.created.products.length, service.created.configs.length];
  return { server, service, campaign, env, start, allRequested, made, finishPosts, holdProducts };
}

const openRuns = 'select ended_how from campaign.run where shared is not null';

describe.runIf(hasOwnPostgres)('a database that comes back older', () => {
  it.each(['restored', 'promoted'] as const)(
    'buys nothing, by workers that know it better, by new ones, or by an apply: %s',
    async (as) => {
      const { server, service, campaign, env, start, allRequested, made } = await scene();
      const workers = [await start(), await start()];
      for (const { process } of workers) process.kill('SIGSTOP');
      expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
      const pointer = await campaign.read(MANY_STATE);
      // The run is open in it, and nothing of it was begun.
      await server.backUp();
      for (const { process } of workers) process.kill('SIGCONT');
      for (const worker of workers) await worker.seen(/"joined"/);
      await allRequested();

      await server.comeBack(as);
      for (const worker of workers) await worker.seen(/"state-diverged"/);
      await expect.poll(() => runSql(server.url, openRuns)).toEqual([{ ended_how: 'older' }]);
      const newcomer = await start();
      const refused = await campaign.run(['apply', 'm.yaml'], env);
      expect(refused).toMatchObject({ code: 76 });
      expect(refused.stderr).toContain('campaign state use m.yaml ');
      expect(made()).toEqual([COUNT, COUNT]);
      // Other clones hear of it by git.
      expect(await campaign.read(MANY_STATE)).not.toBe(pointer);
      for (const worker of [...workers, newcomer]) {
        worker.process.kill('SIGTERM');
        expect(await worker.end).toMatchObject({ code: 0 });
      }

      // One that knows no more than the older log finds in the database that somebody did, who is gone.
      const clone = await campaignFolder(manyProducts(COUNT), service);
      await clone.write(MANY_STATE, pointer);
      const sent = await clone.run(['apply', 'm.yaml', '--no-wait'], env);
      expect(made()).toEqual([COUNT, COUNT]);
      expect(sent).toMatchObject({ code: 76 });
      expect((await clone.run(['plan', 'm.yaml'], env)).stderr).toContain('The state is older than before');
      expect(await clone.run(['state', 'use', 'm.yaml', server.url, '--yes'], env)).toMatchObject({
        code: 0,
      });
      expect((await clone.run(['plan', 'm.yaml'], env)).stderr).toBe('');
    },
  );

  it('is refused to a folder that knows less, by a worker that has nothing to do', async () => {
    const { server, service, campaign, env, start, made, finishPosts } = await scene();
    finishPosts();
    const worker = await start();
    await campaign.write('m.yaml', manyProducts(1));
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    const pointer = await campaign.read(MANY_STATE);
    await server.backUp();
    await campaign.write('m.yaml', manyProducts(COUNT));
    // No folder learns what comes of it.
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    await expect.poll(made).toEqual([COUNT, COUNT]);
    await expect
      .poll(() => runSql(server.url, 'select from campaign.run where ended_at is null'))
      .toEqual([]);
    await server.comeBack('promoted');
    const older = `select from campaign.run where ended_how = 'older'`;

    const clone = await campaignFolder(manyProducts(COUNT), service);
    await clone.write(MANY_STATE, pointer);
    expect(await clone.run(['apply', 'm.yaml', '--yes'], env)).toMatchObject({ code: 76 });
    expect(made()).toEqual([COUNT, COUNT]);
    // A decision counts for the worker, too, and is asked for once.
    const decided = await clone.run(['state', 'use', 'm.yaml', server.url, '--yes'], env);
    expect(decided).toMatchObject({ code: 0 });
    expect(await clone.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    await expect.poll(() => made()[1]).toBe(2 * COUNT - 1);
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    expect(await runSql(server.url, older)).toHaveLength(1);
  });

  it('ends the apply that works alone, which keeps the answers that it waits for', async () => {
    const { server, campaign, env, made, finishPosts, holdProducts } = await scene();
    finishPosts();
    await campaign.write('m.yaml', manyProducts(1));
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    await server.backUp();
    await campaign.write('m.yaml', manyProducts(COUNT));
    const letGo = holdProducts();
    const apply = campaign.start(['apply', 'm.yaml', '--yes'], env);
    onTestFinished(() => void apply.process.kill('SIGKILL'));
    await expect.poll(made).toEqual([COUNT, 1]);
    await server.comeBack('restored');
    letGo();
    const { code, stderr } = await apply.end;
    expect({ code, stderr }).toMatchObject({
      code: 76,
      stderr: expect.stringContaining('error: The state is older than before [state-diverged]') as string,
    });
    expect(stderr).toContain('What was under way is kept in ');
    expect(await campaign.run(['apply', 'm.yaml', '--yes'], env)).toMatchObject({ code: 76 });
    expect(made()).toEqual([COUNT, 1]);
    // After the decision, what was kept comes back, too: no product is made again.
    expect(await campaign.run(['state', 'use', 'm.yaml', server.url, '--yes'], env)).toMatchObject({
      code: 0,
    });
    expect(await campaign.run(['apply', 'm.yaml', '--yes'], env)).toMatchObject({ code: 0 });
    expect(made()).toEqual([COUNT, COUNT]);
  });
});

describe.runIf(hasPostgres)('a process of a run whose log comes back older', () => {
  const NODES = [conceptNode('c'), uploadNode('a')];
  const older = {
    name: 'StateWriteError',
    message: expect.stringContaining('has come back older') as string,
    exit: 76,
  };

  it('notices it, also where all that it has seen was recorded by others while it had nothing to do', async () => {
    const { both, url } = await shareOf(NODES);
    const [busy, idle] = both;
    if (!busy || !idle) throw new Error('there are two');
    expect((await busy.claim({ wanted: 8, busy: 0 })).claimed).toHaveLength(2);
    await busy.recorder.append([INTENT, CREATED]);
    expect((await idle.claim({ wanted: 8, busy: 0 })).claimed).toEqual([]);
    const campaign = `(select campaign from campaign.run where id = ${busy.id})`;
    await runSql(
      url,
      `delete from campaign.event where campaign = ${campaign} and seq > 1;
        update campaign.campaign set head_seq = 1 where id = ${campaign}`,
    );
    await expect(idle.claim({ wanted: 8, busy: 0 })).rejects.toMatchObject(older);
    await idle.close();
    // It has told the others.
    await expect(busy.claim({ wanted: 8, busy: 2 })).rejects.toMatchObject(older);
    await busy.close();
  });

  it('is told so where only another one has noticed it', async () => {
    const { both, url } = await shareOf(NODES);
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    await runSql(
      url,
      `update campaign.run set ended_at = clock_timestamp(), ended_how = 'older' where id = ${both[0]?.id}`,
    );
    for (const run of both) {
      await expect(run.claim({ wanted: 8, busy: 0 })).rejects.toMatchObject(older);
      await expect(run.look()).rejects.toMatchObject(older);
    }
  });
});
