/** A role that may take part in a run but not ask when requests may leave: its processes say so, and wait for nothing. */
import { expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { makeRoles } from '../support/documented-roles.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';

const TIMES = 'function campaign.take_times(bigint, int)';

it.runIf(hasPostgres)(
  'an apply that gets no times ends with 74, a worker says why, and both go on afterwards',
  async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(2, 'limits: { requests_per_second: 100 }\n'), service);
    const url = await makeDatabase();
    const roles = await makeRoles(url);
    expect(await campaign.run(['db', 'migrate'], { CAMPAIGN_STATE: roles.as('owner') })).toMatchObject({
      code: 0,
    });
    await roles.grant();
    await runSql(url, `revoke execute on ${TIMES} from public`);
    const env = { CAMPAIGN_STATE: roles.as('worker') };
    const worker = campaign.start(['worker', '--json'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);

    const apply = campaign.start(['apply', 'm.yaml'], env);
    onTestFinished(() => void apply.process.kill('SIGKILL'));
    const { code, stderr } = await apply.end;
    expect(code, stderr).toBe(74);
    expect(stderr).toContain('permission denied for function take_times');
    expect(JSON.parse(await worker.seen(/"cannot-write"/))).toMatchObject({
      type: 'waiting',
      detail: expect.stringContaining('permission denied for function take_times') as string,
    });
    expect(
      service.requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('token')),
    ).toEqual([]);

    await runSql(url, `grant execute on ${TIMES} to public`);
    const again = await campaign.run(['apply', 'm.yaml'], env);
    expect(again.code, again.stderr).toBe(0);
    await checkComplete(service, campaign, { env, count: 2 });
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
  },
);
