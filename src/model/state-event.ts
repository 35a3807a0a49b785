/**
 * What the log holds: one event a record. The in-memory state is a fold over them (log/fold.ts).
 * Times are ISO 8601 in UTC. Addresses of media and downloads always name the take (`media/hero/1@2`).
 *
 * A create (product, concept, media-config) writes `intent` before its request leaves and exactly one of
 * `created`, `rejected`, `not-sent`, `throttled`, `unknown` after; an intent without an end is an unknown create.
 */
import type { JsonObject } from '../util/json.ts';
import type { Address } from './address.ts';
import type { RunOutcome } from './exit.ts';
import type { NodeCounts } from './run-event.ts';
import type { RequestPayload } from './payload.ts';
import type { Problem } from './problem.ts';
import type { MediaState, ObjectState, RequestState } from './run-state.ts';
import type { RunSummary } from './run-summary.ts';
import type {
  ConceptResult,
  DownloadResult,
  Learned,
  MediaResult,
  ProductResult,
  RequestResult,
  UploadResult,
} from './result.ts';

interface At {
  readonly at: string;
}

interface AtNode extends At {
  readonly address: Address;
}

interface Meaning {
  readonly inputs: JsonObject;
  readonly fingerprint: string;
}

/** Why an outcome is unknown: what was sent and what came back. */
export interface Evidence {
  readonly summary: string;
  readonly detail?: string;
  readonly request?: string;
  readonly status?: number;
}

/** Who ran a command: `user@host`, and the CI system that it ran in. */
export interface Operator {
  readonly by: string;
  readonly ci?: string;
}

/** An object as a compacted log keeps it: a map is no JSON. */
export type KeptObject = Omit<ObjectState, 'versions'> & {
  readonly versions: readonly (readonly [fingerprint: string, inputs: JsonObject])[];
};

/** What a compacted log begins with: each is one node, or one run, as the records before it had made it. */
export type Kept =
  /** `before`: what the object was before its open intents, the latest first; null where it was not. */
  | { readonly object: KeptObject; readonly before?: readonly (KeptObject | null)[] }
  | { readonly request: RequestState }
  | { readonly media: MediaState }
  | { readonly run: RunSummary };

export type StateEvent =
  /** Logs of version 0.1 name no operator. */
  | (At &
      Partial<Operator> & {
        readonly type: 'run-started';
        readonly command: string;
        readonly version: string;
        readonly manifest: string;
      })
  | (AtNode &
      Meaning & { readonly type: 'intent'; readonly attempt: number; readonly request?: RequestPayload })
  | (AtNode & { readonly type: 'created'; readonly result: ProductResult | ConceptResult | RequestResult })
  | (AtNode & { readonly type: 'rejected' | 'not-sent' | 'throttled'; readonly problem: Problem })
  | (AtNode & { readonly type: 'unknown'; readonly evidence: Evidence })
  | (AtNode & Meaning & { readonly type: 'uploaded'; readonly result: UploadResult })
  | (AtNode & Meaning & { readonly type: 'updated'; readonly result: ProductResult | ConceptResult })
  /** A person took the present inputs as what exists (`state accept`): nothing was sent. */
  | (AtNode & Meaning & { readonly type: 'accepted' })
  /** Before an update leaves: without an end nobody knows what the service has, so it is sent again as a whole. */
  | (AtNode & { readonly type: 'updating' })
  /** An upload, update or download that did not succeed; what the node had before, it still has. */
  | (AtNode & { readonly type: 'failed'; readonly problem: Problem })
  /** The first answer of a medium that is being generated, or that had failed or was lost and is generated after all. */
  | (AtNode & { readonly type: 'seen' })
  /** Items that the answer to their request did not have and that the service lists by now, those beyond what was asked too. */
  | (AtNode & { readonly type: 'listed'; readonly result: RequestResult })
  | (AtNode & { readonly type: 'generated'; readonly result: MediaResult })
  | (AtNode & { readonly type: 'generation-failed' | 'lost'; readonly problem: Problem })
  | (AtNode & { readonly type: 'downloaded'; readonly result: DownloadResult })
  | (At & { readonly type: 'moved'; readonly from: Address; readonly to: Address })
  /** A person's decision about an unknown create (`created` carries what exists) or a failed node (`skipped`). */
  | (AtNode & {
      readonly type: 'resolved';
      readonly decision: 'created' | 'not-created' | 'skipped';
      readonly result?: ProductResult | ConceptResult | RequestResult;
    })
  | (At & { readonly type: 'learned' } & Learned)
  /** A person took the node out of the state (`state rm`): what exists at the service stays there. */
  | (AtNode & { readonly type: 'forgotten' })
  /** From here on the state belongs to this (`state rebind`). */
  | (At & {
      readonly type: 'rebound';
      readonly campaign: string;
      readonly environment: string;
      readonly base_url: string;
    })
  | (At & { readonly type: 'kept' } & Kept)
  | (At & {
      readonly type: 'run-finished';
      readonly outcome: RunOutcome;
      readonly exit_code: number;
      readonly nodes: NodeCounts;
    });
