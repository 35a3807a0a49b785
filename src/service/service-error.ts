import type { Problem } from '../model/problem.ts';
import { codeWords } from '../util/code-words.ts';

/**
 * Every failure of a request as one value. It consists of listed fields and never wraps another error, because the
 * errors of the HTTP library carry the headers of the request, with the bearer token.
 */

/**
 * - not-sent: no usable connection, or no token; the service saw nothing
 * - no-answer: sent, but no status came (reset, timeout, cut)
 * - bad-answer: a 2xx whose body is cut, no JSON or lacks a required member: it may have been carried out, but its id
 *   is lost
 * - unauthorized: 401 with a new token, too, or the token endpoint refused the key; repeating is of no use
 * - misconfigured: no trusted way to the service (certificate, credentials of a proxy); it saw nothing, and repeating
 *   is of no use
 * - throttled: 429
 * - refused: any other 4xx, a redirect, or a file that may not be fetched
 * - server-error: 5xx
 * - aborted: by the request's own signal, before anything was sent
 * - local-file: a file on this machine could not be read or written
 */
export type ServiceErrorKind = keyof typeof WORDS;

/** How far the request came: waiting for a token, connecting, waiting for the status, reading the body. */
export type ServicePhase = 'token' | 'connect' | 'answer' | 'body';

export interface ServiceErrorFacts {
  readonly kind: ServiceErrorKind;
  /** Whether the service may have carried out the request. */
  readonly ambiguous: boolean;
  readonly phase: ServicePhase;
  /** Method and path, e.g. `POST /products/`. */
  readonly request: string;
  readonly status?: number | undefined;
  /** What the service said, already sanitized (said.ts). */
  readonly serviceMessage?: string | undefined;
  /** The wait that the service asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** System or library error code, e.g. `ECONNREFUSED`, `ETIMEDOUT`, `ENOSPC`. */
  readonly code?: string | undefined;
  /** What is wrong, in plain words. */
  readonly detail?: string | undefined;
  /** The beginning of an answer that cannot be used; the problem does not repeat it. */
  readonly answer?: string | undefined;
}

export interface ServiceError extends ServiceErrorFacts {
  /** The form that users read and the state keeps. */
  readonly problem: Problem & { readonly detail: string };
}

export function serviceError(facts: ServiceErrorFacts): ServiceError {
  const { kind, status, request, serviceMessage } = facts;
  const isElsewhere = kind === 'unauthorized' && (status === 404 || status === 405 || isRedirect(status));
  const cause = isElsewhere ? 'base-url' : CAUSES[kind];
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  const problem = {
    summary: isElsewhere ? 'There is no token endpoint: is the base URL right?' : summaryOf(facts),
    detail: `${request}: ${WORDS[kind][1]}${notesOn(facts)}${said}`,
    ...(status === undefined ? {} : { status }),
    ...(cause === undefined ? {} : { cause }),
  };
  return { ...facts, problem };
}

/** The cause, where it is not the service. */
const CAUSES: Readonly<Partial<Record<ServiceErrorKind, Problem['cause']>>> = {
  misconfigured: 'connection',
  'local-file': 'disk',
};

const WORDS = {
  'not-sent': ['The service could not be reached', 'not sent'],
  'no-answer': ['The service did not answer', 'sent, but no answer came'],
  'bad-answer': ['The answer of the service cannot be used', 'the answer cannot be used'],
  unauthorized: ['The service refuses the API key', 'authentication was refused'],
  misconfigured: ['There is no trusted connection to the service', 'not sent, no trusted connection'],
  throttled: ['The service asks to slow down', 'too many requests'],
  refused: ['The service refused the request', 'refused'],
  'server-error': ['The service failed', 'the service failed'],
  aborted: ['The run was stopped', 'stopped before it was sent'],
  'local-file': ['A file could not be read or written', 'a local file cannot be read or written'],
} satisfies Record<string, readonly [summary: string, ofRequest: string]>;

export const BAD_ANSWER = WORDS['bad-answer'][0];

function summaryOf({ kind, phase, status }: ServiceErrorFacts): string {
  if (kind === 'not-sent' && phase === 'token' && status !== undefined)
    return status === 401 ? 'The service refused the token' : 'The service gives no token';
  return kind === 'refused' && isRedirect(status) ? 'The service redirects the request' : WORDS[kind][0];
}

function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

function notesOn({ status, detail, code }: ServiceErrorFacts): string {
  const words = code === undefined ? undefined : codeWords(code);
  const notes = [status, detail, words].filter((note) => note !== undefined);
  return notes.length > 0 ? ` (${notes.join(', ')})` : '';
}
