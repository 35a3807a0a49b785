import { elsewhere, empty, goneSinceCommit } from './absent-problem.ts';
import type { Committed } from './committed.ts';
import type { StateIdentity } from '../store.ts';
import type { LogMemory } from './log-memory.ts';
import { namingRescued } from './rescued.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { vanished } from './state-problem.ts';
import type { Witnesses } from './witnesses.ts';
import type { StatePaths } from './work-folder.ts';

interface Absence {
  /** Of the lock file. */
  readonly memory: LogMemory | undefined;
  readonly committed: Committed;
  readonly witnesses: Witnesses;
  readonly identity: StateIdentity;
  /** There is a file, but nothing of a state is in it. */
  readonly isEmpty: boolean;
}

/** Why a path without a state does not belong to a campaign that was never applied: a new state would pay for everything again. */
export async function whyNotNew(
  paths: StatePaths,
  { memory, committed, witnesses, identity, isEmpty }: Absence,
): Promise<FatalProblem | undefined> {
  if (memory) return namingRescued(vanished(paths.file), paths, memory);
  if (isEmpty) return empty(paths.file);
  if (committed.type === 'log' && !committed.isSettled) return goneSinceCommit(paths.file);
  const [neighbour] = await witnesses.neighbours(paths, identity);
  return neighbour && elsewhere(paths.file, { neighbour, target: witnesses.target });
}
