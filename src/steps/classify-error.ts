/** A failed request as an outcome: the retry classes. The engine decides how often a class is tried again. */
import type { Job, Outcome } from '../model/step.ts';
import { BAD_ANSWER, type ServiceError } from '../service/service-error.ts';
import { fullJitter } from '../util/backoff.ts';
import type { Taken } from './known-names.ts';
import type { StepIo } from './step-io.ts';

/** What a 429 that does not say when to come again is taken to ask for. */
const THROTTLED_MS = 1000;
/** A wait that is worth a time of day. */
const NOT_SOON_MS = 60_000;
/** Ten years: what is asked beyond is no date any more. */
const LONGEST_TOLD_MS = 315_360_000_000;
const RETRY_BASE_MS = 200;
const LONGEST_BACKOFF_MS = 20_000;

/** A create is never sent again unless it is certain that nothing was done. */
export function createFailed(error: ServiceError, job: Job, io: StepIo): Outcome {
  const waiting = waitOrStop(error, io);
  if (waiting) return waiting;
  if (error.kind === 'not-sent') return retry(error, job, io);
  // Not ambiguous and yet a 5xx: the manifest's nothing_done says that it may be sent again.
  if (!error.ambiguous && error.kind === 'server-error') return retry(error, job, io);
  if (!error.ambiguous) return { type: 'rejected', problem: error.problem };
  const { answer, problem, request, status } = error;
  // A person may recognise in it what was made.
  const detail = answer ? `${problem.detail}. The answer: ${answer}` : problem.detail;
  return {
    type: 'unknown',
    evidence: { summary: problem.summary, detail, request, ...(status === undefined ? {} : { status }) },
    overloaded: isOverload(error),
  };
}

/** A create that was answered: done, unless it was given what another node has already. */
export function createAnswered(
  done: Extract<Outcome, { type: 'done' }>,
  request: string,
  { job, io }: { readonly job: Job; readonly io: StepIo },
): Outcome {
  const taken = io.names.claim(job.node.address, done.result);
  if (!taken) return done;
  return {
    type: 'unknown',
    evidence: { summary: BAD_ANSWER, detail: `${request}: ${takenWords(taken)}`, request },
  };
}

/** What is wrong with an answer that gives out something twice. */
export function takenWords({ name, owner }: Taken): string {
  return `the answer names ${name}, which ${owner} has already`;
}

/** Uploads, updates and downloads may be repeated: a second one changes nothing and costs nothing. */
export function repeatableFailed(error: ServiceError, job: Job, io: StepIo): Outcome {
  const waiting = waitOrStop(error, io);
  if (waiting) return waiting;
  const isFinal = error.kind === 'local-file' || (error.kind === 'refused' && !isTransient(error));
  return isFinal ? { type: 'failed', problem: error.problem } : retry(error, job, io);
}

function isTransient({ status }: ServiceError): boolean {
  return status === 408 || status === 425;
}

/** What any kind of request does alike: slow down, give up on the key, leave when the run stops. */
function waitOrStop(error: ServiceError, io: StepIo): Outcome | undefined {
  const { problem } = error;
  if (error.kind === 'throttled') {
    // What the service asks for holds for the whole kind; the engine adds the backoff of this node.
    const waitMs = error.retryAfterMs ?? THROTTLED_MS;
    const until = io.clock.monotonic() + waitMs;
    const retryAt = new Date(io.clock.now() + Math.min(waitMs, LONGEST_TOLD_MS)).toISOString();
    const told = waitMs < NOT_SOON_MS ? problem : { ...problem, retry_at: retryAt };
    return { type: 'wait', why: 'throttled', until, problem: told };
  }
  // Nothing can be sent until a person mends it, whatever it is.
  if (error.kind === 'unauthorized' || error.kind === 'misconfigured')
    return { type: 'unauthorized', problem };
  if (error.kind === 'aborted') return { type: 'put-off', problem };
  return undefined;
}

/** Try again later; what the last attempt remembered is kept. */
export function retry(error: ServiceError, job: Job, io: StepIo): Outcome {
  const memo = job.memo === undefined ? {} : { memo: job.memo };
  return {
    type: 'wait',
    why: 'retry',
    until: backoff(error, job, io),
    problem: error.problem,
    overloaded: isOverload(error),
    unsent: error.kind === 'not-sent',
    ...(isAnswered(error) ? { answered: true } : {}),
    ...memo,
  };
}

/** A 3xx or a 4xx; where it was the token's, the request itself was not sent. */
function isAnswered({ kind, status = 0 }: ServiceError): boolean {
  return kind === 'refused' && status >= 300 && status < 500;
}

/** Too slow, or 503: with fewer requests at once it may bear them. */
function isOverload({ status, code }: ServiceError): boolean {
  return status === 503 || code === 'ETIMEDOUT';
}

function backoff(error: ServiceError, { attempt }: Job, { clock, random }: StepIo): number {
  const jitter = fullJitter({ attempt, baseMs: RETRY_BASE_MS, capMs: LONGEST_BACKOFF_MS, random });
  return clock.monotonic() + Math.max(error.retryAfterMs ?? 0, jitter);
}
