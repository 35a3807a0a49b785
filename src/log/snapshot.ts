/** A state as the events that a compacted log begins with: folding them gives the same state, without its history. */
import type { ObjectState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { KeptObject, StateEvent } from '../model/state-event.ts';
import type { FoldState } from './fold-state.ts';

/** One event for each run, fact and node, in an order in which they can be folded. */
export function* snapshotEvents(
  state: FoldState,
  runs: readonly RunSummary[],
  at: string,
): Generator<StateEvent> {
  for (const run of runs) yield { type: 'kept', at, run };
  for (const [name, value] of state.learned) yield { type: 'learned', at, name, value };
  for (const object of state.objects.values()) yield keptObject(state, object, at);
  for (const request of state.requests.values()) yield { type: 'kept', at, request };
  for (const media of state.media.values()) yield { type: 'kept', at, media };
}

function keptObject(state: FoldState, object: ObjectState, at: string): StateEvent {
  const before = state.before.get(object.address)?.map((one) => one && plain(one));
  return { type: 'kept', at, object: plain(object), ...(before && { before }) };
}

function plain(object: ObjectState): KeptObject {
  return { ...object, versions: [...object.versions] };
}
