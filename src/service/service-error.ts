import type { Problem } from '../model/problem.ts';
import { codeWords } from '../util/code-words.ts';

/** What came in the place of what was asked for; model/facts.ts says what each of them means. */
export type ServiceFailure = keyof typeof WORDS;

/** Listed fields only, never another error: those of the HTTP library carry the request's headers, with the token. */
export interface ServiceErrorFacts {
  readonly came: ServiceFailure;
  /** Method and path, e.g. `POST /products/`. */
  readonly request: string;
  /** Not sent, because there was no token that the service takes. */
  readonly noToken?: true;
  /** The service was asked for one, and it may give one at the next attempt. */
  readonly isTokenDue?: true;
  /** The answer is none of the service: what calls itself so in its place, or nothing. */
  readonly foreign?: string | undefined;
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
  const { came, status, request, serviceMessage } = facts;
  const isElsewhere = came === 'unauthorized' && (status === 404 || status === 405 || isRedirect(status));
  const cause = isElsewhere ? 'base-url' : CAUSES[came];
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  const problem = {
    summary: isElsewhere ? 'There is no token endpoint: is the base URL right?' : summaryOf(facts),
    detail: `${request}: ${isForeign(facts) ? 'answered by something else' : wordsOf(facts)[1]}${notesOn(facts)}${said}`,
    ...(status === undefined ? {} : { status }),
    ...(cause === undefined ? {} : { cause }),
  };
  return { ...facts, came: isElsewhere ? 'misconfigured' : came, problem };
}

/** Whether the service answered with a 3xx or 4xx that is not about the token or the rate. */
export function isRefused({ came }: ServiceError): boolean {
  return WORDS[came] === REFUSED;
}

/** Whether something else than the service has said no: a redirect, or a page that is none about what does not exist. */
export function isFromElsewhere(error: ServiceError): boolean {
  const { came, foreign, status } = error;
  const isNo = isRefused(error) || came === 'unauthorized' || came === 'misconfigured';
  return isNo && (isRedirect(status) || (foreign !== undefined && status !== 404));
}

/** The cause, where it is not the service. */
const CAUSES: Readonly<Partial<Record<ServiceFailure, Problem['cause']>>> = {
  misconfigured: 'connection',
  'local-file': 'disk',
};

const REFUSED = ['The service refused the request', 'refused'] as const;
const FAILED = ['The service failed', 'the service failed'] as const;

const WORDS = {
  'not-sent': ['The service could not be reached', 'not sent'],
  'no-answer': ['The service did not answer', 'sent, but no answer came'],
  unusable: ['The answer of the service cannot be used', 'the answer cannot be used'],
  unauthorized: ['The service refuses the API key', 'authentication was refused'],
  misconfigured: ['There is no trusted connection to the service', 'not sent, no trusted connection'],
  throttled: ['The service asks to slow down', 'too many requests'],
  refused: REFUSED,
  unproven: REFUSED,
  passing: REFUSED,
  'passing-refusal': REFUSED,
  'server-error': FAILED,
  'not-done': FAILED,
  aborted: ['The run was stopped', 'stopped before it was sent'],
  'local-file': ['A file could not be read or written', 'a local file cannot be read or written'],
} satisfies Record<string, readonly [summary: string, ofRequest: string]>;

/** Where campaign itself does not fetch what a link leads to, nothing was answered. */
function wordsOf({ came, status }: ServiceErrorFacts): readonly [summary: string, ofRequest: string] {
  return came === 'refused' && status === undefined
    ? ['The file cannot be fetched', 'not fetched']
    : WORDS[came];
}

export const BAD_ANSWER = WORDS.unusable[0];

/** Something on the way answers in the place of the service, and does so until somebody changes a setting. */
export function beforeService(facts: ServiceErrorFacts): ServiceError {
  return serviceError({ ...facts, came: 'misconfigured', noToken: true });
}

function isForeign({ came, foreign }: ServiceErrorFacts): boolean {
  return came === 'misconfigured' && foreign !== undefined;
}

function summaryOf(facts: ServiceErrorFacts): string {
  const { came, noToken, status, foreign } = facts;
  if (isForeign(facts))
    return `Something before the service answered (${[foreign, status].filter(Boolean).join(', ')})`;
  if (came === 'not-sent' && noToken && status !== undefined)
    return status === 401 ? 'The service refused the token' : 'The service gives no token';
  const [summary] = wordsOf(facts);
  return summary === REFUSED[0] && isRedirect(status) ? 'The service redirects the request' : summary;
}

export function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

function notesOn({ status, detail, code }: ServiceErrorFacts): string {
  const words = code === undefined ? undefined : codeWords(code);
  const notes = [status, detail, words].filter((note) => note !== undefined);
  return notes.length > 0 ? ` (${notes.join(', ')})` : '';
}
