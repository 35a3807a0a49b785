/** A state in a file on this machine: a log (read-log.ts); its lock and its checkpoint are in `.campaign/`. */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere } from '../../util/new-file.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Locking, StateIdentity, StateReader, Store, Visit } from '../store.ts';
import { adoptLog } from './adopt-state.ts';
import { followLog } from './follow-log.ts';
import { acquireLock, lockHolder, locksHold, underLock } from './lock.ts';
import { hasMark } from './mark.ts';
import { openToRead } from './open-to-read.ts';
import { openToWrite } from './open-to-write.ts';
import { peekLog } from './peek-log.ts';
import { openStateFile } from './state-file.ts';
import { unlessRefused } from './state-problem.ts';
import type { Witnesses } from './witnesses.ts';
import { type StatePaths, statePaths } from './work-folder.ts';

interface FileStore {
  readonly file: string;
  /** The place beside the manifest, for a state that was named elsewhere. */
  readonly beside?: StatePaths | undefined;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
}

export function createFileStore({ file, beside, identity, witnesses }: FileStore): Store {
  const paths = statePaths(file);
  const opening = { stateFile: file, beside, identity, witnesses };

  function reader(begin?: () => Visit | undefined): StateReader {
    const follow = followLog(begin);
    return () => openToRead(opening, follow);
  }

  return {
    name: file,
    read: (visit) => reader(() => visit)(),
    reader,
    write: (run) => openToWrite({ ...opening, ...run }),
    adopt: (from, run) => adoptLog({ from, to: file }, { ...opening, ...run, beside: undefined }),
    hasMark: (mark, locking) => hasMark(opening, mark, locking),
    hold: (locking) => acquireLock(paths, locking),
    holder: () => lockHolder(paths),
    excludesOthers: () => locksHold(paths, `doctor-${process.pid}`),
    inFile: {
      peek: () => peekLog(file),
      committed: () => witnesses.committedState(paths, identity),
      async setAside(ending, { folder, ...locking }) {
        const moved = await moveState(file, { ...locking, to: `${file}${ending}` });
        if (!moved.ok) return moved;
        return unlessRefused('unwritable', folder, async () => {
          if (await isThere(folder)) await rename(folder, `${folder}${ending}`);
          return ok(undefined);
        });
      },
    },
  };
}

/**
 * Moves a state to another path beside the same `.campaign/`, under its lock. The lock and its checkpoint stay with the
 * state. If another file has taken the new path meanwhile, both stay where they are.
 */
export function moveState(
  from: string,
  { to, ...locking }: Locking & { readonly to: string },
): Promise<Result<void, FatalProblem>> {
  const paths = statePaths(from);
  return underLock(paths, locking, async () => {
    const opened = await openStateFile(paths.file, 'read');
    if (!opened.ok) return opened;
    await opened.value?.close();
    if (!opened.value || (await isThere(to))) return ok(undefined);
    await rename(paths.file, to);
    await syncFolder(path.dirname(to));
    await syncFolder(paths.folder);
    return ok(undefined);
  });
}
