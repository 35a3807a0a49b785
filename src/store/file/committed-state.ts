/** What the state in git's HEAD says, for what has to be known of it where the file itself is gone. */
import type { FileHandle } from 'node:fs/promises';
import type { RunState } from '../../model/run-state.ts';
import { runGit } from '../../util/run-git.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { StateIdentity } from '../store.ts';
import { readCommitted } from './committed.ts';
import { loadLog } from './load-log.ts';
import type { StatePaths } from './work-folder.ts';

/** The most time that git may take to give out a log. */
const LONGEST_MS = 60_000;

/** Undefined where nothing is committed, where that cannot be read, and where it belongs to something else. */
export async function readCommittedState(
  paths: StatePaths,
  { env, identity }: { readonly env: NodeJS.ProcessEnv; readonly identity: StateIdentity },
): Promise<RunState | undefined> {
  const committed = await readCommitted(paths, env);
  if (committed.type !== 'log') return undefined;
  const pieces: Buffer[] = [];
  const args = ['cat-file', 'blob', committed.blob];
  const take = (bytes: Buffer) => void pieces.push(bytes);
  // Where git fails, there are no bytes, and so no header.
  await runGit({ folder: paths.folder, args, env, longestMs: LONGEST_MS, take });
  const log = await loadLog(readerOf(Buffer.concat(pieces)), { file: paths.file });
  if (!log.ok || !log.value.header) return undefined;
  const { state, header } = log.value;
  const isSame = header.campaign === identity.campaign && isSameBaseUrl(header.baseUrl, identity.baseUrl);
  return isSame ? state : undefined;
}

function readerOf(bytes: Buffer): Pick<FileHandle, 'read'> {
  const read = (buffer: Buffer, offset: number, length: number, position: number) =>
    Promise.resolve({ bytesRead: bytes.copy(buffer, offset, position, position + length), buffer });
  return { read } as unknown as Pick<FileHandle, 'read'>;
}
