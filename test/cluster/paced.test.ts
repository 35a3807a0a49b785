/** `requests_per_second`, as the service sees it: every request counts, whatever it asks for. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { AT } from '../store/file/sample-log.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { downloadNode, mediaNode } from '../support/planned-nodes.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { startMeter } from './metered-service.ts';
import { manyProducts } from './shared-campaign.ts';
import { shareOf } from './two-processes.ts';

const COUNT = 12;
const PER_SECOND = 40;
const AT_ONCE = 8;

it('the requests of one process are as many as the limit says, with its token and each file', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const meter = await untilTestEnds(startMeter(service, 0));
  const limits = `limits: { concurrency: ${AT_ONCE}, requests_per_second: ${PER_SECOND} }\n`;
  const manifest = manyProducts(COUNT, limits).replace('post_type: image', 'post_type: carousel');
  const campaign = await campaignFolder(manifest, meter);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  expect(meter.paths.filter((path) => path.startsWith('GET /files/'))).toHaveLength(3 * COUNT);
  const [first = 0] = meter.times;
  const seconds = ((meter.times.at(-1) ?? 0) - first) / 1_000;
  // Of those that are under way, each may have left when it might, and come late.
  expect(meter.times.length).toBeLessThanOrEqual((seconds + 0.25) * PER_SECOND + AT_ONCE);
});

describe.runIf(hasPostgres)('the files of a post', () => {
  it('are for a moment those of the process that has found it finished, because that knows their links', async () => {
    const posts = ['a', 'b'].flatMap((name) => [
      mediaNode(name, '1', { dependsOn: [] }),
      downloadNode(name, '1', { dependsOn: [`media/${name}/1@1`] }),
    ]);
    const { both, url } = await shareOf(posts);
    const [one, two] = both;
    if (!one || !two) throw new Error('there are two');
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    const claimedBy = async (run: typeof one, wanted: number) =>
      (await run.claim({ wanted, busy: 0 })).claimed.map(({ node }) => node.address);
    const finish = async (run: typeof one, address: string) => {
      await run.recorder.append([{ type: 'generated', at: AT, address, result: { id: address, urls: [] } }]);
      await run.end(address, 'done');
    };
    expect(await claimedBy(one, 1)).toEqual(['media/a/1@1']);
    expect(await claimedBy(two, 1)).toEqual(['media/b/1@1']);
    await finish(one, 'media/a/1@1');
    await finish(two, 'media/b/1@1');
    const open = `select count(*)::int as n from campaign_queue.job where name = $1 and group_id = 'download' and not blocked`;
    await expect.poll(() => runSql(url, open, [`run-${one.id}`])).toEqual([{ n: 2 }]);
    expect(await claimedBy(two, 4)).toEqual(['download/b/1@1']);
    expect(await claimedBy(two, 4)).toEqual([]);
    // The first one has no room for it.
    await runSql(url, `update campaign_queue.job set start_after = now() where state < 'active'`);
    expect(await claimedBy(two, 4)).toEqual(['download/a/1@1']);
    expect(await claimedBy(one, 4)).toEqual([]);
  });
});
