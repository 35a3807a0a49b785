import type { ServiceErrorKind } from './service-error.ts';

/** Refusals after which the service may have acted all the same. */
const DOUBTFUL = new Set([408, 409, 425]);

/**
 * What a status other than 2xx means (the retry classes).
 * `nothingDone`: further statuses that prove that the service did nothing.
 */
export function classifyStatus(
  status: number,
  nothingDone: readonly number[],
): { kind: ServiceErrorKind; ambiguous: boolean } {
  const ambiguous = status >= 500 || status < 400 || DOUBTFUL.has(status);
  return { kind: kindOf(status), ambiguous: ambiguous && !nothingDone.includes(status) };
}

function kindOf(status: number): ServiceErrorKind {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server-error' : 'refused';
}
