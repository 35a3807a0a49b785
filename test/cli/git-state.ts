/** A small campaign whose state is committed, and commands of git and campaign in its folder. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { type BareService, startBareService } from '../support/bare-service.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';
import { manifestFor } from './cloned-campaign.ts';
import { API_KEY, PNG, untilTestEnds } from './small-campaign.ts';

export const STATE_FILE = 'small.production.state.jsonl';

export interface GitState {
  readonly folder: string;
  readonly service: BareService;
  git(...args: readonly string[]): Promise<string>;
  campaign(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliEnd>;
  read(file: string): Promise<string>;
  write(file: string, content: string): Promise<void>;
  /** As a fresh clone has it: what `.campaign/` remembered is gone. */
  forget(): Promise<void>;
  commit(): Promise<void>;
  /** The same folder again, with all that is in it, git's data included. */
  copy(): Promise<GitState>;
}

const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
};

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-head-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function inFolder(folder: string, service: BareService): GitState {
  const path = process.env['PATH'] ?? '';
  const git = async (...args: readonly string[]) =>
    (await promisify(execFile)('git', args, { cwd: folder, env: { PATH: path, ...GIT } })).stdout;
  return {
    folder,
    service,
    git,
    campaign: (args, env = {}) =>
      runHere(args, {
        cwd: folder,
        env: { ...GIT, VISUALS_KEY: API_KEY, CAMPAIGN_ENV: 'production', ...env },
      }),
    read: (file) => readFile(join(folder, file), 'utf8'),
    write: (file, content) => writeFile(join(folder, file), content),
    forget: () => rm(join(folder, '.campaign'), { recursive: true, force: true }),
    async commit() {
      await git('add', '--all');
      await git('commit', '--quiet', '--message', 'What is there');
    },
    async copy() {
      const other = await emptyFolder();
      await cp(folder, other, { recursive: true });
      return inFolder(other, service);
    },
  };
}

/** A repository with a campaign that was never applied, and the service it is for. */
export async function gitFolder(): Promise<GitState> {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const folder = await emptyFolder();
  const there = inFolder(folder, service);
  await there.git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(folder, 'm.yaml'), manifestFor(service));
  await writeFile(join(folder, 'tote.png'), PNG);
  await writeFile(join(folder, '.gitignore'), 'out/\n');
  return there;
}

/** One that was applied twice, with a commit after each: a product first, then the post. */
export async function committedState(): Promise<GitState> {
  const there = await gitFolder();
  await there.campaign(['apply', 'm.yaml', '--only', 'product/*']);
  await there.commit();
  await there.campaign(['apply', 'm.yaml']);
  await there.commit();
  return there;
}
