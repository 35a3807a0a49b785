import type { ServiceFailure } from './service-error.ts';

/**
 * Refusals that say that the request was examined and not carried out. Any other 4xx may come from something between
 * this machine and the service (408, 425, 451, 499), or be about what the request itself made (409).
 */
const NOTHING_DONE = [400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431];

/** The statuses that prove that nothing was done: `503` adds one, `"!403"` removes one. */
export function provenStatuses(changes: readonly (number | string)[] = []): ReadonlySet<number> {
  const proven = new Set(NOTHING_DONE);
  for (const change of changes) if (typeof change === 'number') proven.add(change);
  for (const change of changes) if (typeof change === 'string') proven.delete(Number(change.slice(1)));
  return proven;
}

/** What came with a status other than 2xx. */
export function classifyStatus(status: number, proven: ReadonlySet<number>): ServiceFailure {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'throttled';
  const isProof = proven.has(status);
  if (status >= 500) return isProof ? 'not-done' : 'server-error';
  // They are not about the request or the key.
  if (status === 408 || status === 425) return isProof ? 'passing-refusal' : 'passing';
  return isProof ? 'refused' : 'unproven';
}
