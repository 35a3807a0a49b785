/** What the state in git's HEAD says, for what has to be known of it where the file itself is gone. */
import type { FileHandle } from 'node:fs/promises';
import type { RunState } from '../../model/run-state.ts';
import { isSameBaseUrl } from '../../util/same-base-url.ts';
import type { StateIdentity } from '../store.ts';
import type { AskGit } from './ask-git.ts';
import { readBlob, readCommitted } from './committed.ts';
import { loadLog } from './load-log.ts';
import type { StatePaths } from './work-folder.ts';

/** Undefined where nothing is committed, where that cannot be read, and where it belongs to something else. */
export async function readCommittedState(
  paths: StatePaths,
  { git, identity }: { readonly git: AskGit; readonly identity: StateIdentity },
): Promise<RunState | undefined> {
  const committed = await readCommitted(paths, git);
  if (committed.type !== 'log') return undefined;
  const pieces: Buffer[] = [];
  const answer = await readBlob(paths, {
    blob: committed.blob,
    git,
    take: (bytes) => void pieces.push(bytes),
  });
  // A part of a log looks like an older one.
  if (answer.why !== undefined) return undefined;
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
