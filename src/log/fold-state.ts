import type { Address } from '../model/address.ts';
import type { MediaState, ObjectState, RequestState, RunState } from '../model/run-state.ts';
import type { Evidence } from '../model/state-event.ts';

/** A state for folding: its maps can grow, and open intents can be taken back. */
export interface FoldState extends RunState {
  readonly objects: Map<Address, ObjectState>;
  readonly requests: Map<Address, RequestState>;
  readonly media: Map<Address, MediaState>;
  readonly learned: Map<string, string>;
  /**
   * The undo stack: what an object was before each of its open intents, the latest first, and null where it was not. There
   * are two where an unknown create was sent again, which a setting allows.
   */
  readonly before: Map<Address, readonly (ObjectState | null)[]>;
}

/** The evidence for a create whose end was never recorded. */
export const INTERRUPTED: Evidence = {
  summary: 'interrupted',
  detail: 'The run ended while the request was under way; the service may or may not have acted on it.',
};
