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

/** Notes each time at which somebody asked when a request may leave, and the next one was not free yet. */
const NOTE_WAITS = `
create table public.waited (at timestamptz not null default clock_timestamp());
create function public.note_wait() returns trigger language plpgsql as $$
begin
  if old.next_request > clock_timestamp() then
    insert into public.waited default values;
  end if;
  return new;
end $$;
create trigger note_wait after update of next_request on campaign.account for each row execute function public.note_wait();
`;

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
      await runSql(url, NOTE_WAITS);
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
      // How many come in a second is up to the machine, too; that they have to wait for each other is not.
      const [waited] = await runSql(url, 'select count(*)::int as n from public.waited');
      expect(waited?.['n']).toBeGreaterThanOrEqual(AT_ONCE);
      expect(service.created.configs.length).toBeLessThanOrEqual(BUDGET);
      const [spent] = await runSql(url, 'select sum(posts)::int as posts from campaign.spent');
      expect(spent?.['posts']).toBeLessThanOrEqual(BUDGET);
      // Where many are killed, so many products may be unknown that the rest costs less.
      if (!IS_FULL) expect(spent).toEqual({ posts: BUDGET });
      for (const worker of workers) {
        worker.process.kill('SIGTERM');
        expect(await worker.end).toMatchObject({ code: 0 });
      }
    },
  );
});
