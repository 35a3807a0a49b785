/** The password of a role is changed in the middle of a shared run, and all its connections end: nothing that was paid for is lost. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, roleIn } from '../support/postgres.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = 6;

it.runIf(hasPostgres)('a log-in that is refused ends the apply with 74, and no worker', async () => {
  const products = deferred<void>();
  const waits = (route: string) => (route === 'POST /products/' ? products.promise : undefined);
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
  const campaign = await campaignFolder(manyProducts(COUNT), service);
  const owner = await makeDatabase();
  const login = await roleIn(owner);
  const env = { CAMPAIGN_STATE: login.url };
  expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
  const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
  onTestFinished(() => void worker.process.kill('SIGKILL'));
  await worker.seen(/"ready"/);
  const apply = campaign.start(['apply', 'm.yaml'], env);
  await worker.seen(/"joined"/);
  await madeAtLeast(service, 3);

  await login.refuse();
  await worker.seen(/"waiting"/);
  products.resolve();
  const end = await apply.end;
  expect(end.code, end.stderr).toBe(74);
  expect(end.stderr).toContain('See to the database, then run again');
  expect(end.stderr).not.toContain('canary-');
  await login.admit();

  // What the processes had sent is in files: the run that was open ends without it, and one of the next takes it in.
  const isKnown = async () => {
    await campaign.run(['apply', 'm.yaml'], env);
    return (await checkLedger(service, campaign, env)).length === 0;
  };
  await vi.waitUntil(isKnown, { timeout: 120_000 });
  expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
  worker.process.kill('SIGTERM');
  expect(await worker.end).toMatchObject({ code: 0 });
  await checkComplete(service, campaign, { env, count: COUNT });
});
