/**
 * The state as a fold over the log. The maps grow in place, for speed: a run appends a hundred thousand events to a
 * state of a hundred thousand nodes. The values in them are never changed, only replaced, so that a value taken from a
 * state does not change afterwards.
 *
 * A create that is under way and one that was interrupted look the same, on purpose: both are `unknown` from their
 * intent until the end of the attempt is recorded. Events about nodes that the state does not have change nothing.
 */
import { kindOf, KINDS } from '../model/kinds.ts';
import type {
  DownloadEvent,
  MediaEvent,
  ObjectEvent,
  RequestEvent,
  StateEvent,
} from '../model/state-event.ts';
import { foldKept } from './fold-kept.ts';
import type { FoldState } from './fold-state.ts';
import { forget } from './forget.ts';
import { foldObject, moveObject } from './fold-object.ts';
import { foldRequest } from './fold-request.ts';
import { foldDownload, foldTake, moveMedia } from './fold-take.ts';

export function emptyState(): FoldState {
  return { objects: new Map(), requests: new Map(), media: new Map(), learned: new Map(), before: new Map() };
}

export function fold(state: FoldState, event: StateEvent): FoldState {
  if (event.type === 'forgotten') forget(state, event.address);
  else if ('address' in event) foldNode(state, event);
  else if (event.type === 'learned') state.learned.set(event.name, event.value);
  else if (event.type === 'kept') foldKept(state, event);
  else if (event.type === 'moved') {
    moveObject(state, event);
    moveMedia(state, event);
  }
  return state;
}

/** Each kind's own fold decides what an event means; an event that it does not know changes nothing. */
function foldNode(state: FoldState, event: NodeEvent): void {
  const kind = kindOf(event.address);
  if (!kind) return;
  const { stored, interrupted } = KINDS[kind];
  // Otherwise a node without an end would be unknown; a node that may simply be sent again stays as it was.
  if (event.type === 'intent' && interrupted === 'repeat') return;
  switch (stored) {
    case 'object':
      return foldObject(state, event as ObjectEvent);
    case 'request':
      return foldRequest(state, event as RequestEvent);
    case 'take':
      return foldTake(state, event as MediaEvent);
    case 'files':
      return foldDownload(state, event as DownloadEvent);
  }
}

type NodeEvent = ObjectEvent | RequestEvent | MediaEvent | DownloadEvent;
