/**
 * The formats of the log. Format 2 can hold what was spent (the cost of a request, when a kept request was sent, and what
 * a new log takes over) and the ids of forgotten media. A log of format 1 is rewritten as its snapshot before the first event that it cannot hold.
 */
import type { StateEvent } from '../model/state-event.ts';

export function formatOf(event: StateEvent): 1 | 2 {
  return event.type === 'spent' || isPriced(event) || isDated(event) || isGone(event) ? 2 : 1;
}

function isPriced(event: StateEvent): boolean {
  return event.type === 'intent' && event.request?.cost !== undefined;
}

function isDated(event: StateEvent): boolean {
  return event.type === 'kept' && event.request?.requestedAt !== undefined;
}

function isGone(event: StateEvent): boolean {
  return event.type === 'kept' && event.gone !== undefined;
}
