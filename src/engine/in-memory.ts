import type { PlannedNode } from '../model/plan.ts';
import { createAdmission } from './admission.ts';
import type { LimitSettings } from './limits.ts';
import { createMemoryWork } from './memory-work.ts';
import { createProgress } from './progress.ts';
import type { RunOptions } from './run-options.ts';

interface InMemory extends Pick<RunOptions, 'clock' | 'random' | 'emit'> {
  /** Dependencies first; those with action `blocked` end as `blocked`. */
  readonly nodes: readonly PlannedNode[];
  readonly limits: LimitSettings;
}

/** The parts of a run that a single process holds: its work, its limits and its progress. */
export function inMemory(options: InMemory): InMemory & Pick<RunOptions, 'work' | 'admission' | 'progress'> {
  const { nodes, limits, clock, random, emit } = options;
  return {
    ...options,
    work: createMemoryWork(nodes, clock),
    admission: createAdmission({ limits, clock, random }),
    progress: createProgress({ clock, emit }),
  };
}
