/** `campaign worker --kinds`: who takes what, and a run in which nobody takes a kind says so. Each line of --json fits its schema. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { KINDS } from '../../src/model/kinds.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';
import { eventsOf, WORKER_SCHEMA } from './worker-events.ts';

const COUNT = 3;

describe.runIf(hasPostgres)('campaign worker --kinds', () => {
  it('takes only these kinds; whoever follows a run is told which ones nobody takes', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    const worker = (...args: string[]) => {
      const run = campaign.start(['worker', '--json', ...args], env);
      onTestFinished(() => void run.process.kill('SIGKILL'));
      return run;
    };
    // Without tables it waits.
    const creates = worker('--kinds', 'upload, product,concept', '--kinds', 'media-config');
    await creates.seen(/"waiting"/);
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    await creates.seen(/"ready"/);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work', '--json'], env);
    const said = await apply.seen(/No process of this run takes nodes of the kind media, download/);
    expect(JSON.parse(said)).toMatchObject({
      type: 'warning',
      summary: 'No process of this run takes nodes of the kind media, download',
    });
    await expect.poll(() => service.created.configs).toHaveLength(COUNT);
    const kindsOfJobs = await runSql(
      url,
      `select distinct group_id from campaign_queue.job where state < 'active' and name = 'run-1' order by 1`,
    );
    expect(kindsOfJobs).toEqual([{ group_id: 'download' }, { group_id: 'media' }]);
    expect(service.requests.filter(({ path }) => path.startsWith('/media/'))).toEqual([]);

    const rest = worker('--kinds', 'media,download');
    expect(await apply.end).toMatchObject({ code: 0 });
    const ends = [];
    for (const { process, end } of [creates, rest]) {
      process.kill('SIGTERM');
      ends.push(await end);
    }
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const names = { run: 1, campaign: 'many', environment: 'default' };
    // It may join and leave more often, where it has looked for work while the other one was ending the run.
    const [first, second] = ends.map(({ stdout }) => [
      ...new Map(eventsOf(stdout).map((event) => [JSON.stringify(event), event])).values(),
    ]);
    expect(first).toMatchObject([
      { type: 'waiting', code: 'database-not-migrated' },
      { type: 'ready', slots: 8, kinds: ['upload', 'product', 'concept', 'media-config'] },
      { type: 'joined', ...names },
      { type: 'left', ...names },
    ]);
    expect(second?.[0]).toMatchObject({ type: 'ready', kinds: ['media', 'download'] });
    await checkComplete(service, campaign, { env, count: COUNT });
  });
});

describe('the kinds of --kinds', () => {
  it('are those of the schema, and any other word is refused', async () => {
    const [ready] = WORKER_SCHEMA.oneOf;
    expect(ready?.properties.kinds?.items.enum).toEqual(Object.keys(KINDS));
    const campaign = await campaignFolder(manyProducts(1));
    for (const [given, why] of [
      [
        'medai',
        '"medai" is none of upload, product, concept, media-config, media, download. Did you mean "media"?',
      ],
      ['media,', '"" is none of upload'],
    ] as const) {
      const { code, stderr } = await campaign.run(['worker', '--kinds', given]);
      expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining(why) as string });
    }
  });
});
