/**
 * The state in git's HEAD is a second checkpoint, which is there even if `.campaign/` is not. The content of a blob
 * never changes, so it is read once and noted beside the lock.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { readPlainFile, unlessMissing } from '../../util/new-file.ts';
import { type AskGit, type Repository, repositoryOf, textOf, type Unasked, unasked } from './ask-git.ts';
import { createLogEnds } from './log-ends.ts';
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { StatePaths } from './work-folder.ts';

export type Committed =
  /** No repository, no commit yet, or a path that HEAD does not have. */
  | { readonly type: 'none' }
  /** HEAD has it, and its content is elsewhere on purpose: commands go on without a comparison. */
  | { readonly type: 'unread'; readonly why: string }
  | Unasked
  | {
      readonly type: 'log';
      readonly blob: string;
      readonly checkpoint: Checkpoint;
      /** Somebody has decided that the log here counts; the next commit is compared again. */
      readonly isSettled: boolean;
    };

export const NOTHING_COMMITTED: Committed = { type: 'none' };

type Noted = Extract<Committed, { type: 'log' }>;

export function checkpointIn(committed: Committed): Checkpoint | undefined {
  return committed.type === 'log' ? committed.checkpoint : undefined;
}

export function unreadWarnings(committed: Committed): string[] {
  if (committed.type !== 'unread' && committed.type !== 'unasked') return [];
  return [
    `Whether the state goes on from the committed one could not be seen: ${committed.why}. Without it, an older copy or ` +
      'another one is only noticed where this machine remembers more.',
  ];
}

/** What git prints for one file. */
const LONGEST_LISTING = 1 << 16;
/** A log that is longer cannot be read in the time that git has. */
const LONGEST_LOG = 1 << 30;

/** One entry of a tree, with the end that `-z` gives it. */
const ENTRY = /^(\d{6}) [a-z]+ ([0-9a-f]{40}|[0-9a-f]{64})\t[^\0]+\0$/;

/** The pointer that Git LFS commits in the place of a file. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** Never fails. */
export async function readCommitted(paths: StatePaths, git: AskGit): Promise<Committed> {
  const repository = await repositoryAround(paths);
  if (!repository) return NOTHING_COMMITTED;
  const ask = (...args: readonly string[]) =>
    textOf(git, { repository, folder: paths.folder, args, most: LONGEST_LISTING });
  const listed = await ask('--literal-pathspecs', 'ls-tree', '-z', 'HEAD', '--', path.basename(paths.file));
  if (listed.why !== undefined)
    return (await isUnborn(listed.words, repository, ask))
      ? NOTHING_COMMITTED
      : unasked(listed.why, repository);
  const [entry, mode, blob = ''] = ENTRY.exec(listed.text) ?? [];
  if (entry === undefined) {
    const why = listed.text === '' ? await whyNoCommit(repository, ask) : NO_ANSWER;
    return why === undefined ? NOTHING_COMMITTED : unasked(why, repository);
  }
  // A link or a folder.
  if (!mode?.startsWith('100')) return NOTHING_COMMITTED;
  return (await readNote(paths, blob)) ?? readEnds(paths, { repository, blob, git });
}

const NO_ANSWER = 'what git printed is no answer';

type Ask = (...args: readonly string[]) => ReturnType<typeof textOf>;

/** Whether there is no commit yet. A branch whose commit is lost looks the same, but for its history. */
async function isUnborn(words: string | undefined, { root }: Repository, ask: Ask): Promise<boolean> {
  if (!/not a valid object name HEAD/i.test(words ?? '')) return false;
  if ((await ask('reflog', 'exists', 'HEAD')).code !== 1) return false;
  const { text } = await ask('rev-parse', '--absolute-git-dir');
  return isSameFolder(text.trimEnd(), await gitFolder(root));
}

