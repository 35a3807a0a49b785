import { KINDS } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent, UnverifiedFile } from '../model/run-event.ts';

/** What the events of a run add up to, besides how each node ended. */
export interface RunWatch {
  take(event: RunEvent): void;
  /** Downloaded files. */
  readonly files: number;
  /** What was at fault, where it was not the service. */
  readonly causes: ReadonlySet<Problem['cause']>;
  /** What the last lines of the run tell; the same, whichever answer came first. */
  told(): {
    readonly unverified: readonly UnverifiedFile[];
    readonly retryAt: string | undefined;
    readonly late: string | undefined;
  };
}

export function watchRun(): RunWatch {
  let files = 0;
  const causes = new Set<Problem['cause']>();
  const unverified: UnverifiedFile[] = [];
  const times: string[] = [];
  const late: string[] = [];
  return {
    take(event) {
      if (event.type !== 'node-finished') return;
      const { kind, address, problem } = event;
      files += event.files?.length ?? 0;
      unverified.push(...(event.unverified ?? []));
      if (problem?.retry_at !== undefined) times.push(problem.retry_at);
      if (problem?.cause === 'media-timeout') late.push(address);
      // A photo that cannot be read is a failure like others; an output folder that cannot be written is not.
      if (KINDS[kind].localFiles === 'writes' || problem?.cause !== 'disk') causes.add(problem?.cause);
    },
    get files() {
      return files;
    },
    causes,
    told: () => ({
      unverified: unverified.sort((a, b) => (a.path < b.path ? -1 : 1)),
      retryAt: times.sort().at(-1),
      late: late.sort().at(0),
    }),
  };
}
