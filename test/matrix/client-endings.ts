/** The cells of endpoints that no plan sends a request to yet: what the client says, and what a step makes of that. */
import type { ServiceError } from '../../src/service/service-error.ts';
import { judge } from '../../src/engine/judge.ts';
import { requestFailed } from '../../src/steps/request-facts.ts';
import type { Result } from '../../src/util/result.ts';
import { createIo } from '../steps/step-rig.ts';
import type { Verdict } from './expected.ts';
import type { Fault } from './faults.ts';

/** What a step would do next. */
export type NextStep = 'done' | 'retry' | 'throttled' | 'failed' | 'unauthorized';

/** What an answer of the client means to a step that may repeat its request. */
export function nextStep(answer: Result<unknown, ServiceError>): string {
  if (answer.ok) return 'done';
  const facts = requestFailed(answer.error, createIo({}));
  if (facts.came === 'throttled') return 'throttled';
  const verdict = judge({ column: 'repeatable', facts, attempt: 1, isPaid: true, random: () => 0.5 });
  return verdict.next === 'wait' ? verdict.why : (verdict.stops ?? verdict.end);
}

/** Requests that the service must have seen, and what comes next. */
export function clientEnding({ column }: Fault, verdict: Verdict): { requests: number; next: NextStep } {
  switch (verdict) {
    case 'done':
      return { requests: 1, next: 'done' };
    case 'renewed':
      return { requests: 2, next: 'done' };
    case 'later':
    case 'again':
      return { requests: column === 'not sent' ? 0 : 1, next: 'retry' };
    case 'slows down':
    case 'quota':
      return { requests: 1, next: 'throttled' };
    case 'refused':
      return { requests: 1, next: 'failed' };
    case 'no key':
      return { requests: 2, next: 'unauthorized' };
    case 'gone':
    case 'denied':
    case 'gone after all':
    case 'gone later':
    case 'goes on':
    case 'unknown':
    case 'fresh link':
    case 'spoiled':
    case 'cut':
    case 'endless':
    case 'kept':
    case 'not yet':
    case 'nobody there':
    case 'loops':
    case 'refused here':
    case 'no endpoint':
    case 'elsewhere':
    case 'no trust':
      throw new Error(`no request of a client alone is "${verdict}"`);
  }
}
