import type { PlannedNode } from '../model/plan.ts';
import { createAdmission } from './admission.ts';
import { createMemoryWork } from './memory-work.ts';
import { createProgress } from './progress.ts';
import type { RunOptions } from './run.ts';
import type { ServiceLimits } from './service-limits.ts';

interface InMemory extends Pick<RunOptions, 'clock' | 'random' | 'emit'> {
  readonly nodes: readonly PlannedNode[];
  readonly service: ServiceLimits;
}

/** The parts of a run that a single process holds: its work, its limits and its progress. */
export function inMemory(options: InMemory) {
  const work = createMemoryWork(options.nodes, options.clock);
  return { ...options, work, admission: createAdmission(options), progress: createProgress(options) };
}
