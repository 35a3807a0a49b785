/**
 * The commands of docs/scale.md for a run that several processes carry out, with a real Postgres; what the service has
 * decides. A seed says who is killed when; in the full form one worker is killed every second until the run has ended.
 */
import { describe, expect, it } from 'vitest';
import { type CampaignFolder, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { checkComplete, checkLedger, decideAll, madeAtLeast, manyProducts } from './shared-campaign.ts';

const SEEDS = IS_FULL ? 20 : 2;
const COUNT = IS_FULL ? 300 : 12;

interface Scene {
  readonly service: BareService;
  readonly campaign: CampaignFolder;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly random: () => number;
  /** Until then no post is finished, and so the run does not end. */
  readonly finishPosts: () => void;
}

type Workers = ReturnType<typeof startWorker>[];

function startWorker({ campaign, env }: Pick<Scene, 'campaign' | 'env'>) {
  return campaign.start(['worker', '--json', '--slots', '4'], env);
}

/** In the middle of the run, one worker and the apply die, and one worker is stopped; the third one is left. */
async function killSome(scene: Scene, workers: Workers): Promise<void> {
  const { service, campaign, url, env, random, finishPosts } = scene;
  const apply = campaign.start(['apply', 'm.yaml'], env);
  const [first, second] = workers
    .splice(Math.floor(random() * workers.length), 1)
    .concat(workers.splice(0, 1));
  const victims = [
    { run: first, signal: 'SIGKILL' as const },
    { run: apply, signal: 'SIGKILL' as const },
    { run: second, signal: 'SIGTERM' as const },
  ];
  let made = 0;
  while (victims.length > 0) {
    made += 1 + Math.floor((random() * COUNT) / 2);
    await madeAtLeast(service, made);
    for (const { run, signal } of victims.splice(Math.floor(random() * victims.length), 1)) {
      run?.process.kill(signal);
      expect(await run?.end).toMatchObject(signal === 'SIGTERM' ? { code: 0 } : { signal });
    }
    await takeForSilent(url);
  }
  // The last one carries it to its end, by itself.
  finishPosts();
  await expect.poll(() => runSql(url, 'select from campaign.run where ended_at is null')).toEqual([]);
}

/** Nobody waits for ten seconds here: all are taken for silent, also those that are alive, which lose their claims. */
async function takeForSilent(url: string): Promise<void> {
  await runSql(url, "update campaign_queue.job set heartbeat_on = 'epoch' where state = 'active'");
  await runSql(url, "update campaign.part set beat = 'epoch'");
}

/** Every second one of the workers dies, and another one comes; the apply dies once, after the run was handed over. */
async function killOften(scene: Scene, workers: Workers): Promise<void> {
  const { campaign, url, env, random } = scene;
  const apply = campaign.start(['apply', 'm.yaml'], env);
  const lastOfApply = 2 + Math.floor(random() * 8);
  for (let second = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [run] = await runSql(url, 'select ended_how from campaign.run where shared is not null');
    if (run?.['ended_how']) return;
    if (run && ++second === lastOfApply) apply.process.kill('SIGKILL');
    const [victim] = workers.splice(Math.floor(random() * workers.length), 1, startWorker(scene));
    victim?.process.kill('SIGKILL');
    await victim?.end;
  }
}

const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);

describe.runIf(hasPostgres)('a run that workers share', () => {
  it.each(seeds)(
    'is carried out by all of them, whoever is killed, and pays for nothing twice: seed %i',
    async (seed) => {
      let pendingPolls = IS_FULL ? 1 : Number.POSITIVE_INFINITY;
      const finishPosts = () => void (pendingPolls = 0);
      const service = await untilTestEnds(startBareService({ pendingPolls: () => pendingPolls }));
      const campaign = await campaignFolder(manyProducts(COUNT), service);
      const url = await makeDatabase();
      const env = { CAMPAIGN_STATE: url };
      const scene = { service, campaign, url, env, random: seededRandom(seed), finishPosts };
      expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
      const workers = [1, 2, 3].map(() => startWorker(scene));
      await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
      await (IS_FULL ? killOften : killSome)(scene, workers);
      const runs = await runSql(url, 'select ended_how from campaign.run');
      expect(runs).toEqual([{ ended_how: 'ended' }]);
      const unknown = await checkLedger(service, campaign, env);

      await decideAll(service, campaign, { env, unknown });
      const rest = await campaign.run(['apply', 'm.yaml'], env);
      expect({ code: rest.code, err: rest.stderr }).toMatchObject({ code: 0 });
      for (const worker of workers) {
        worker.process.kill('SIGTERM');
        expect(await worker.end).toMatchObject({ code: 0 });
      }
      await checkComplete(service, campaign, { env, count: COUNT });
    },
  );
});
