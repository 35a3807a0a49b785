/** What a compacted log begins with, put back as it was; `snapshot.ts` writes it. */
import type { ObjectState } from '../model/run-state.ts';
import type { Kept, KeptObject } from '../model/state-event.ts';
import type { Before, FoldState } from './fold-state.ts';

/** Folds one node of a snapshot. */
export function foldKept(state: FoldState, kept: Kept): void {
  if ('object' in kept) keepObject(state, kept);
  else if ('request' in kept) state.requests.set(kept.request.address, kept.request);
  else if ('media' in kept) state.media.set(kept.media.address, kept.media);
}

function keepObject(state: FoldState, { object, before }: Extract<Kept, { object: KeptObject }>): void {
  const { address } = object;
  state.objects.set(address, revive(object));
  const outermost = (before ?? []).reduceRight<Before | undefined>(
    (outer, inner) => ({ object: inner ? revive(inner) : undefined, outer }),
    undefined,
  );
  if (outermost) state.before.set(address, outermost);
}

function revive(object: KeptObject): ObjectState {
  return { ...object, versions: new Map(object.versions) };
}
