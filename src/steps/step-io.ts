import type { OutputFolder } from '../files/own-place.ts';
import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import type { NodeKind } from '../model/kinds.ts';
import type { OutputTemplate } from '../model/output-path.ts';
import type { PlannedNode } from '../model/plan.ts';
import type { Job, Step } from '../model/step.ts';
import type { Client } from '../service/client.ts';
import type { StatusNames } from '../service/read-media-status.ts';
import type { RunFiles } from '../storage/run-files.ts';
import type { Clock } from '../util/clock.ts';
import type { KnownNames } from './known-names.ts';
import type { Requested } from './known-requests.ts';
import type { Links } from './links.ts';
import type { MediaLookup } from './media-lookup.ts';
import type { Witness } from './witnesses.ts';

export interface StepIo {
  readonly client: Client;
  /** Where results are. */
  readonly place: OutputFolder;
  readonly files: RunFiles;
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
  /** For a run that deletes something: what shows that the service is well. */
  readonly witnesses?: readonly Witness[];
  /** Running time after which a post is left pending. */
  readonly mediaTimeoutMs: number;
}

export interface StepContext {
  readonly job: Job;
  readonly io: StepIo;
  readonly signal: AbortSignal;
  /** To be called before work on what came, once all of it was read. */
  readonly answered: () => void;
}

type NodeOf<Kind extends NodeKind> = Extract<PlannedNode, { readonly kind: Kind }>;

export function stepOf<Kind extends NodeKind>(
  kind: Kind,
  act: (node: NodeOf<Kind>, context: StepContext) => Promise<Facts>,
) {
  return (io: StepIo): Step => ({
    async run(job, signal, answered = () => {}) {
      const { node } = job;
      if (node.kind !== kind) throw new Error(`not a node of ${kind}: ${node.address}`);
      return act(node as NodeOf<Kind>, { job, io, signal, answered });
    },
  });
}