/** Nothing was printed, which is also what a program prints that is not git, and git that reads another repository. */
async function whyNoCommit({ root }: Repository, ask: Ask): Promise<string | undefined> {
  const { why, text } = await ask('rev-parse', 'HEAD^{commit}', '--absolute-git-dir');
  if (why !== undefined) return why;
  const read = /^[0-9a-f]{40,64}\n(.+)\n$/s.exec(text)?.[1];
  if (read === undefined) return NO_ANSWER;
  return (await isSameFolder(read, await gitFolder(root)))
    ? undefined
    : `it read another repository, ${read}`;
}

/** In a submodule and in a second working copy, `.git` is a file that names the folder. */
async function gitFolder(root: string): Promise<string> {
  const entry = path.join(root, '.git');
  const text = await readPlainFile(entry).catch(() => '');
  return path.resolve(root, /^gitdir: (.+)/.exec(text)?.[1]?.trimEnd() ?? entry);
}

/** The same folder may be written in several ways. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((folder) => stat(folder).catch(() => undefined)),
  );
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

async function readEnds(
  paths: StatePaths,
  { repository, blob, git }: { readonly repository: Repository; readonly blob: string; readonly git: AskGit },
): Promise<Committed> {
  const ends = createLogEnds();
  const { why } = await readBlob(paths, { blob, git, take: (bytes) => ends.take(bytes) });
  if (why !== undefined) {
    const isElsewhere = await isPartial(repository, { folder: paths.folder, git });
    return isElsewhere ? { type: 'unread', why } : unasked(why, repository, { isThere: true });
  }
  const checkpoint = ends.checkpoint();
  if (checkpoint) {
    const found: Noted = { type: 'log', blob, checkpoint, isSettled: false };
    await writeNote(paths, found);
    return found;
  }
  const unreadable = 'what is committed is no state that this version can read';
  if (ends.begins(LFS_POINTER)) return { type: 'unread', why: unreadable };
  return unasked(unreadable, repository, { isThere: true });
}

/** A clone that leaves contents to the server until they are needed. */
async function isPartial(
  repository: Repository,
  { folder, git }: { readonly folder: string; readonly git: AskGit },
): Promise<boolean> {
  const args = ['config', '--get-regexp', '^remote\\..*\\.promisor$'];
  const { why, text } = await textOf(git, { repository, folder, args, most: LONGEST_LISTING });
  return why === undefined && text !== '';
}

/** Gives out the content of a blob. Where there is a `why`, it may have been a part of it. */
export async function readBlob(
  paths: StatePaths,
  {
    blob,
    git,
    take,
  }: { readonly blob: string; readonly git: AskGit; readonly take: (bytes: Buffer) => void },
): ReturnType<AskGit> {
  const repository = await repositoryAround(paths);
  if (!repository) return { why: 'there is no repository' };
  return git({ repository, folder: paths.folder, args: ['cat-file', 'blob', blob], most: LONGEST_LOG, take });
}

async function repositoryAround({ folder }: StatePaths): Promise<Repository | undefined> {
  const real = await realpath(folder).catch(unlessMissing);
  return real === undefined ? undefined : repositoryOf(real);
}

export function settleCommitted(paths: StatePaths, committed: Noted): Promise<void> {
  return writeNote(paths, { ...committed, isSettled: true });
}

/** Only saves time: without the note the blob is read again. */
async function writeNote(
  { committed: file }: StatePaths,
  { blob, checkpoint: { lineage, last, boundAt }, isSettled }: Noted,
): Promise<void> {
  const memory = last ? encodeCheckpoint(lineage, last).trimEnd() : lineage;
  const note = `${JSON.stringify({ blob, memory, settled: isSettled, bound: boundAt })}\n`;
  await writeFileAtomic(file, note, { mode: 0o600 }).catch(() => undefined);
}

async function readNote({ committed: file }: StatePaths, of: string): Promise<Noted | undefined> {
  const json = parseJson(await readPlainFile(file).catch(() => ''));
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { blob, memory, settled, bound } = json.value;
  if (blob !== of || typeof memory !== 'string') return undefined;
  const decoded = decodeCheckpoint(`${memory}\n`);
  if (!decoded) return undefined;
  const checkpoint = { ...decoded, ...(typeof bound === 'string' && { boundAt: bound }) };
  return { type: 'log', blob: of, checkpoint, isSettled: settled === true };
}
