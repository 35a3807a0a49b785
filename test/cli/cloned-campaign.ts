/** A campaign in a git repository with an origin, and clones of it in which the scripts of the docs run. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { blocksOf, ROOT } from '../docs/page-blocks.ts';
import { CLI, type CliEnd } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';
import { API_KEY, PNG, SINGLE } from './small-campaign.ts';

export const GIT_STATE = 'small.production.state.jsonl';

/** A script that runs in a process group of its own. */
export interface ScriptRun {
  readonly process: ChildProcess;
  /** What it printed, on both streams. */
  readonly end: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** A clone of one repository, with commands of git and campaign in it. */
export interface Clone {
  readonly folder: string;
  /** The variables of its commands. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): Promise<string>;
  campaign(...args: readonly string[]): Promise<CliEnd>;
  /** Starts ci/apply-and-commit.sh; `env` is added to its environment. */
  apply(env?: Readonly<Record<string, string>>, ...args: readonly string[]): ScriptRun;
  /** The same from another folder, relative to the clone. */
  applyIn(from: string, ...args: readonly string[]): ScriptRun;
  /** Does what docs/state-in-git.md says about two copies of one state; nobody is there to be asked. */
  decide(): ScriptRun['end'];
  write(file: string, content: string | Uint8Array): Promise<void>;
  read(file: string): Promise<string>;
  /** Commits everything that git sees, and pushes it. */
  publish(message: string): Promise<void>;
  /** Like the machine of a CI job that ended. */
  remove(): Promise<void>;
}

export interface Repository {
  clone(name: string): Promise<Clone>;
  /** A file as the origin has it. */
  pushed(file: string, branch?: string): Promise<string>;
  /** Every commit that the origin has, the newest first, by its subject. */
  history(): Promise<string[]>;
  git(...args: readonly string[]): Promise<string>;
  readonly folder: string;
  write(file: string, content: string): Promise<void>;
}

const IDENTITY = { name: 'Somebody', email: 'somebody@example.com' };

/** One product, one post; further posts may follow. */
export function manifestFor(service: { readonly url: string }): string {
  const environment = `service: { environments: { production: { base_url: "${service.url}", api_key_env: VISUALS_KEY } } }`;
  return SINGLE.replace('\nname: small\n', `\nname: small\n${environment}\n`);
}

/** The shell block of a page that is run here. */
function scriptOf(page: string): string {
  const runner = 'test/cli/state-in-git-script.test.ts';
  return blocksOf(page).find(({ note }) => note === runner)?.text ?? '';
}

/** A repository with a campaign that was never applied. */
export async function repository(service: { readonly url: string }): Promise<Repository> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-git-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
    CAMPAIGN_ENV: 'production',
    VISUALS_KEY: API_KEY,
  };
  const git = async (cwd: string, args: readonly string[]) =>
    (await promisify(execFile)('git', args, { cwd, env })).stdout;
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'campaign'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(join(folder, 'bin', 'campaign'), 0o755);
  const script = join(ROOT, 'ci', 'apply-and-commit.sh');
  const deciding = scriptOf('docs/state-in-git.md').replaceAll(
    'spring-launch.production.',
    'small.production.',
  );
  await git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'origin']);
  const origin = join(folder, 'origin');

  const clone = async (name: string): Promise<Clone> => {
    await git(folder, ['clone', '--quiet', 'origin', name]);
    const cwd = join(folder, name);
    return {
      folder: cwd,
      env,
      git: (...args) => git(cwd, args),
      campaign: (...args) => runHere(args, { cwd, env }),
      apply: (more = {}, ...args) => startScript([script, ...args], { cwd, env: { ...env, ...more } }),
      applyIn: (from, ...args) => startScript([script, ...args], { cwd: join(cwd, from), env }),
      decide: () => startScript(['-c', deciding.replace('state use', 'state use --yes')], { cwd, env }).end,
      write: (file, content) => writeFile(join(cwd, file), content),
      read: (file) => readFile(join(cwd, file), 'utf8'),
      async publish(message) {
        await git(cwd, ['add', '--all']);
        await git(cwd, ['commit', '--quiet', '--message', message]);
        await git(cwd, ['push', '--quiet', 'origin', 'HEAD:main']);
      },
      remove: () => rm(cwd, { recursive: true }),
    };
  };
  const author = await clone('author');
  await author.write('campaign.yaml', manifestFor(service));
  await author.write('tote.png', PNG);
  await author.write('.gitignore', 'out/\n');
  await author.publish('A campaign');
  return {
    clone,
    pushed: (file, branch = 'main') => git(origin, ['show', `${branch}:${file}`]),
    history: async () => (await git(origin, ['log', '--format=%s', 'main'])).trimEnd().split('\n'),
    git: (...args) => git(origin, args),
    folder: origin,
    write: (file, content) => writeFile(join(origin, file), content),
  };
}

function startScript(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ScriptRun {
  const child = spawn('sh', args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const end = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { process: child, end };
}
