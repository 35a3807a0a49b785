/** A state as the events that a compacted log begins with: folding them gives the same state, without its history. */
import type { ObjectState } from '../model/run-state.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { Kept, KeptObject, StateEvent } from '../model/state-event.ts';
import type { FoldState } from './fold-state.ts';

export function* snapshotEvents(
  state: FoldState,
  runs: readonly RunSummary[],
  at: string,
): Generator<StateEvent> {
  for (const run of runs) yield { type: 'kept', at, run };
  for (const [name, value] of state.learned) yield { type: 'learned', at, name, value };
  for (const object of state.objects.values()) {
    const before = state.before.get(object.address)?.map((one) => one && plain(one));
    yield { type: 'kept', at, object: plain(object), ...(before && { before }) };
  }
  for (const request of state.requests.values()) yield { type: 'kept', at, request };
  for (const media of state.media.values()) yield { type: 'kept', at, media };
}

export function foldKept(state: FoldState, { object, before, request, media }: Kept): void {
  if (object) {
    const { address } = object;
    state.objects.set(address, revive(object));
    if (before)
      state.before.set(
        address,
        before.map((one) => one && revive(one)),
      );
  } else if (request) state.requests.set(request.address, request);
  else if (media) state.media.set(media.address, media);
}

function plain(object: ObjectState): KeptObject {
  return { ...object, versions: [...object.versions] };
}

function revive(object: KeptObject): ObjectState {
  return { ...object, versions: new Map(object.versions) };
}
