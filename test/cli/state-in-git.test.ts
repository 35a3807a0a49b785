/** The recipe of the README: whoever applies commits the state, and everybody else plans from it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { type CliEnd, runCli } from '../support/run-cli.ts';
import { API_KEY, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

/** A clone of one repository, with commands of git and campaign in it. */
interface Clone {
  git(...args: readonly string[]): Promise<string>;
  campaign(...args: readonly string[]): Promise<CliEnd>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Commits everything that git sees, and pushes it. */
  publish(message: string): Promise<void>;
}

const IDENTITY = { name: 'Somebody', email: 'somebody@example.com' };
const GIT_ENV = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: IDENTITY.name,
  GIT_AUTHOR_EMAIL: IDENTITY.email,
  GIT_COMMITTER_NAME: IDENTITY.name,
  GIT_COMMITTER_EMAIL: IDENTITY.email,
};

async function git(cwd: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd, env: GIT_ENV })).stdout;
}

/** A repository with a campaign that was never applied, and a way to clone it. */
async function repository(service: BareService): Promise<(name: string) => Promise<Clone>> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-git-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'origin']);
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY };
  const clone = async (name: string): Promise<Clone> => {
    await git(folder, ['clone', '--quiet', 'origin', name]);
    const cwd = join(folder, name);
    return {
      git: (...args) => git(cwd, args),
      campaign: (...args) => runCli(args, { cwd, env }),
      write: (file, content) => writeFile(join(cwd, file), content),
      async publish(message) {
        await git(cwd, ['add', '--all']);
        await git(cwd, ['commit', '--quiet', '--message', message]);
        await git(cwd, ['push', '--quiet', 'origin', 'HEAD:main']);
      },
    };
  };
  const author = await clone('author');
  await author.write('m.yaml', SINGLE);
  await author.write('tote.png', PNG);
  await author.write('.gitignore', 'out/\n');
  await author.publish('A campaign');
  return clone;
}

describe('a state in git', () => {
  it('is applied and committed by one, and read by everybody: a clone plans nothing', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const clone = await repository(service);
    const cron = await clone('cron');
    expect(await cron.campaign('apply', 'm.yaml')).toMatchObject({ code: 0 });
    // The state is all that git sees: lock, caches and the rest stay out by themselves.
    expect(await cron.git('status', '--short')).toBe(`?? ${STATE}\n`);
    await cron.publish('Applied');

    const reader = await clone('reader');
    const { code, stdout, stderr } = await reader.campaign('plan', 'm.yaml', '--detailed-exitcode');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nNo changes\.\n$/);
    expect(await reader.git('status', '--short')).toBe('');

    // A pull request: what the edit would cost is known before it is merged.
    await reader.write(
      'm.yaml',
      SINGLE.replace(
        '  hero:',
        '  hero2:\n    concept: morning\n    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1" }]\n  hero:',
      ),
    );
    expect((await reader.campaign('plan', 'm.yaml')).stdout).toContain('1 new post.');
    await reader.publish('One post more');

    await cron.git('pull', '--quiet');
    expect((await cron.campaign('apply', 'm.yaml')).stdout).toContain(
      '\nApply complete: 1 created, 4 unchanged, 1 file downloaded.\n',
    );
    await cron.publish('Applied');
    await reader.git('pull', '--quiet');
    expect((await reader.campaign('plan', 'm.yaml')).stdout).toMatch(/\nNo changes\.\n$/);
    expect(service.created.configs).toHaveLength(2);
  });

  it('that went on in two places is refused, with a way out', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const clone = await repository(service);
    const one = await clone('one');
    expect(await one.campaign('apply', 'm.yaml')).toMatchObject({ code: 0 });
    await one.publish('Applied');
    const other = await clone('other');

    // Both go on from the same state, each with a post of its own.
    const post = (name: string) =>
      `  ${name}:\n    concept: morning\n    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1" }]\n`;
    await one.write('m.yaml', SINGLE + post('first'));
    expect(await one.campaign('apply', 'm.yaml')).toMatchObject({ code: 0 });
    await one.publish('First');
    await other.write('m.yaml', SINGLE + post('second'));
    expect(await other.campaign('apply', 'm.yaml')).toMatchObject({ code: 0 });
    await other.git('add', '--all');
    await other.git('commit', '--quiet', '--message', 'Second');

    // Git cannot merge them, and what it leaves behind is not taken for a state.
    await expect(other.git('pull', '--quiet', '--no-rebase')).rejects.toThrow();
    await other.write('m.yaml', SINGLE + post('first') + post('second'));
    for (const command of ['plan', 'apply']) {
      const { code, stdout, stderr } = await other.campaign(command, 'm.yaml');
      expect([code, stdout]).toEqual([76, '']);
      expect(stderr).toContain(
        'git left a conflict here: two copies of the state went their own ways. Take one of them whole, with ' +
          '`git checkout --ours` or `--theirs`.',
      );
    }

    // Theirs: what only our copy had recorded would be paid for again, so a plan warns and an apply stops.
    await other.git('checkout', '--theirs', STATE);
    const plan = await other.campaign('plan', 'm.yaml');
    expect(plan.code).toBe(0);
    expect(plan.stderr).toMatch(
      /^ {2}! The state is a copy that went its own way: \S+ has another record \d+ than the one that was here last\. What is not in this copy would be paid for a second time\./,
    );
    const before = service.created.configs.length;
    const refused = await other.campaign('apply', 'm.yaml');
    expect([refused.code, refused.stdout]).toEqual([76, '']);
    expect(refused.stderr).toMatch(/^error: The state is a copy that went its own way \[state-diverged\]\n/);
    expect(service.created.configs).toHaveLength(before);

    // Ours: nothing is lost here, and the other one's post is what would be made again.
    await other.git('checkout', '--ours', STATE);
    expect((await other.campaign('plan', 'm.yaml')).stdout).toContain('+ media/first/1');

    // Somebody decides.
    await other.git('checkout', '--theirs', STATE);
    expect(await other.campaign('state', 'rebind', 'm.yaml', '--yes')).toMatchObject({ code: 0 });
    const decided = await other.campaign('plan', 'm.yaml');
    expect(decided.stderr).toBe('');
    expect(decided.stdout).toContain('+ media/second/1');
    expect(decided.stdout).toContain('1 new post.');
  });

  it('that was put back to an older commit is refused', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const clone = await repository(service);
    const cron = await clone('cron');
    expect(await cron.campaign('apply', 'm.yaml', '--only', 'product/*')).toMatchObject({ code: 0 });
    await cron.publish('Products');
    expect(await cron.campaign('apply', 'm.yaml')).toMatchObject({ code: 0 });
    await cron.publish('All');
    await cron.git('checkout', '--quiet', 'HEAD~1', STATE);
    const { code, stderr } = await cron.campaign('apply', 'm.yaml');
    expect(code).toBe(76);
    expect(stderr).toMatch(/^error: The state is older than before \[state-diverged\]\n/);
    await cron.git('checkout', '--quiet', 'HEAD', STATE);
    expect((await cron.campaign('apply', 'm.yaml')).stdout).toMatch(/\nNo changes\.\n$/);
    expect(service.created.configs).toHaveLength(1);
  });
});
