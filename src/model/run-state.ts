/**
 * The state in memory: a fold over the log (log/fold.ts), and the only truth for plan, status and resume.
 * Uploads, products and concepts are objects; a request is one media configuration; a medium is one item of one post
 * with a take per request that made it.
 */
import type { JsonObject } from '../util/json.ts';
import { type Address, splitTake } from './address.ts';
import type { OutputFile, RequestPayload } from './payload.ts';
import type { Problem } from './problem.ts';
import type {
  ConceptResult,
  MediaResult,
  NodeResult,
  ProductResult,
  RequestResult,
  UploadResult,
} from './result.ts';
import type { Evidence } from './state-event.ts';

export type NodeStatus = 'done' | 'pending' | 'failed' | 'unknown' | 'lost' | 'skipped';

export interface RunState {
  /** Uploads, products, concepts by address. */
  readonly objects: ReadonlyMap<Address, ObjectState>;
  /** Media configurations by address (`media-config/hero@1`). */
  readonly requests: ReadonlyMap<Address, RequestState>;
  /** Items by address without take (`media/hero/1`). */
  readonly media: ReadonlyMap<Address, MediaState>;
  /** Facts about the service, by name. */
  readonly learned: ReadonlyMap<string, string>;
}

export interface ObjectState {
  readonly address: Address;
  readonly status: NodeStatus;
  /** What exists at the service; absent until a create succeeded. */
  readonly result?: UploadResult | ProductResult | ConceptResult;
  /** Inputs of what exists, or, where nothing does, of the last attempt. */
  readonly inputs: JsonObject;
  readonly fingerprint: string;
  /** Inputs of everything it ever was, by fingerprint: reasons need the old values. */
  readonly versions: ReadonlyMap<string, JsonObject>;
  /** Creates of it whose outcome was unknown when a setting had it sent again (`on_unknown`): each may have made one too. */
  readonly possibleDuplicates?: readonly {
    readonly at: string;
    readonly evidence: Evidence | undefined;
  }[];
  readonly problem?: Problem;
  readonly evidence?: Evidence;
  readonly at: string;
}

export interface RequestState {
  readonly address: Address;
  readonly status: NodeStatus;
  readonly payload: RequestPayload;
  readonly result?: RequestResult;
  readonly problem?: Problem;
  readonly evidence?: Evidence;
  readonly at: string;
}

export interface MediaState {
  readonly address: Address;
  readonly post: string;
  readonly item: string;
  /** Made by the service beyond what was asked: polled, downloaded, never requested again. */
  readonly surplus: boolean;
  /** Oldest first; the last is the current one. A rejected request leaves no take. */
  readonly takes: readonly TakeState[];
}

export interface TakeState {
  /** Number of the request that made it. */
  readonly n: number;
  readonly request: Address;
  /** The name that the item had when it was requested: its request's answer knows it by that, whatever it is called now. */
  readonly requestedAs: string;
  readonly status: NodeStatus;
  readonly inputs: JsonObject;
  readonly fingerprint: string;
  /** Whether the service has ever answered for it. */
  readonly seen: boolean;
  readonly result?: MediaResult;
  /** Its files on disk; absent until downloaded. */
  readonly files?: readonly OutputFile[];
  readonly problem?: Problem;
  /** When the request was made, when the take settled, and when its files were there. */
  readonly requestedAt: string;
  readonly settledAt?: string;
  readonly downloadedAt?: string;
}

/** The current take of an item: the newest one. */
export function currentTake(media: MediaState): TakeState | undefined {
  return media.takes.at(-1);
}

/** The result that a finished node gives to its dependents; media and downloads are addressed with their take. */
export function resultOf(state: RunState, address: Address): NodeResult | undefined {
  const object = state.objects.get(address) ?? state.requests.get(address);
  if (object) return object.result;
  const { address: item, take } = splitTake(address);
  return state.media.get(item)?.takes.find(({ n }) => n === take)?.result;
}
