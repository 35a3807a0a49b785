import type { RequestKind } from './endpoints.ts';
import type { Fault } from './faults.ts';

/** How often the fault is played, so that it ends within the run; undefined: every time. */
export function timesPlayed({ brief, column }: Fault, kind: RequestKind): number | undefined {
  if (column === '401') return undefined;
  if (brief) return 1;
  // A poll gives up only when the service is down as a whole.
  return kind === 'poll' && column !== 'long 429' ? 3 : undefined;
}
