/** Which answers still say something new: those to creates of which nobody knows how they have ended. */
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';

/** Those of the events that say how a create has ended, and when it was begun. */
export function answersTo(intents: readonly StateEvent[], events: readonly StateEvent[]) {
  const begun = new Map(
    intents.flatMap((event) => (event.type === 'intent' ? [[event.address, event.at]] : [])),
  );
  return events.flatMap((event) => {
    const at = ANSWERS.has(event.type) && 'address' in event ? begun.get(event.address) : undefined;
    return at === undefined ? [] : [{ event, begun: at }];
  });
}

/** What somebody has decided meanwhile stays, and so does a later attempt. */
export function isOpen(state: RunState, event: StateEvent, begun: string): boolean {
  return 'address' in event && begunAt(state, event.address) === begun;
}

/** Whether the create of this address, or what was decided about it, is as late as that. */
export function isKnownSince({ objects, requests }: RunState, address: string, begun: string): boolean {
  const at = objects.get(address)?.at ?? requests.get(address)?.requestedAt;
  return at !== undefined && at >= begun;
}

const ANSWERS: ReadonlySet<StateEvent['type']> = new Set(['created', 'rejected', 'not-sent', 'throttled']);

/** When the create of this address was begun, if nobody knows how it ended. */
function begunAt({ objects, requests }: RunState, address: string): string | undefined {
  const object = objects.get(address);
  if (object) return object.status === 'unknown' ? object.at : undefined;
  const request = requests.get(address);
  return request?.status === 'unknown' ? request.requestedAt : undefined;
}
