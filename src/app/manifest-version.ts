import { basename } from 'node:path';
import type { ManifestVersion } from '../model/payload.ts';
import type { ManifestPlace, ProcessVariables } from './runtime.ts';
import { runGit } from '../util/run-git.ts';

/** The version of a manifest's text in git. Never fails: without git, or outside of a repository, it is not known. */
export async function manifestVersion(
  { file, folder }: ManifestPlace,
  env: ProcessVariables,
): Promise<ManifestVersion> {
  const name = basename(file);
  const flags = ['--porcelain=v2', '--branch', '--untracked-files=all', '--ignored=matching'];
  let said = '';
  const end = await runGit({
    folder,
    args: ['status', ...flags, '--', name],
    env,
    longestMs: 2_000,
    take: (bytes) => {
      said += bytes.toString();
    },
  });
  const isKnown = end.type === 'ended' && end.code === 0;
  const commit = isKnown ? /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(said)?.[1] : undefined;
  if (commit === undefined) return { file: name, commit: null, dirty: null };
  return { file: name, commit, dirty: /^[^#]/m.test(said) };
}
