import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type GitEnd, runGit } from '../../util/run-git.ts';

export type HeadBlob =
  /** No repository, no commit yet, or a path that was never committed. */
  | { readonly type: 'none' }
  | { readonly type: 'blob'; readonly id: string }
  | { readonly type: 'unread'; readonly why: string };

/** The most time that git may take. */
export const LONGEST_MS = 10_000;

/** Finds the blob that git's HEAD has at the path of a file, whether the file exists or not. */
export async function findHeadBlob(file: string, env: NodeJS.ProcessEnv): Promise<HeadBlob> {
  const folder = path.dirname(file);
  if (!isInRepository(await realpath(folder))) return { type: 'none' };
  let listed = '';
  const end = await runGit({
    folder,
    args: ['ls-tree', '-z', 'HEAD', '--', path.basename(file)],
    env,
    longestMs: LONGEST_MS,
    take: (bytes) => {
      listed += bytes.toString();
    },
  });
  if (end.type === 'failed' || end.code !== 0) return whyNone(end);
  const id = /^100\d{3} blob ([0-9a-f]{40,64})\t/.exec(listed)?.[1];
  return id === undefined ? { type: 'none' } : { type: 'blob', id };
}

/** Messages of git where there is nothing to compare with. */
const NOTHING = [/not a git repository/i, /not a valid object name HEAD/i];

function whyNone(end: GitEnd): HeadBlob {
  if (end.type === 'ended' && NOTHING.some((words) => words.test(end.stderr))) return { type: 'none' };
  return { type: 'unread', why: whyUnread(end) };
}

export function whyUnread(end: GitEnd): string {
  if (end.type === 'failed') return end.why;
  return end.stderr.trim().split('\n')[0] || `git ended with ${end.code}`;
}

/** Without a repository git is not even started. */
function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}
