/** What workers are told to be there, and what one of them does that meets a mistake in a run. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { databaseAt } from '../../src/store/postgres/database-url.ts';
import { takeSeat } from '../../src/store/postgres/worker-seat.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../support/postgres.ts';
import { checkComplete, manyProducts } from './shared-campaign.ts';
import { eventsOf } from './worker-events.ts';

const KEPT = '.campaign/errored-0a1b2c3d-4e5f6a7b.jsonl';

it.runIf(hasPostgres)(
  'a worker that takes its seat removes those of workers that were killed long ago',
  async () => {
    const campaign = await campaignFolder(manyProducts(1));
    const url = await makeDatabase();
    await campaign.run(['db', 'migrate'], { CAMPAIGN_STATE: url });
    const database = databaseAt(url, {});
    if (!database.ok) throw new Error(database.error.detail);
    const seats = [1, 2, 3].map(() => takeSeat(database.value));
    onTestFinished(async () => void (await Promise.all(seats.map((seat) => seat.leave()))));
    const [killed, silent, fresh] = seats;
    await killed?.look([]);
    await runSql(url, `update campaign.worker set host = 'killed', beat = beat - interval '61 minutes'`);
    await silent?.look([]);
    await runSql(
      url,
      `update campaign.worker set host = 'silent', beat = beat - interval '59 minutes' where host <> 'killed'`,
    );
    expect(await hosts(url)).toEqual(['silent']);
    await fresh?.look([]);
    expect(await hosts(url)).toHaveLength(2);
  },
);

async function hosts(url: string): Promise<unknown[]> {
  const rows = await runSql(url, 'select host from campaign.worker order by since');
  return rows.map(({ host }) => host);
}

it.runIf(hasPostgres)(
  'a mistake in the share of one run is told once, and the worker goes on with the others',
  async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const broken = await campaignFolder(manyProducts(1).replace('name: many', 'name: broken'), service);
    const sound = await campaignFolder(manyProducts(2), service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    expect(await broken.run(['apply', 'm.yaml', '--detach'], env)).toMatchObject({ code: 0 });
    await runSql(
      url,
      `update campaign.run set shared = (shared::jsonb - 'limits')::json where shared is not null`,
    );
    const worker = sound.start(['worker', '--json', '--slots', '2'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"bug"/);
    expect(await sound.run(['apply', 'm.yaml', '--no-work'], env)).toMatchObject({ code: 0 });
    // It tries the other one again meanwhile.
    let text = '';
    worker.process.stdout?.on('data', (more: string) => (text += more));
    await vi.waitUntil(() => /"joined".*"broken"/.test(text), { timeout: 60_000 });
    await vi.waitUntil(() => /"left".*"broken"/.test(text), { timeout: 60_000 });
    worker.process.kill('SIGTERM');
    const { code, stdout, stderr } = await worker.end;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const waiting = eventsOf(stdout).filter(({ type }) => type === 'waiting');
    expect(waiting).toEqual([
      expect.objectContaining({
        run: 1,
        code: 'bug',
        detail: expect.stringMatching(/^TypeError.*Please report it/s) as string,
      }),
    ]);
    await checkComplete(service, sound, { env, count: 2 });
  },
);

describe.runIf(hasPostgres)('answers that were kept, and cannot be recorded', () => {
  it.each([
    ['are damaged', 'What an earlier run could not write into the state is damaged', `${KEPT}, line 1`],
    ['have a link in their place', 'A file or folder cannot be used', `${KEPT} is a symbolic link`],
    ['have a pipe in their place', 'A file or folder cannot be used', `${KEPT} is a pipe`],
    ['have a folder in their place', 'A file or folder cannot be used', `${KEPT} is a folder`],
  ])(
    'are told once, however often a worker looks, and it works on: they %s',
    async (kind, summary, detail) => {
      const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
      const campaign = await campaignFolder(manyProducts(1), service);
      const env = { CAMPAIGN_STATE: await makeDatabase() };
      expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
      await campaign.write(KEPT, 'damaged\n');
      if (kind !== 'are damaged') await replaceBy(kind, path.join(campaign.folder, KEPT));
      const worker = campaign.start(['worker', '--json'], env);
      onTestFinished(() => void worker.process.kill('SIGKILL'));
      await worker.seen(/"waiting"/);
      // The worker looks again each second, also while it carries out a run.
      const other = await campaignFolder(manyProducts(1), service);
      expect(await other.run(['apply', 'm.yaml', '--no-work'], env)).toMatchObject({ code: 0 });
      await worker.seen(/"left"/);
      worker.process.kill('SIGTERM');
      const { code, stdout } = await worker.end;
      expect(code).toBe(0);
      expect(eventsOf(stdout).filter(({ type }) => type === 'waiting')).toEqual([
        expect.objectContaining({ summary, detail: expect.stringContaining(detail) as string }),
      ]);
    },
  );
});

async function replaceBy(kind: string, file: string): Promise<void> {
  rmSync(file);
  if (kind.includes('link')) symlinkSync('/etc/passwd', file);
  else if (kind.includes('pipe')) await promisify(execFile)('mkfifo', [file]);
  else mkdirSync(file);
}
