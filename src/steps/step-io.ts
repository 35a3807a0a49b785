import type { Address } from '../model/address.ts';
import type { OutputTemplate } from '../model/output-path.ts';
import type { Client } from '../service/client.ts';
import type { StatusNames } from '../service/read-media-status.ts';
import type { Clock } from '../util/clock.ts';
import type { KnownNames } from './known-names.ts';
import type { Links } from './links.ts';
import type { MediaLookup } from './media-lookup.ts';
import type { Requested } from './known-requests.ts';

export interface StepIo {
  readonly client: Client;
  /** Absolute path of the manifest's folder: paths of photos and outputs are relative to it. */
  readonly folder: string;
  /** When reading the photos for the plan began, in epoch milliseconds. */
  readonly photosReadAt: number;
  readonly outputs: OutputTemplate | false;
  readonly clock: Clock;
  readonly random: () => number;
  readonly lookup: MediaLookup;
  readonly names: KnownNames;
  readonly requested: (request: Address) => Requested;
  readonly links: Links;
  /** Ids of products that earlier runs made, the newest first: a working service has them. */
  readonly madeProducts: readonly string[];
  readonly form: 'schema' | 'guide';
  readonly statuses: StatusNames;
  /** JSON Pointer into media_info, if one is set. */
  readonly mediaUrls: string | undefined;
  /** Running time after which a post is left pending. */
  readonly mediaTimeoutMs: number;
}
