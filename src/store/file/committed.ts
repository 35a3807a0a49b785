/**
 * The state in git's HEAD is a second checkpoint, which is there even if `.campaign/` is not. The content of a blob
 * never changes, so it is read once and noted beside the lock.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { readPlainFile, unlessMissing } from '../../util/new-file.ts';
import { type GitEnd, runGit } from '../../util/run-git.ts';
import { createLogEnds } from './log-ends.ts';
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { StatePaths } from './work-folder.ts';

export type Committed =
  /** No repository, no commit yet, or a path that was never committed. */
  | { readonly type: 'none' }
  /** It cannot be compared; commands go on without it. */
  | { readonly type: 'unread'; readonly why: string }
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
  if (committed.type !== 'unread') return [];
  return [
    `Whether the state goes on from the committed one could not be seen: ${committed.why}. Without it, an older copy or ` +
      'another one is only noticed where this machine remembers more.',
  ];
}

/** The most time that git may take. */
const LONGEST_MS = 10_000;

/** Messages of git where there is nothing to compare with. */
const NOTHING = /not a git repository|not a valid object name HEAD/i;

/** Never fails. */
export async function readCommitted(paths: StatePaths, env: NodeJS.ProcessEnv): Promise<Committed> {
  const { file, folder } = paths;
  const real = await realpath(folder).catch(unlessMissing);
  if (real === undefined || repositoryOf(real) === undefined) return NOTHING_COMMITTED;
  const git = (args: readonly string[], take: (bytes: Buffer) => void) =>
    runGit({ folder, args, env, longestMs: LONGEST_MS, take });
  let listed = '';
  const listing = await git(['ls-tree', '-z', 'HEAD', '--', path.basename(file)], (bytes) => {
    listed += bytes.toString();
  });
  const whyNotListed = whyUnread(listing);
  if (whyNotListed !== undefined) {
    const isNothing = listing.type === 'ended' && NOTHING.test(listing.stderr);
    return isNothing ? NOTHING_COMMITTED : { type: 'unread', why: whyNotListed };
  }
  const blob = /^100\d{3} blob ([0-9a-f]{40,64})\t/.exec(listed)?.[1];
  if (blob === undefined) return NOTHING_COMMITTED;
  const noted = await readNote(paths);
  if (noted?.blob === blob) return noted;
  const ends = createLogEnds();
  const why = whyUnread(await git(['cat-file', 'blob', blob], (bytes) => ends.take(bytes)));
  if (why !== undefined) return { type: 'unread', why };
  const checkpoint = ends.checkpoint();
  if (!checkpoint) return { type: 'unread', why: 'what is committed is no state that this version can read' };
  const found: Noted = { type: 'log', blob, checkpoint, isSettled: false };
  await writeNote(paths, found);
  return found;
}

export function settleCommitted(paths: StatePaths, committed: Noted): Promise<void> {
  return writeNote(paths, { ...committed, isSettled: true });
}

/** The folder of the repository that a folder is in. Without a repository git is not even started. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

function whyUnread(end: GitEnd): string | undefined {
  if (end.type === 'failed') return end.why;
  if (end.code === 0) return undefined;
  return end.stderr.trim().split('\n')[0] || `git ended with ${end.code}`;
}

/** Only saves time: without the note the blob is read again. */
async function writeNote(
  { committed: file }: StatePaths,
  { blob, checkpoint: { lineage, last }, isSettled }: Noted,
): Promise<void> {
  const memory = last ? encodeCheckpoint(lineage, last).trimEnd() : lineage;
  const note = `${JSON.stringify({ blob, memory, settled: isSettled })}\n`;
  await writeFileAtomic(file, note, { mode: 0o600 }).catch(() => undefined);
}

async function readNote({ committed: file }: StatePaths): Promise<Noted | undefined> {
  const json = parseJson(await readPlainFile(file).catch(() => ''));
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { blob, memory, settled } = json.value;
  if (typeof blob !== 'string' || typeof memory !== 'string') return undefined;
  const checkpoint = decodeCheckpoint(`${memory}\n`);
  return checkpoint && { type: 'log', blob, checkpoint, isSettled: settled === true };
}
