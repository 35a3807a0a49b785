import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import type { ManifestVersion } from '../model/payload.ts';

/** A repository that takes longer than this is not worth waiting for. */
const LONGEST_MS = 2_000;

/**
 * Which text a manifest is, as git has it. Never fails: without git, or outside of a repository, nothing is known. Git
 * gets nothing of our environment but where programs and its own settings are, asks nobody, and changes nothing.
 */
export async function manifestVersion({
  file,
  folder,
}: {
  readonly file: string;
  readonly folder: string;
}): Promise<ManifestVersion> {
  const name = basename(file);
  const args = ['--branch', '--untracked-files=all', '--ignored=matching', '--', `:(literal)${name}`];
  const said = await git(folder, ['status', '--porcelain=v2', ...args]);
  const commit = /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(said)?.[1];
  if (commit === undefined) return { file: name, commit: null, dirty: null };
  return { file: name, commit, dirty: /^[^#]/m.test(said) };
}

/** What git says; nothing where it fails. */
function git(folder: string, args: readonly string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  for (const name of ['PATH', 'HOME', 'XDG_CONFIG_HOME']) {
    if (process.env[name] !== undefined) env[name] = process.env[name];
  }
  const options = { env, timeout: LONGEST_MS, killSignal: 'SIGKILL', windowsHide: true } as const;
  // A repository may name a program that watches its files: it is none of ours to start.
  const all = ['-C', folder, '-c', 'core.fsmonitor=false', ...args];
  return new Promise((resolve) => {
    execFile('git', all, options, (error, stdout) => resolve(error ? '' : stdout));
  });
}
