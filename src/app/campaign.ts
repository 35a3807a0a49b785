import type { LoadedManifest } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Graph } from '../model/graph.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { StatePlace } from '../store/open-store.ts';
import type { Result } from '../util/result.ts';

/** Which campaign is meant, and how its manifest is read. What is left out is what the variables of the process say. */
export interface CampaignSource {
  readonly file: string;
  /** Wins over CAMPAIGN_ENV, which wins over the manifest's default. */
  readonly environment?: string | undefined;
  /** Where the state is; wins over CAMPAIGN_STATE. */
  readonly state?: string | undefined;
  /** Each wins over its CAMPAIGN_VAR_… */
  readonly variables?: ReadonlyMap<string, string>;
  /** `nothing`: it is only looked at, so that an environment may be missing. */
  readonly need: 'environment' | 'nothing';
  readonly outside: 'allow' | 'refuse';
  /** What names it on the command line, for advice: `m.yaml --env stage`; empty where nothing has to. */
  readonly target: string;
}

/** A checked campaign, ready to be planned. */
export interface Campaign extends StatePlace, Pick<CampaignSource, 'target'> {
  readonly manifest: Manifest;
  readonly graph: Graph;
  /** When its photos were about to be read, in epoch milliseconds. */
  readonly readAt: number;
  readonly warnings: readonly Problem[];
  readonly quote: LoadedManifest['quote'];
  /** The same campaign, read once more: `results` are files relative to its folder that are no photos. */
  readonly reload: (results: readonly string[]) => Promise<Result<Campaign, Refusal>>;
}
