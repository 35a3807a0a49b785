import type { GraphObject } from '../model/graph.ts';
import type { Reason } from '../model/plan.ts';
import type { ObjectState } from '../model/run-state.ts';
import { memberOf } from '../model/source.ts';
import { count } from '../util/count.ts';
import { isJsonArray, type JsonObject } from '../util/json.ts';

export const ELSEWHERE = 'changed elsewhere since it was last written or read';

interface DriftReason extends Reason {
  readonly field: string;
}

/** The fields that somebody else has changed: from what the service has now to what the manifest says. */
export function driftOf(
  { payload, source }: GraphObject,
  { drift = {} }: Pick<ObjectState, 'drift'>,
): DriftReason[] {
  const wanted: JsonObject =
    'images' in payload ? { description: '', ...payload, images: countOf(payload.images) } : {};
  return Object.entries(drift).flatMap(([field, value]): DriftReason[] => {
    const from = isJsonArray(value) ? [...value] : value;
    const to = wanted[field];
    if (to === undefined || from === to) return [];
    return [{ summary: 'changed elsewhere', field, from, to, source: memberOf(source, field) }];
  });
}

/** Their URLs at the service are not in the manifest. */
function countOf({ length }: readonly unknown[]): string {
  return `${count(length, 'image')} as the manifest has ${length === 1 ? 'it' : 'them'}`;
}
