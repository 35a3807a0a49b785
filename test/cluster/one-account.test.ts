/**
 * Two campaigns of one account, carried out by the same workers in a real Postgres: what they may do together is what one
 * of them might do alone. In the full form a worker is killed every second, by a seed.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { mostWithin, startMeter } from './metered-service.ts';
import { manyProducts } from './shared-campaign.ts';

const SEEDS = IS_FULL ? [1, 2, 3] : [1];
const COUNT = IS_FULL ? 60 : 16;
/** Less than both campaigns ask for, also without what a process that is killed leaves unknown. */
const BUDGET = IS_FULL ? 70 : 22;
const AT_ONCE = 10;
const PER_SECOND = 20;

function manifest(name: string, count: number): string {
  const more = `limits: { concurrency: ${AT_ONCE}, requests_per_second: ${PER_SECOND} }
budget: { per_month: { posts: ${BUDGET} } }
`;
  return manyProducts(count, more).replace('name: many', `name: ${name}`);
}

type Env = Readonly<Record<string, string>>;

function startUntilTestEnds(campaign: CampaignFolder, { args, env }: { args: readonly string[]; env: Env }) {
  const run = campaign.start(args, env);
  onTestFinished(() => void run.process.kill('SIGKILL'));
  return run;
}

function startWorker(campaign: CampaignFolder, env: Env) {
  return startUntilTestEnds(campaign, { args: ['worker', '--json', '--slots', '8'], env });
}

/** Notes how many times are given each time that somebody asks when requests may leave: from when on they were free, and until when they are taken. */
const NOTE_TIMES = `
create table public.given (times int not null, free timestamptz not null, until timestamptz not null);
alter function campaign.take_times(bigint, int) rename to times_given;
create function campaign.take_times(of_run bigint, most int) returns setof float8 language plpgsql as $$
declare
  of_account text;
  free timestamptz;
  given float8[];
begin
  select a.id, a.next_request into of_account, free
    from campaign.account a join campaign.run r on r.account = a.id where r.id = of_run for update of a;
  select array_agg(ms) into given from campaign.times_given(of_run, most) ms;
  insert into public.given select cardinality(given), free, a.next_request from campaign.account a where a.id = of_account;
  return query select unnest(given);
end $$;
`;

/** How many times were given, and how often some of them were not free. Once no run is open, nothing is limited. */
const TIMES_GIVEN = `
select coalesce(sum(times), 0)::int as times,
  count(*) filter (where until > free and free + times * interval '1 second' / ${PER_SECOND} > until)::int as taken
  from public.given`;

async function isOver(url: string): Promise<boolean> {
  const runs = await runSql(url, 'select ended_at from campaign.run where shared is not null');
  return runs.length > 1 && runs.every(({ ended_at: at }) => at !== null);
}

describe.runIf(hasPostgres)('two campaigns of one account', () => {
  it.each(SEEDS)(
    'have 10 requests at once, 20 a second, and one budget, whoever is killed: seed %i',
    async (seed) => {
      const random = seededRandom(seed);
      // Answered only once as many are under way as may be.
      const products = deferred<void>();
      const held: Record<string, Promise<void>> = { 'POST /products/': products.promise };
      const service = await untilTestEnds(
        startBareService({ pendingPolls: 0, waits: (route) => held[route] }),
      );
      const meter = await untilTestEnds(startMeter(service, 50));
      const [one, two] = await Promise.all(
        ['one', 'two'].map((name) => campaignFolder(manifest(name, COUNT), meter)),
      );
      if (!one || !two) throw new Error('there are two');
      const url = await makeDatabase();
      const env = { CAMPAIGN_STATE: url };
      expect(await one.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
      await runSql(url, NOTE_TIMES);
      const workers = [1, 2, 3, 4].map(() => startWorker(one, env));
      await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
      const args = ['apply', 'm.yaml', '--no-work'];
      const applies = [one, two].map((campaign) => startUntilTestEnds(campaign, { args, env }));
      await expect.poll(() => meter.underWay).toBe(AT_ONCE);
      const killOne = async () => {
        const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
        victim?.process.kill('SIGKILL');
        await victim?.end;
      };
      await killOne();
      products.resolve();
      if (IS_FULL) {
        while (!(await isOver(url))) {
          workers.push(startWorker(one, env));
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          await killOne();
        }
      } else {
        // Nobody waits for ten seconds here: all are taken for silent, and keep their slots.
        await runSql(url, "update campaign_queue.job set heartbeat_on = 'epoch' where state = 'active'");
      }
      const ends = await Promise.all(applies.map(({ end }) => end));
      // Whichever of the two is faster may spend the whole budget: in the short form it then completes.
      for (const { code, stderr } of ends) expect([0, 4, 5], stderr).toContain(code);
      expect(meter.most).toBe(AT_ONCE);
      // Of those that are under way, each may have left when it might, and come late.
      expect(mostWithin(meter.times, 5_000)).toBeLessThanOrEqual(5 * PER_SECOND + AT_ONCE);
      // How many come in a second is up to the machine, too; that each has a time of its own is not.
      const [given] = await runSql(url, TIMES_GIVEN);
      expect(given?.['taken']).toBe(0);
      expect(given?.['times']).toBeGreaterThanOrEqual(meter.times.length);
      expect(service.created.configs.length).toBeLessThanOrEqual(BUDGET);
      const [spent] = await runSql(url, 'select sum(posts)::int as posts from campaign.spent');
      expect(spent?.['posts']).toBeLessThanOrEqual(BUDGET);
      // Where many are killed or stand still, so many products may be unknown that the rest costs less.
      const blocked = await runSql(
        url,
        "select from campaign.node where kind = 'media-config' and ended = 'blocked'",
      );
      if (!IS_FULL) expect(spent).toEqual({ posts: Math.min(BUDGET, 2 * COUNT - blocked.length) });
      for (const worker of workers) {
        worker.process.kill('SIGTERM');
        expect(await worker.end).toMatchObject({ code: 0 });
      }
    },
  );
});
