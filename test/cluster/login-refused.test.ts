/** The password of a role is changed in the middle of a shared run, and all its connections end: the run goes on once the file has the new one. */
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, roleIn } from '../support/postgres.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = 6;

it.runIf(hasPostgres)(
  'a log-in that is refused is waited for by apply and worker, and the password read again',
  async () => {
    const products = deferred<void>();
    const waits = (route: string) => (route === 'POST /products/' ? products.promise : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const owner = await makeDatabase();
    const login = await roleIn(owner);
    const passwords = path.join(campaign.folder, 'passwords');
    const setPassword = async (password: string) => {
      await campaign.write('passwords', `*:*:*:*:${password}\n`);
      await chmod(passwords, 0o600);
    };
    await setPassword('canary-first-8Zq');
    const env = {
      CAMPAIGN_STATE: Object.assign(new URL(login.url), { password: '' }).href,
      PGPASSFILE: passwords,
    };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json', '--slots', '2'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);
    const apply = campaign.start(['apply', 'm.yaml'], env);
    await worker.seen(/"joined"/);
    await madeAtLeast(service, 3);

    await login.refuse();
    // A question that was under way may only find its connection gone.
    const waiting = await worker.seen(/"database-refused"/);
    expect(JSON.parse(waiting)).toMatchObject({
      code: 'database-refused',
      detail: expect.stringContaining(`${passwords}, which is read again for each connection`) as string,
    });
    // A command that begins now waits for nothing.
    const status = await campaign.run(['status', 'm.yaml'], env);
    expect(status).toMatchObject({ code: 77, stderr: expect.stringContaining(passwords) as string });
    products.resolve();
    await setPassword('canary-second-8Zq');
    const { code, stderr } = await apply.end;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(status.stderr + stderr + waiting).not.toContain('canary-');
    expect(await checkLedger(service, campaign, env)).toEqual([]);
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  },
);
