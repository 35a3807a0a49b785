/** The state in memory: a fold over the log (log/fold.ts), which plan, status and resume all read. */
import type { JsonObject } from '../util/json.ts';
import { type Address, splitTake } from './address.ts';
import type {
  KeptMedia as MediaState,
  KeptObject,
  KeptRequest as RequestState,
  KeptTake as TakeState,
} from './generated/state-record.js';
import type { NodeResult } from './result.ts';

export type { MediaState, RequestState, TakeState };
export type { NodeStatus } from './generated/state-record.js';

export interface RunState {
  readonly objects: ReadonlyMap<Address, ObjectState>;
  readonly requests: ReadonlyMap<Address, RequestState>;
  /** Items by address without take (`media/hero/1`). */
  readonly media: ReadonlyMap<Address, MediaState>;
  readonly learned: ReadonlyMap<string, string>;
  /** Ids of media that were forgotten. */
  readonly gone: ReadonlySet<string>;
  readonly spending: SpendingState;
}

/** What requests do not say by themselves of what was spent. */
export interface SpendingState {
  /** Requests that were sent since the last `apply` that ended: a run that was killed goes on in the next one. */
  readonly open: ReadonlySet<Address>;
  /** What was spent by a log that this one succeeds, by month (`2026-11`). */
  readonly carried: ReadonlyMap<string, { readonly posts: number; readonly cost: number }>;
}

/** Its inputs are those of what exists or, if nothing exists, of the last attempt. */
export type ObjectState = Omit<KeptObject, 'versions'> & {
  /** The inputs of all its versions, by fingerprint, because reasons show the old values. */
  readonly versions: ReadonlyMap<string, JsonObject>;
};

/** A rejected request leaves no take. */
export function currentTake(media: MediaState): TakeState | undefined {
  return media.takes.at(-1);
}

export function resultOf(state: RunState, address: Address): NodeResult | undefined {
  const object = state.objects.get(address) ?? state.requests.get(address);
  if (object) return object.result;
  return takeOf(state, address)?.result;
}

/** `address`: that of a take. */
export function takeOf({ media }: Pick<RunState, 'media'>, address: Address): TakeState | undefined {
  const { address: item, take } = splitTake(address);
  return media.get(item)?.takes.find(({ n }) => n === take);
}
