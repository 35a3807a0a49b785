/** Questions to git about what is committed. Where git does not answer, nobody knows it, and nothing counts as new. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type GitCall, NOT_IN_TIME, NOT_INSTALLED, runGit } from '../../util/run-git.ts';

/** The most time that git may take to answer. */
const LONGEST_MS = 10_000;

interface Question extends Pick<GitCall, 'folder' | 'args' | 'most' | 'take'> {
  readonly repository: Repository;
}

interface Answer {
  /** Why there is none; undefined where git ended with 0. */
  readonly why?: string;
  /** What git printed on standard error. */
  readonly words?: string;
  /** The code with which git ended. */
  readonly code?: number;
}

export type AskGit = (question: Question) => Promise<Answer>;

/** Once git has not answered in time it is not asked again: whoever asks several times waits once. */
export function createGit(env: NodeJS.ProcessEnv, longestMs = LONGEST_MS): AskGit {
  let isSilent = false;
  return async ({ repository: { root }, ...question }) => {
    if (isSilent) return { why: NOT_IN_TIME };
    const end = await runGit({ ...question, root, env, longestMs });
    if (end.type === 'failed') {
      isSilent = end.why === NOT_IN_TIME;
      return { why: end.why };
    }
    const { code, stderr: words } = end;
    return code === 0 ? { code } : { code, words, why: firstLine(words) || `git ended with ${code}` };
  };
}

function firstLine(text: string): string | undefined {
  return text.trim().split('\n')[0];
}

/** The text that git prints. No listing is longer than its `most`. */
export async function textOf(
  git: AskGit,
  question: Omit<Question, 'take'>,
): Promise<Answer & { readonly text: string }> {
  const pieces: Buffer[] = [];
  const answer = await git({ ...question, take: (bytes) => void pieces.push(bytes) });
  return { ...answer, text: Buffer.concat(pieces).toString() };
}

export interface Repository {
  /** The folder with `.git` in it. */
  readonly root: string;
}

/** The repository that a folder is in, by its real path. Without one, git is not even started. */
export function repositoryOf(folder: string): Repository | undefined {
  for (let root = folder; ; root = path.dirname(root)) {
    const entry = path.join(root, '.git');
    if (isThere(entry)) return { root };
    if (root === path.dirname(root)) return undefined;
  }
}

/** Also one that is damaged or was emptied: nobody knows what it had. */
function isThere(entry: string): boolean {
  try {
    return lstatSync(entry, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** There is a repository, and git does not tell what it has. */
export interface Unasked {
  readonly type: 'unasked';
  readonly why: string;
  /** What to do about it; half a sentence. */
  readonly remedy: string;
  /** HEAD has the path, but not its content. */
  readonly isThere?: boolean;
}

export function unasked(why: string, repository: Repository, more: Pick<Unasked, 'isThere'> = {}): Unasked {
  return { type: 'unasked', why, remedy: remedyFor(why, repository), ...more };
}

/** What makes git answer again, for whoever reads why it does not. */
function remedyFor(why: string, { root }: Repository): string {
  if (why === NOT_INSTALLED)
    return 'Install git (for a container: in its image) or name its folder in PATH, then run again';
  if (/dubious ownership|safe\.directory/.test(why))
    return `\`git config --global --add safe.directory ${root}\` lets git read it; then run again`;
  if (why === NOT_IN_TIME) return 'Run again when git answers';
  return `\`git -C ${root} fsck\` says what is wrong with the repository; mend it, or clone it anew, then run again`;
}
