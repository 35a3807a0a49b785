/** A database that was brought back from a backup: who knows that it was newer buys nothing again, on every machine. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MANY_STATE, manyProducts } from '../cluster/shared-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, nobodyIsConnected, runSql, serverUrl } from '../support/postgres.ts';
import { runHere } from '../support/run-here.ts';
import { API_KEY, campaignFolder, untilTestEnds } from './small-campaign.ts';

async function scene() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manyProducts(1), service);
  const url = await makeDatabase();
  const server = await serverUrl();
  const name = new URL(url).pathname.slice(1);
  const env = { CAMPAIGN_STATE: url, CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const copy = async (from: string, to: string) => {
    await nobodyIsConnected(url);
    await runSql(server, `create database ${to} template ${from}`);
  };
  return {
    service,
    campaign,
    url,
    apply: (...more: string[]) => campaign.run(['apply', 'm.yaml', ...more], env),
    run: (...args: string[]) => campaign.run(args, env),
    backUp: () => copy(name, `${name}_backup`),
    bringBack: async () => {
      await nobodyIsConnected(url);
      await runSql(server, `drop database ${name}`);
      await runSql(server, `alter database ${name}_backup rename to ${name}`);
    },
    made: () => service.created.configs.length,
    /** A folder with the same files, except for what git leaves out. */
    clone: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'campaign-clone-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const isKept = (file: string) => !/\/(?:\.campaign|out)$/.test(file);
      await cp(campaign.folder, folder, { recursive: true, filter: isKept });
      return {
        folder,
        run: (args: readonly string[], more = {}) => runHere(args, { cwd: folder, env: { ...env, ...more } }),
      };
    },
  };
}

const OLDER = /^error: The state is older than before \[state-diverged\]/m;

describe.runIf(hasPostgres)('a database that was brought back', () => {
  it('is refused by a fresh clone, until somebody decides, which counts for the other folders', async () => {
    const { url, campaign, apply, run, backUp, bringBack, made, clone } = await scene();
    expect(await apply()).toMatchObject({ code: 0 });
    const first = await campaign.read(MANY_STATE);
    expect(JSON.parse(first)).toMatchObject({ seq: expect.any(Number) as number });
    expect(await apply()).toMatchObject({ code: 0 });
    expect(await campaign.read(MANY_STATE)).toBe(first);
    await backUp();
    await campaign.write('m.yaml', manyProducts(3));
    expect(await apply('--yes')).toMatchObject({ code: 0 });
    expect(await campaign.read(MANY_STATE)).not.toBe(first);
    const [fresh, other] = [await clone(), await clone()];
    await bringBack();

    for (const verb of ['apply', 'wait']) {
      const refused = await fresh.run([verb, 'm.yaml']);
      expect(refused).toMatchObject({ code: 76, stderr: expect.stringMatching(OLDER) as string });
      expect(refused.stderr).toContain("`campaign state use m.yaml 'postgres://");
    }
    expect((await fresh.run(['status', 'm.yaml'])).stderr).toContain('The state is older than before');
    expect(await apply()).toMatchObject({ code: 76 });
    expect(made()).toBe(3);

    expect(await fresh.run(['state', 'use', 'm.yaml', url, '--yes'])).toMatchObject({ code: 0 });
    expect(await other.run(['plan', 'm.yaml'])).toMatchObject({ code: 0 });
    expect((await other.run(['status', 'm.yaml'])).stderr).not.toContain('older');
    // This machine has seen more itself.
    expect(await apply()).toMatchObject({ code: 76 });
    expect(await run('state', 'use', 'm.yaml', url, '--yes')).toMatchObject({ code: 0 });
    expect(await apply('--yes')).toMatchObject({ code: 0 });
    expect(made()).toBe(5);
  });

  it('is told from the one that the last run wrote, also where nothing is missing', async () => {
    const { apply, backUp, bringBack, run } = await scene();
    expect(await apply()).toMatchObject({ code: 0 });
    await backUp();
    await bringBack();
    const warned = await apply();
    expect(warned).toMatchObject({ code: 0 });
    expect(warned.stderr).toMatch(
      /Since the last run, postgres:.* was made anew on its server\. .* apply there first/,
    );
    expect((await apply()).stderr).not.toContain('Since the last run');
    expect(await run('plan', 'm.yaml')).toMatchObject({ code: 0, stderr: '' });
  });

  it('is refused where only the storage knows more, and in a clone whose head is that of the backup', async () => {
    const { url, campaign, apply, backUp, bringBack, made, clone } = await scene();
    const folder = join(campaign.folder, 'shared');
    await mkdir(folder);
    const files = ['--files', `file://${folder}`];
    expect(await apply(...files)).toMatchObject({ code: 0 });
    const index = () => readFile(join(folder, 'index/many.default.json'), 'utf8');
    const stored = await index();
    expect(JSON.parse(stored)).toMatchObject({ log: { lineage: expect.any(String) as string } });
    expect(await apply(...files)).toMatchObject({ code: 0 });
    expect(await index()).toBe(stored);
    const old = await clone();
    await backUp();
    await campaign.write('m.yaml', manyProducts(2));
    expect(await apply('--yes', ...files)).toMatchObject({ code: 0 });
    await bringBack();
    await writeFile(join(old.folder, 'm.yaml'), manyProducts(2));

    const more = { CAMPAIGN_FILES: `file://${folder}` };
    expect(await old.run(['apply', 'm.yaml', '--yes'], more)).toMatchObject({
      code: 76,
      stderr: expect.stringMatching(OLDER) as string,
    });
    expect(made()).toBe(2);
    expect(await old.run(['state', 'use', 'm.yaml', url, '--yes'], more)).toMatchObject({ code: 0 });
    expect(await old.run(['apply', 'm.yaml', '--yes'], more)).toMatchObject({ code: 0 });
    expect(made()).toBe(3);
  });

  it('is known by the later of two heads that git could not merge, and the next apply writes that alone', async () => {
    const { campaign, apply, backUp, bringBack, made, clone } = await scene();
    const git = (...args: string[]) => {
      const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com'];
      return promisify(execFile)('git', [...identity, ...args], { cwd: campaign.folder }).catch(String);
    };
    expect(await apply()).toMatchObject({ code: 0 });
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '*.yaml', MANY_STATE],
      ['commit', '-qm', 'one'],
    ])
      await git(...args);
    await backUp();
    await git('checkout', '-qb', 'other');
    for (const [branch, count] of [
      ['other', 2],
      ['main', 3],
    ] as const) {
      await git('checkout', '-q', branch);
      await campaign.write('m.yaml', manyProducts(count));
      expect(await apply('--yes')).toMatchObject({ code: 0 });
      await git('commit', '-qm', branch, MANY_STATE);
      await git('checkout', '-q', '.');
    }
    await git('merge', '-q', 'other');
    const conflict = await campaign.read(MANY_STATE);
    expect(conflict).toMatch(/^<{7} HEAD\n.*\n={7}\n.*\n>{7} other\n$/);
    const fresh = await clone();
    await campaign.write('m.yaml', manyProducts(3));
    expect(await apply()).toMatchObject({ code: 0 });
    expect(await campaign.read(MANY_STATE)).toMatch(/^\{.*"moved_to".*\}\n$/);
    expect(conflict).toContain(await campaign.read(MANY_STATE));
    await bringBack();
    expect(await fresh.run(['apply', 'm.yaml', '--yes'])).toMatchObject({ code: 76 });
    expect(made()).toBe(3);
  });
});
