import type { Fault } from './fault-rule.ts';

/** One request that came in, in the order of arrival. */
export interface Call {
  /** From 1. */
  readonly n: number;
  /** ISO 8601 date-time of its arrival. */
  readonly at: string;
  readonly method: string;
  /** Below the base URL, as `/products/`. */
  readonly path: string;
  /** `POST /products/`, with ids written `{id}`; for a path that is no endpoint, the path itself. */
  readonly route: string;
  /** Status of the answer, `cut` where the connection ended without one; absent until then. */
  readonly status?: number | 'cut';
  /** The fault that was played. */
  readonly played?: Fault['fault'];
}

/** A call whose end is not known yet. */
export interface OpenCall extends Call {
  status?: number | 'cut';
  played?: Fault['fault'];
}

/** The log keeps at least this many calls and fewer than twice as many, because a server may run for weeks. */
const KEPT = 100_000;

export function logCall(log: OpenCall[], seen: Omit<Call, 'n'>): OpenCall {
  if (log.length >= 2 * KEPT) log.splice(0, KEPT);
  const call = { n: (log.at(-1)?.n ?? 0) + 1, ...seen };
  log.push(call);
  return call;
}
