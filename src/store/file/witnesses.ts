/**
 * Where else a state may be known, besides its file and its lock: git's HEAD, and states that were left behind. It shows that
 * a state is not the one that counts, or that there is another one.
 */
import type { RunState } from '../../model/run-state.ts';
import { createGit } from './ask-git.ts';
import { type Committed, readCommitted } from './committed.ts';
import { readCommittedState } from './committed-state.ts';
import type { StateIdentity } from '../store.ts';
import { type Around, findOthers, findTaker, type ManifestsIn } from './other-states.ts';
import type { StatePaths } from './work-folder.ts';

export interface Witnesses {
  committed(paths: StatePaths): Promise<Committed>;
  /** What the committed state of this campaign at this service says, as far as it can be read. */
  committedState(paths: StatePaths, identity: StateIdentity): Promise<RunState | undefined>;
  /** For a path without a state. */
  others(paths: StatePaths, identity: StateIdentity): Promise<Around>;
  /** Who else in the working copy uses a log in a database. */
  taker(paths: StatePaths, lineage: string): Promise<string | undefined>;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly manifestsIn: ManifestsIn;
}

export function witnessesOf(manifest: string, { env, manifestsIn }: Surroundings): Witnesses {
  const git = createGit(env);
  const looking = { manifest, manifestsIn, git };
  return {
    committed: (paths) => readCommitted(paths, git),
    committedState: (paths, identity) => readCommittedState(paths, { git, identity }),
    others: ({ file }, identity) => findOthers(file, identity, looking),
    taker: ({ file }, lineage) => findTaker(lineage, file, looking),
  };
}
