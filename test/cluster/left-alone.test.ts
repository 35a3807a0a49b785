/** A worker that takes no part in a run says why, once for each cause, and takes part as soon as it can. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { API_KEY, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { startCli } from '../support/run-cli.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';
import { eventsOf } from './worker-events.ts';

type Env = Readonly<Record<string, string>>;

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-worker-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function detached(env: Env) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manyProducts(2), service);
  const url = await makeDatabase();
  const applied = await campaign.run(['apply', 'm.yaml', '--detach'], { CAMPAIGN_STATE: url, ...env });
  expect(applied).toMatchObject({ code: 0 });
  const worker = (cwd: string, own: Env, ...args: string[]) => {
    const run = startCli(['worker', ...args], { cwd, env: { CAMPAIGN_STATE: url, ...own } });
    onTestFinished(() => void run.process.kill('SIGKILL'));
    return run;
  };
  return { service, campaign, env: { CAMPAIGN_STATE: url, ...env }, worker };
}

describe.runIf(hasPostgres)('a worker that leaves a run to others', () => {
  it('says that it has no key, or another one, and takes part once it has the right one', async () => {
    const { service, campaign, env, worker } = await detached({});
    const cwd = await emptyFolder();
    const own = { CAMPAIGN_API_KEY_FILE: join(campaign.folder, 'key') };
    const run = worker(cwd, own, '--json');
    await run.seen(/"no-api-key"/);
    await campaign.write('key', 'another-key-0001');
    await run.seen(/"run-of-other-key"/);
    await campaign.write('key', API_KEY);
    await run.seen(/"left"/);
    run.process.kill('SIGTERM');
    const { code, stdout } = await run.end;
    expect(code).toBe(0);
    const where = { type: 'waiting', run: 1 };
    const names = { run: 1, campaign: 'many', environment: 'default' };
    expect(eventsOf(stdout)).toMatchObject([
      { type: 'ready' },
      {
        ...where,
        code: 'no-api-key',
        summary: 'No API key',
        detail: expect.stringMatching(
          /^Run 1 \(many, default\) is left to workers that have its API key\. CAMPAIGN_API_KEY_FILE names/,
        ) as string,
      },
      {
        ...where,
        code: 'run-of-other-key',
        detail: expect.stringContaining(
          `the one in the file ${campaign.folder}/key (CAMPAIGN_API_KEY_FILE) is another`,
        ) as string,
      },
      { type: 'joined', ...names },
      { type: 'left', ...names },
    ]);
    for (const secret of [API_KEY, 'another-key-0001']) expect(stdout).not.toContain(secret);
    await checkComplete(service, campaign, { env, count: 2 });
  });

  it('says that it does not find the files of the run', async () => {
    const [storage, other] = [await emptyFolder(), await emptyFolder()].map(
      (path) => pathToFileURL(path).href,
    );
    const { campaign, env, worker } = await detached({ CAMPAIGN_FILES: storage ?? '' });
    const key = { CAMPAIGN_API_KEY: API_KEY };
    const without = worker(await emptyFolder(), key);
    expect(await without.seen(/elsewhere/)).toBe(
      '  ! The photos and results of a run are elsewhere: Run 1 (many, default) is left to workers that have its files: they ' +
        `are in ${storage}, and this worker has no storage. Start it with --files, or with CAMPAIGN_FILES. It is tried again.`,
    );
    const elsewhere = worker(await emptyFolder(), { ...key, CAMPAIGN_FILES: other ?? '' });
    expect(await elsewhere.seen(/elsewhere/)).toContain(
      `they are in ${storage}, and the storage of this worker is ${other}.`,
    );
    expect(await campaign.run(['stop', 'm.yaml'], env)).toMatchObject({ code: 0 });

    const inFolder = await detached({});
    await rm(join(inFolder.campaign.folder, 'many.default.state.jsonl'));
    const apart = inFolder.worker(await emptyFolder(), key);
    expect(await apart.seen(/elsewhere/)).toContain(
      'many.default.state.jsonl names the log of the run, and this worker does not find that file. Share',
    );
    for (const { process } of [without, elsewhere, apart]) process.kill('SIGTERM');
    for (const { end } of [without, elsewhere, apart]) {
      const { code, stderr } = await end;
      expect({ code, stderr, times: stderr.split('  ! ').length - 1 }).toMatchObject({ code: 0, times: 1 });
    }
  });
});
