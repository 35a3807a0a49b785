/** A state in a file on this machine: a log (read-log.ts); its lock and its checkpoint are in `.campaign/`. */
import { existsSync } from 'node:fs';
import { ok } from '../../util/result.ts';
import type { Locking, StateIdentity, Store } from '../store.ts';
import { adoptLog } from './adopt-state.ts';
import { lockHolder, locksHold } from './lock.ts';
import { moveFolder, moveState } from './move-state.ts';
import { openToRead } from './open-to-read.ts';
import { openToWrite } from './open-to-write.ts';
import type { Witnesses } from './witnesses.ts';
import { statePaths } from './work-folder.ts';

interface FileStore {
  readonly file: string;
  /** Where version 0.1 kept it, if elsewhere. It is read there until the first command that writes moves it. */
  readonly formerFile?: string | undefined;
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
}

export function createFileStore({ file, formerFile, identity, witnesses }: FileStore): Store {
  const paths = statePaths(file);
  const opening = { identity, witnesses };

  function presentFile(): string {
    return formerFile !== undefined && existsSync(formerFile) && !existsSync(file) ? formerFile : file;
  }

  /** Moves the state to its present place before anything is written. */
  async function settle(locking: Locking) {
    const present = presentFile();
    return present === file ? ok(undefined) : moveState(present, { ...locking, to: file });
  }

  return {
    name: file,
    read: () => openToRead({ ...opening, stateFile: presentFile() }),
    async write(run) {
      const settled = await settle(run);
      return settled.ok ? openToWrite({ ...opening, ...run, stateFile: file }) : settled;
    },
    holder: () => lockHolder(paths),
    excludesOthers: () => locksHold(paths, `doctor-${process.pid}`),
    inFile: {
      adopt: (from, run) => adoptLog({ from, to: file }, { ...opening, ...run }),
      async reseal(options) {
        const settled = await settle(options);
        if (!settled.ok) return settled;
        // Loaded only here, because the validator of events comes with it.
        const { resealLog } = await import('./reseal-log.ts');
        return resealLog(paths, { ...options, witnesses });
      },
      async setAside(ending, { folder, ...locking }) {
        const moved = await moveState(presentFile(), { ...locking, to: `${file}${ending}` });
        return moved.ok ? moveFolder(folder, `${folder}${ending}`) : moved;
      },
    },
  };
}
