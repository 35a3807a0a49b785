/**
 * Where else a state may be known, besides its file and its lock: git's HEAD, and other places with states of the same
 * campaign and service. It shows that a state is not the one that counts, or that there is another one.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { EMULATOR } from '../../model/emulator.ts';
import type { RunState } from '../../model/run-state.ts';
import { type Around, findAbandoned } from './abandoned.ts';
import { createGit } from './ask-git.ts';
import { type Committed, readCommitted } from './committed.ts';
import { readCommittedState } from './committed-state.ts';
import type { StateIdentity } from '../store.ts';
import { findNeighbours, forgetState, noteState } from './neighbours.ts';
import type { StatePaths } from './work-folder.ts';

export interface Witnesses {
  committed(paths: StatePaths): Promise<Committed>;
  /** What the committed state of this campaign at this service says, as far as it can be read. */
  committedState(paths: StatePaths, identity: StateIdentity): Promise<RunState | undefined>;
  /** For a path without a state. */
  neighbours(paths: StatePaths, identity: StateIdentity): Promise<Around>;
  note(paths: StatePaths, identity: StateIdentity): Promise<void>;
  forget(paths: StatePaths): Promise<void>;
  /** Names the campaign on the command line, for advice; empty where it is not needed. */
  readonly target: string;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly target: string;
  /** Whether a state has posts that the manifest asks for. */
  readonly asks?: ((state: RunState) => boolean) | undefined;
}

/** Around a manifest: git, and the manifest's folders, by its own path and behind a link. */
export function witnessesOf(manifest: string, { env, target, asks = () => false }: Surroundings): Witnesses {
  const own = path.dirname(path.resolve(manifest));
  const git = createGit(env);
  return {
    target,
    committed: (paths) => readCommitted(paths, git),
    committedState: (paths, identity) => readCommittedState(paths, { git, identity }),
    async neighbours({ file, folder }, identity) {
      const real = path.dirname(await realpath(manifest).catch(() => manifest));
      const found = await findNeighbours(file, identity, [...new Set([own, path.resolve(real), folder])]);
      if (found.length || identity.baseUrl === EMULATOR) return { found };
      return findAbandoned({ manifest, identity, asks, git });
    },
    async note({ file }, identity) {
      if (identity.baseUrl !== EMULATOR) await noteState(own, { file, identity });
    },
    forget: ({ file }) => forgetState(own, file),
  };
}
