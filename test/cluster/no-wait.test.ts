/** Posts that nobody waits for take up room (`limits.media_in_flight`) for the rest of their run, and keep no run from its end. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { manyProducts } from './shared-campaign.ts';

type Env = Readonly<Record<string, string>>;

const COUNT = 5;
const LIMITS = 'limits: { media_in_flight: 2 }\n';

function startUntilTestEnds(campaign: CampaignFolder, args: readonly string[], env: Env) {
  const run = campaign.start(args, env);
  onTestFinished(() => void run.process.kill('SIGKILL'));
  return run;
}

async function withWorker(campaign: CampaignFolder, env: Env): Promise<void> {
  expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
  await startUntilTestEnds(campaign, ['worker', '--json', '--slots', '4'], env).seen(/"ready"/);
}

/** How each post and request ended, and why, in any order. */
function endsIn(stdout: string) {
  const events = stdout
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line) as Record<string, unknown>] : []));
  return events
    .filter(({ type }) => type === 'node-finished')
    .map(({ address, end, problem }) => ({ address, end, problem }));
}

type Ends = ReturnType<typeof endsIn>;

/** Which of the requests comes first is not the same each time. */
function countsOf(ends: Ends): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { address, end, problem } of ends) {
    const { summary = '' } = (problem ?? {}) as { summary?: string };
    const key = `${String(address).split('/')[0]} ${String(end)} ${summary}`.trim();
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const STALLED = {
  'upload done': 1,
  'product done': COUNT,
  'concept done': 1,
  'media-config done': 2,
  'media pending': 2,
  'media-config put-off too many posts are being generated': COUNT - 2,
  'media put-off put off with what it depends on': COUNT - 2,
  'download pending waits for what it depends on': 2,
  'download put-off put off with what it depends on': COUNT - 2,
};

describe.runIf(hasPostgres)('an apply that does not wait, with more posts than may be generated', () => {
  it.each([['with workers'], ['--no-work'], ['alone']])(
    'puts the others off, and ends with 3: %s',
    async (how) => {
      const service = await untilTestEnds(startBareService({ pendingPolls: 1_000_000 }));
      const campaign = await campaignFolder(manyProducts(COUNT, LIMITS), service);
      const env = { CAMPAIGN_STATE: await makeDatabase() };
      if (how !== 'alone') await withWorker(campaign, env);
      const flags = how === '--no-work' ? [how] : [];
      const { code, stdout, stderr } = await startUntilTestEnds(
        campaign,
        ['apply', 'm.yaml', '--no-wait', '--json', ...flags],
        env,
      ).end;
      expect(code, stderr).toBe(3);
      expect(countsOf(endsIn(stdout))).toEqual(STALLED);
      expect(service.created.configs).toHaveLength(2);
    },
  );

  it('ends the run so, too, where it has left it to workers', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 1_000_000 }));
    const campaign = await campaignFolder(manyProducts(COUNT, LIMITS), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    await withWorker(campaign, env);
    expect(await campaign.run(['apply', 'm.yaml', '--no-wait', '--detach'], env)).toMatchObject({ code: 0 });
    const open = 'select from campaign.run where ended_at is null';
    await expect.poll(async () => (await runSql(url, open)).length, { timeout: 60_000 }).toBe(0);
    const history = await campaign.run(['history', 'm.yaml', '--json'], env);
    const [run] = JSON.parse(history.stdout) as object[];
    expect(run).toMatchObject({ exit_code: 3 });
    const requests = await runSql(
      url,
      `select ended from campaign.node where kind = 'media-config' order by 1`,
    );
    expect(requests.map(({ ended }) => ended)).toEqual(['done', 'done', 'put-off', 'put-off', 'put-off']);
  });
});
