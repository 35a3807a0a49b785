import type { Address } from '../model/address.ts';
import type { MediaState, ObjectState, RequestState, RunState } from '../model/run-state.ts';
import type { Evidence, StateEvent } from '../model/state-event.ts';

/** An event in the life of one node; what ends it is forget.ts. */
export type NodeEvent = Exclude<
  Extract<StateEvent, { readonly address: Address }>,
  { readonly type: 'forgotten' }
>;

/** A state as the fold sees it: its maps can grow, and open intents can be taken back. */
export interface FoldState extends RunState {
  readonly objects: Map<Address, ObjectState>;
  readonly requests: Map<Address, RequestState>;
  readonly media: Map<Address, MediaState>;
  readonly learned: Map<string, string>;
  /** What an object was before its open intent. */
  readonly before: Map<Address, Before>;
}

/** `outer`: an unknown create was sent again, which a setting allows; then there are two intents to take back. */
export interface Before {
  readonly object: ObjectState | undefined;
  readonly outer: Before | undefined;
}

/** What is known about a create whose end was never recorded. */
export const INTERRUPTED: Evidence = {
  summary: 'interrupted',
  detail: 'The run ended while the request was under way; the service may or may not have acted on it.',
};
