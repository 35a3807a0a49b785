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
  for (const [month, { posts, cost }] of state.spending.carried)
    yield { type: 'spent', at, month, posts, cost };
  for (const object of state.objects.values()) {
    const before = state.before.get(object.address)?.map((one) => one && plain(one));
    yield { type: 'kept', at, object: plain(object), ...(before && { before }) };
  }
  for (const request of state.requests.values()) {
    const open = state.spending.open.has(request.address) && { open: true };
    yield { type: 'kept', at, request, ...open };
  }
  for (const media of state.media.values()) yield { type: 'kept', at, media };
  if (state.gone.size) yield { type: 'kept', at, gone: [...state.gone] };
}

export function foldKept(state: FoldState, kept: Kept): void {
  const { object, before, request, open, media, run, gone = [] } = kept;
  for (const id of gone) state.gone.add(id);
  if (object) {
    const { address } = object;
    state.objects.set(address, revive(object));
    if (before)
      state.before.set(
        address,
        before.map((one) => one && revive(one)),
      );
  } else if (request) {
    state.requests.set(request.address, request);
    if (open) state.spending.open.add(request.address);
  } else if (media) state.media.set(media.address, media);
  else if (run) state.spending.command = run.command;
}

function plain(object: ObjectState): KeptObject {
  return { ...object, versions: [...object.versions] };
}

function revive(object: KeptObject): ObjectState {
  return { ...object, versions: new Map(object.versions) };
}
