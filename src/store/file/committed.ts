/**
 * The state in git's HEAD is a second checkpoint, which is there even if `.campaign/` is not. Its records are compared,
 * not its bytes. The content of a blob never changes, so it is read once and noted beside the lock, together with
 * whether somebody has decided that the log here counts although it does not continue from it.
 */
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../../util/json.ts';
import { readPlainFile } from '../../util/new-file.ts';
import { runGit } from '../../util/run-git.ts';
import { findHeadBlob, LONGEST_MS, whyUnread } from './head-blob.ts';
import { createLogEnds } from './log-ends.ts';
import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import type { StatePaths } from './work-folder.ts';

export type Committed =
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

/** Warns about what could not be compared with git; commands go on. */
export function unreadWarnings(committed: Committed): string[] {
  if (committed.type !== 'unread') return [];
  return [
    `Whether the state goes on from the committed one could not be seen: ${committed.why}. Without it, an older copy or ` +
      'another one is only noticed where this machine remembers more.',
  ];
}

/** Never fails. */
export async function readCommitted(paths: StatePaths, env: NodeJS.ProcessEnv): Promise<Committed> {
  const head = await findHeadBlob(paths.file, env);
  if (head.type !== 'blob') return head;
  const noted = await readNote(paths);
  if (noted?.blob === head.id) return noted;
  const ends = createLogEnds();
  const args = ['cat-file', 'blob', head.id];
  const end = await runGit({
    folder: paths.folder,
    args,
    env,
    longestMs: LONGEST_MS,
    take: (bytes) => ends.take(bytes),
  });
  if (end.type === 'failed' || end.code !== 0) return { type: 'unread', why: whyUnread(end) };
  const checkpoint = ends.checkpoint();
  if (!checkpoint) return { type: 'unread', why: 'what is committed is no state that this version can read' };
  const found: Noted = { type: 'log', blob: head.id, checkpoint, isSettled: false };
  await writeNote(paths, found);
  return found;
}

export function settleCommitted(paths: StatePaths, committed: Noted): Promise<void> {
  return writeNote(paths, { ...committed, isSettled: true });
}

/** Only saves time: without the note the blob is read again. */
async function writeNote(
  { committed: file }: StatePaths,
  { blob, checkpoint, isSettled }: Noted,
): Promise<void> {
  const { lineage, last } = checkpoint;
  const text = last ? encodeCheckpoint(lineage, last).trimEnd() : lineage;
  await writeFileAtomic(file, `${JSON.stringify({ blob, memory: text, settled: isSettled })}\n`, {
    mode: 0o600,
  }).catch(() => undefined);
}

async function readNote({ committed: file }: StatePaths): Promise<Noted | undefined> {
  const json = parseJson(await readPlainFile(file).catch(() => ''));
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { blob, memory: text, settled } = json.value;
  if (typeof blob !== 'string' || typeof text !== 'string') return undefined;
  const checkpoint = decodeCheckpoint(`${text}\n`);
  return checkpoint && { type: 'log', blob, checkpoint, isSettled: settled === true };
}
