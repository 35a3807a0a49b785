/** No key and no password of a shared run is anywhere but on the wire: not in what is said, in files, in the database, or in lists of processes. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { API_KEY, campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { placesOf } from '../support/find-secret.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { PASSWORD } from '../support/start-postgres.ts';
import { dumpOf, manyProducts } from './shared-campaign.ts';

const WRONG = 'canary-wrong-8Zt4';
const SECRETS = [API_KEY, PASSWORD, WRONG];
/** What a program sees that campaign starts: its variables, what it is given, and the arguments of who started it. */
const TELL = '{ env; cat; ps -o args= -p $PPID; } > notified.txt';

describe.runIf(hasPostgres)('the secrets of a shared run', () => {
  it('are in nothing that its processes say, write, store or start', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(2), service);
    const url = await makeDatabase();
    const bare = url.replace(`:${PASSWORD}`, '');
    const texts: Record<string, string> = {};
    const note = (name: string, { stdout, stderr }: { stdout: string; stderr: string }) => {
      texts[name] = `${stdout}\n${stderr}`;
    };

    const migrated = await campaign.run(['db', 'migrate', '--json'], { CAMPAIGN_STATE: url });
    note('migrate', migrated);
    const workers = [
      ['worker', '--json', '--slots', '2', '--state', bare],
      ['worker', '--slots', '2'],
    ].map((args) => campaign.start(args, { PGPASSWORD: PASSWORD, CAMPAIGN_STATE: bare }));
    for (const { process } of workers) onTestFinished(() => void process.kill('SIGKILL'));
    await Promise.all(workers.map((worker) => worker.seen(/ready/)));
    const told = [
      '--trace',
      'trace.har',
      '--log-level',
      'debug',
      '--notify',
      TELL,
      '--heartbeat',
      'beat.json',
    ];
    const apply = await campaign.start(['apply', 'm.yaml', ...told], { CAMPAIGN_STATE: url }).end;
    expect(apply).toMatchObject({ code: 0 });
    note('apply', apply);
    const inVariables = await campaign.runApart(['history', 'm.yaml', '--json'], { CAMPAIGN_STATE: url });
    expect(inVariables).toMatchObject({ code: 0 });
    note('history', inVariables);
    for (const [n, worker] of workers.entries()) {
      worker.process.kill('SIGTERM');
      const end = await worker.end;
      expect(end).toMatchObject({ code: 0 });
      note(`worker ${n}`, end);
    }
    texts['database'] = await dumpOf(url);
    // They were there to be found.
    expect(texts['database']).toContain('media-config/grid/p0@1');
    expect(JSON.parse(await campaign.read('trace.har'))).toMatchObject({ log: { version: '1.2' } });
    expect(await campaign.read('notified.txt')).toContain('apply m.yaml --trace trace.har');
    expect(await placesOf(SECRETS, { folder: campaign.folder, texts })).toEqual([]);
  });

  it('are in no message of a log-in that is refused', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(manyProducts(1), service);
    const url = await makeDatabase();
    const wrong = url.replace(PASSWORD, WRONG);
    const texts: Record<string, string> = {};
    for (const [n, args] of [
      ['apply', 'm.yaml', '--trace', 'trace.har'],
      ['apply', 'm.yaml', '--json', '--log-level', 'debug'],
      ['apply', 'm.yaml', '--state', wrong],
      ['status', 'm.yaml', '--state', wrong, '--json'],
      ['state', 'move', 'm.yaml', '--to', wrong],
      ['stop', 'm.yaml'],
      ['db', 'migrate', '--json'],
      ['report', 'm.yaml', '--out', 'report.html'],
    ].entries()) {
      const { code, stdout, stderr } = await campaign.run(args, { CAMPAIGN_STATE: wrong });
      expect({ args, code }).toEqual({ args, code: args[1] === 'move' ? 64 : 77 });
      texts[`${n}`] = `${stdout}\n${stderr}`;
    }
    for (const json of [[], ['--json']]) {
      const worker = campaign.start(['worker', ...json], { CAMPAIGN_STATE: wrong });
      await worker.seen(/authentication failed/);
      worker.process.kill('SIGTERM');
      const { code, stdout, stderr } = await worker.end;
      expect(code).toBe(0);
      texts[`worker ${String(json)}`] = `${stdout}\n${stderr}`;
    }
    texts['doctor'] = (await campaign.run(['doctor', 'm.yaml', '--json'], { CAMPAIGN_STATE: wrong })).stdout;
    expect(texts['doctor']).toContain('authentication failed');
    expect(texts['0']).toContain('The database refused the log-in');
    expect(await placesOf(SECRETS, { folder: campaign.folder, texts })).toEqual([]);
    expect(service.created).toEqual({ uploads: [], products: [], concepts: [], configs: [] });
  });
});
