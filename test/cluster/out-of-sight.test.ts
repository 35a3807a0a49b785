/** Who only looks at a shared run loses its database for good: the run goes on without them, and they say so. */
import { expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, roleIn, runSql } from '../support/postgres.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';

const COUNT = 3;

it.runIf(hasPostgres)(
  'an apply that follows, and campaign stop, end with 74 where they may not read any more',
  async () => {
    // A poll may be asked again, however long all of this takes.
    const polls = deferred<void>();
    const waits = (route: string) => (route.startsWith('GET /media/') ? polls.promise : undefined);
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, waits }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const owner = await makeDatabase();
    const login = await roleIn(owner);
    const env = { CAMPAIGN_STATE: owner };
    const watching = { CAMPAIGN_STATE: login.url };
    const start = (args: readonly string[], as: Readonly<Record<string, string>>) => {
      const run = campaign.start(args, as);
      onTestFinished(() => void run.process.kill('SIGKILL'));
      return run;
    };
    expect(await campaign.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    const worker = start(['worker', '--json'], env);
    await expect.poll(() => service.requests.some(({ path }) => path.startsWith('/media/'))).toBe(true);
    const apply = start(['apply', 'm.yaml', '--no-work'], watching);
    await apply.seen(/takes part in it/);
    const stop = start(['stop', 'm.yaml'], watching);
    await expect.poll(() => runSql(owner, 'select stop from campaign.run')).toEqual([{ stop: ['stopped'] }]);

    await login.disarm();
    const ended = await apply.end;
    expect(ended.code, ended.stderr).toBe(74);
    expect(ended.stdout).toMatch(/\nThe run is out of sight; so far \d created\.\n/);
    expect(ended.stdout).toContain(
      'It has not ended, and others may carry it out; another `campaign apply m.yaml` ' +
        'takes part in it. `campaign status m.yaml --watch` shows it, `campaign stop m.yaml` ends it.\n',
    );
    expect(ended.stderr).toContain('See to the database, then run again');
    const stopped = await stop.end;
    expect(stopped.code, stopped.stderr).toBe(74);
    expect(stopped.stderr).toContain('Nobody begins anything more in this run, but its end cannot be seen');
    expect(ended.stderr + stopped.stderr).not.toMatch(/canary-|bug/);

    polls.resolve();
    await expect
      .poll(() => runSql(owner, 'select ended_at is null as goes_on from campaign.run'))
      .toEqual([{ goes_on: false }]);
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    worker.process.kill('SIGTERM');
    expect(await worker.end).toMatchObject({ code: 0 });
    await checkComplete(service, campaign, { env, count: COUNT });
  },
);
