/** Workers in empty folders: photos and results are in a storage, and the results are those that a run of one process has. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emulatorOf } from '../cli/held-emulator.ts';
import { API_KEY, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { contentsOf } from '../support/contents-of.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { PASSWORD } from '../support/start-postgres.ts';
import { startCli } from '../support/run-cli.ts';
import { BUCKET, S3_KEYS, startS3Server } from '../support/s3-server.ts';
import { dumpOf, manyProducts } from './shared-campaign.ts';

const COUNT = 4;

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-worker-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(hasPostgres)('workers in empty folders', () => {
  it('produce the same files through a storage as one process in its own folder', async () => {
    const s3 = await untilTestEnds(startS3Server());
    const service = await emulatorOf();
    const campaign = await campaignFolder(manyProducts(COUNT), service);
    const url = await makeDatabase();
    const stored = { CAMPAIGN_FILES: `s3://${BUCKET}/team/`, ...s3.env };
    const env = { CAMPAIGN_STATE: url, ...stored };
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const key = { CAMPAIGN_STATE: url, CAMPAIGN_API_KEY: API_KEY };
    const elsewhere = { ...key, ...stored, CAMPAIGN_FILES: `s3://${BUCKET}/others` };
    const started = [key, elsewhere, { ...key, ...stored }, { ...key, ...stored }].map(async (own) => {
      const cwd = await emptyFolder();
      const worker = startCli(['worker', '--json', '--slots', '2'], { cwd, env: own });
      await worker.seen(/"ready"/);
      return { cwd, worker };
    });
    const workers = await Promise.all(started);
    const apply = campaign.start(['apply', 'm.yaml', '--no-work'], env);
    const applied = await apply.end;
    expect({ code: applied.code, err: applied.stderr }).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain(`The files are in s3://${BUCKET}/team/`);
    const joined: boolean[] = [];
    const outputs: string[] = [];
    for (const { worker, cwd } of workers) {
      worker.process.kill('SIGTERM');
      const { code, stdout, stderr } = await worker.end;
      outputs.push(stdout, stderr);
      expect(code).toBe(0);
      joined.push(stdout.includes('"joined"'));
      // Nothing of the results is left there; a photo may be.
      const left = (await readdir(cwd, { recursive: true })).filter((name) => /many|out/.test(name));
      expect(left).toEqual([]);
    }
    // Only who has access to the storage of the run takes part in it.
    expect(joined.slice(0, 2)).toEqual([false, false]);
    expect(joined.slice(2)).toContain(true);
    expect((await campaign.run(['plan', 'm.yaml'], env)).stdout).toContain('No changes.');
    const objects = await readdir(s3.directory, { recursive: true });
    expect(objects.filter((name) => name.includes('team/index/many.default.json'))).not.toEqual([]);
    const said = [await dumpOf(url), applied.stdout, applied.stderr, ...outputs].join('\n');
    for (const secret of [API_KEY, PASSWORD, S3_KEYS.AWS_SECRET_ACCESS_KEY])
      expect(said).not.toContain(secret);
    expect(said).toContain('media-config/grid/p0@1');

    expect(await campaign.run(['outputs', 'm.yaml', '--fetch'], env)).toMatchObject({ code: 0 });
    const fetched = await contentsOf(join(campaign.folder, 'out'));
    await rm(join(campaign.folder, 'out'), { recursive: true });
    const own = { CAMPAIGN_STATE: url };
    expect(await campaign.run(['outputs', 'm.yaml', '--fetch'], own)).toMatchObject({ code: 0 });
    expect(await contentsOf(join(campaign.folder, 'out'))).toEqual(fetched);
    expect(new Set(Object.values(fetched)).size).toBe(COUNT + 1);
  });
});
