import { codeWords } from './code-words.ts';

/**
 * Every failure of a request as one value. It is made of an allow-list of fields and never wraps another error:
 * an HTTP library's errors carry the request's headers, so the bearer token too.
 */

/**
 * - not-sent: no usable connection, or no token; the service saw nothing
 * - no-answer: sent, but no status came back (reset, timeout, cut)
 * - bad-answer: a 2xx whose body is cut, no JSON or lacks what it must have: done perhaps, but its id is lost
 * - unauthorized: 401 with a new token too, or the token endpoint refused the key; repeating is pointless
 * - misconfigured: no trusted way to the service (certificate, credentials of a proxy); it saw nothing, and repeating
 *   is pointless
 * - throttled: 429
 * - refused: any other 4xx, a redirect, or a file that may not be fetched
 * - server-error: 5xx
 * - aborted: our own signal, before anything was sent
 * - local-file: a file on this machine could not be read or written
 */
export type ServiceErrorKind =
  | 'not-sent'
  | 'no-answer'
  | 'bad-answer'
  | 'unauthorized'
  | 'misconfigured'
  | 'throttled'
  | 'refused'
  | 'server-error'
  | 'aborted'
  | 'local-file';

/** How far the request came: waiting for a token, connecting, waiting for the status, reading the body. */
export type ServicePhase = 'token' | 'connect' | 'answer' | 'body';

export interface ServiceErrorFacts {
  kind: ServiceErrorKind;
  /** Whether the service may have acted on the request. */
  ambiguous: boolean;
  phase: ServicePhase;
  /** Method and path, e.g. `POST /products/`. */
  request: string;
  status?: number | undefined;
  /** The service's own words, already inert (see service-message.ts). */
  serviceMessage?: string | undefined;
  /** What the service asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** System or library error code, e.g. `ECONNREFUSED`, `ETIMEDOUT`, `ENOSPC`. */
  code?: string | undefined;
  /** Our own words on what is wrong. */
  detail?: string | undefined;
  /** How an answer begins that cannot be used; a message does not repeat it. */
  answer?: string | undefined;
}

/** A request that did not give what it should. */
export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  readonly ambiguous: boolean;
  readonly phase: ServicePhase;
  readonly request: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly answer: string | undefined;

  constructor(facts: ServiceErrorFacts) {
    super(describe(facts));
    this.name = 'ServiceError';
    this.kind = facts.kind;
    this.ambiguous = facts.ambiguous;
    this.phase = facts.phase;
    this.request = facts.request;
    this.status = facts.status;
    this.serviceMessage = facts.serviceMessage;
    this.retryAfterMs = facts.retryAfterMs;
    this.code = facts.code;
    this.detail = facts.detail;
    this.answer = facts.answer;
  }
}

const WORDS: Record<ServiceErrorKind, string> = {
  'not-sent': 'not sent',
  'no-answer': 'sent, but no answer came',
  'bad-answer': 'the answer cannot be used',
  unauthorized: 'authentication was refused',
  misconfigured: 'not sent, no trusted connection',
  throttled: 'too many requests',
  refused: 'refused',
  'server-error': 'the service failed',
  aborted: 'stopped before it was sent',
  'local-file': 'a local file cannot be read or written',
};

function describe(facts: ServiceErrorFacts): string {
  const code = facts.code === undefined ? undefined : codeWords(facts.code);
  const notes = [facts.status, facts.detail, code].filter((note) => note !== undefined);
  const said = facts.serviceMessage === undefined ? '' : `: ${facts.serviceMessage}`;
  return `${facts.request}: ${WORDS[facts.kind]}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}${said}`;
}
