/**
 * What tells, besides the state itself and its lock file, that it is not the one that counts, or that there is another
 * one: the copy that git's HEAD has, and states in other places that belong to the same campaign and service.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import { type Committed, NOTHING_COMMITTED, readCommitted } from './committed.ts';
import type { StateIdentity } from '../store.ts';
import { forgetState, noteState } from './known-states.ts';
import { findNeighbours, type Neighbour } from './neighbours.ts';
import type { StatePaths } from './work-folder.ts';

export interface Witnesses {
  committed(paths: StatePaths): Promise<Committed>;
  /** Asked where there is no state at the path. */
  neighbours(paths: StatePaths, identity: StateIdentity): Promise<readonly Neighbour[]>;
  /** Remembers that the state lies there. */
  note(paths: StatePaths, identity: StateIdentity): Promise<void>;
  /** Remembers no more that one lies there: it has another name now. */
  forget(paths: StatePaths): Promise<void>;
  /** What names the campaign on the command line, for advice; empty where nothing has to. */
  readonly target: string;
}

/** Of a state that nobody else knows anything about. */
export const NO_WITNESSES: Witnesses = {
  committed: () => Promise.resolve(NOTHING_COMMITTED),
  neighbours: () => Promise.resolve([]),
  note: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  target: '',
};

/** Around a manifest: git, and the folders in which it lies, by its own name and behind a link. */
export function witnessesOf(
  manifest: string,
  { env, target }: { readonly env: NodeJS.ProcessEnv; readonly target: string },
): Witnesses {
  const own = path.dirname(path.resolve(manifest));
  return {
    target,
    committed: (paths) => readCommitted(paths, env),
    async neighbours({ file, folder }, identity) {
      const real = path.dirname(await realpath(manifest).catch(() => manifest));
      return findNeighbours(file, identity, [...new Set([own, path.resolve(real), folder])]);
    },
    async note({ file }, identity) {
      if (identity.baseUrl !== EMULATOR) await noteState(own, { file, identity });
    },
    forget: ({ file }) => forgetState(own, file),
  };
}
