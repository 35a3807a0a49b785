/** What steps find out, for tests of the engine. */
import type { Done, Failed, FailureKind, NotFinished } from '../../src/model/facts.ts';

export const PROBLEM = { summary: 'no' };

/** A request that came to nothing. */
export function failed(came: FailureKind, more: Partial<Omit<Failed, 'came'>> = {}): Failed {
  const sent = came === 'not-sent' || came === 'aborted' ? 'no' : 'yes';
  return { came, sent, problem: PROBLEM, ...more };
}

/** The service asks to slow down. */
export function throttled(waitMs: number): Failed {
  return failed('throttled', { waitMs });
}

export function done(result: Done['result'], more: Partial<Done> = {}): Done {
  return { came: 'result', sent: 'yes', result, ...more };
}

/** A post that is being generated, and is asked for again in so many milliseconds. */
export function pending(waitMs: number, more: Partial<NotFinished> = {}): NotFinished {
  return { came: 'pending', sent: 'yes', waitMs, ...more };
}
