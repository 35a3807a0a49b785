import type { Done, Failed, FailureKind } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import { BAD_ANSWER, type ServiceError } from '../service/service-error.ts';
import type { Taken } from './known-names.ts';
import type { StepContext, StepIo } from './step-io.ts';

/** A wait that is worth a time of day. */
const NOT_SOON_MS = 60_000;
/** Ten years: what is asked beyond is no date any more. */
const LONGEST_TOLD_MS = 315_360_000_000;

export function requestFailed(error: ServiceError, { clock }: Pick<StepIo, 'clock'>): Failed {
  const { came, problem, retryAfterMs, request, answer, status, code, noToken, isTokenDue } = error;
  const askedMs = retryAfterMs ?? 0;
  const isLate = came === 'throttled' && askedMs >= NOT_SOON_MS;
  const retryAt = () => new Date(clock.now() + Math.min(askedMs, LONGEST_TOLD_MS)).toISOString();
  return {
    came,
    sent: sentOf(error),
    problem: isLate ? { ...problem, retry_at: retryAt() } : problem,
    request,
    ...(noToken && came === 'not-sent' && { noToken: isTokenDue ? 'due' : 'unreached' }),
    ...(retryAfterMs === undefined ? {} : { waitMs: retryAfterMs }),
    ...(status === 503 || code === 'ETIMEDOUT' ? { load: 'overloaded' } : {}),
    ...(answer === undefined ? {} : { quote: answer }),
  };
}

const UNSENT: ReadonlySet<FailureKind> = new Set(['not-sent', 'misconfigured', 'aborted', 'local-file']);

function sentOf({ came, noToken }: ServiceError): Failed['sent'] {
  if (came === 'no-answer') return 'maybe';
  return noToken || UNSENT.has(came) ? 'no' : 'yes';
}

/** A create that was answered: done, unless it was given what another node has already. */
export function createAnswered(
  result: Done['result'],
  request: string,
  { job, io }: Pick<StepContext, 'job' | 'io'>,
): Done | Failed {
  const taken = io.names.claim(job.node.address, result);
  if (!taken) return { came: 'result', sent: 'yes', result };
  const problem = { summary: BAD_ANSWER, detail: `${request}: ${takenWords(taken)}` };
  return { came: 'unusable', sent: 'yes', problem, request };
}

export function takenWords({ name, owner }: Taken): string {
  return `the answer names ${name}, which ${owner} has already`;
}

export function unclear(problem: Problem): Failed {
  return { came: 'unclear', sent: 'yes', problem };
}
