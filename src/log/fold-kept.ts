/** Restores what a compacted log begins with; `snapshot.ts` writes it. */
import type { ObjectState } from '../model/run-state.ts';
import type { Kept, KeptObject } from '../model/state-event.ts';
import type { FoldState } from './fold-state.ts';

export function foldKept(state: FoldState, { object, before, request, media }: Kept): void {
  if (object) {
    state.objects.set(object.address, revive(object));
    if (before)
      state.before.set(
        object.address,
        before.map((one) => one && revive(one)),
      );
  } else if (request) state.requests.set(request.address, request);
  else if (media) state.media.set(media.address, media);
}

function revive(object: KeptObject): ObjectState {
  return { ...object, versions: new Map(object.versions) };
}
