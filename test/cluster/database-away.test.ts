/** The database of a shared run is killed in its middle, and comes back: nobody gives up, and nothing is unknown. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { checkComplete, checkLedger, madeAtLeast, manyProducts } from './shared-campaign.ts';

const COUNT = IS_FULL ? 100 : 10;
/** So long it is away; in `npm test` it is started again at once. */
const AWAY_MS = IS_FULL ? 5_000 : 0;

async function ownPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-database-'));
  await chmod(folder, 0o755);
  const server = await startPostgres(folder);
  let { pid } = server;
  const end = async () => {
    // At once, as in a crash.
    process.kill(pid, 'SIGQUIT');
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  onTestFinished(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: server.url,
    async crash() {
      await end();
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      pid = await server.again();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.runIf(hasPostgres && process.env['CAMPAIGN_TEST_POSTGRES'] === undefined)(
  'a shared run whose database crashes',
  () => {
    it('goes on once that is back, and ends as if nothing had been', async () => {
      const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
      const campaign = await campaignFolder(manyProducts(COUNT), service);
      const database = await ownPostgres();
      const env = { CAMPAIGN_STATE: database.url };
      expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
      const worker = campaign.start(['worker', '--json', '--slots', '4'], env);
      await worker.seen(/"ready"/);
      const apply = campaign.start(['apply', 'm.yaml'], env);
      await madeAtLeast(service, 4);
      await database.crash();
      const { code, stderr } = await apply.end;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      worker.process.kill('SIGTERM');
      expect(await worker.end).toMatchObject({ code: 0 });
      expect(await checkLedger(service, campaign, env)).toEqual([]);
      await checkComplete(service, campaign, { env, count: COUNT });
    });
  },
);
