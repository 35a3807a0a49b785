/**
 * What the log holds: one event a record. The in-memory state is a fold over them (state/fold.ts).
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

export type StateEvent =
  | (At & {
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
  /** The first answer of a medium: from now on its absence means `lost`. */
  | (AtNode & { readonly type: 'seen' })
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
  | (At & {
      readonly type: 'run-finished';
      readonly outcome: RunOutcome;
      readonly exit_code: number;
      readonly nodes: NodeCounts;
    });
