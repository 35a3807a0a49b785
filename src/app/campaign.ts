import type { Decisions } from '../decisions/read-decisions.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Graph } from '../model/graph.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { StatePlace } from '../store/open-store.ts';
import type { Result } from '../util/result.ts';

/** Which campaign is meant, and how its manifest is read. For what is left out, the environment variables count. */
export interface CampaignSource {
  readonly file: string;
  /** The text of a manifest that came on standard input. */
  readonly input?: Buffer | undefined;
  /** Overrides CAMPAIGN_ENV, which overrides the manifest's default. */
  readonly environment?: string | undefined;
  /** Where the state is; overrides CAMPAIGN_STATE. */
  readonly state?: string | undefined;
  /** A URL: where photos and results are kept, if not in the manifest's folder; overrides CAMPAIGN_FILES. */
  readonly files?: string | undefined;
  /** Each overrides its CAMPAIGN_VAR_… */
  readonly variables?: ReadonlyMap<string, string>;
  /** `nothing`: for commands that only show something, so an environment may be missing. */
  readonly need: 'environment' | 'nothing';
  /** Whether slips are looked for, too. */
  readonly lint?: boolean | undefined;
  readonly outside: 'allow' | 'refuse';
  /** `unread`: for commands about what was requested before, on machines that may lack photos, folders and tables. */
  readonly inputs?: 'unread' | undefined;
  /** The calendar day (`2026-11-22`) that counts as today in every time zone; by default it is what the clock says. */
  readonly at?: string | undefined;
  /** Names it on the command line, for advice: `m.yaml --env stage`; empty where that is not needed. */
  readonly target: string;
}

/** What decides which periods are the present ones: a calendar day, or a moment in epoch milliseconds. */
export type Today = { readonly day: string } | { readonly now: number };

/** As much of a campaign as a plan without work needs to be shown. */
export interface ShownCampaign extends Pick<Campaign, 'target' | 'quote' | 'files'> {
  readonly manifest: Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs' | 'periods' | 'locate'>;
  readonly store: Pick<StatePlace['store'], 'name'>;
}

export interface Campaign extends StatePlace, Pick<CampaignSource, 'target'> {
  readonly manifest: Manifest;
  readonly graph: Graph;
  /** The URL of the storage of photos and results; undefined where they are in the manifest's folder. */
  readonly files?: string | undefined;
  /** Whether it may have a file at a path, relative to the manifest's folder, that its state names. */
  readonly isOwn: (path: string) => boolean;
  /** When reading its photos began, in epoch milliseconds. */
  readonly readAt: number;
  readonly warnings: readonly Problem[];
  readonly quote: LoadedManifest['quote'];
  readonly decisions: Decisions;
  /** One for the whole plan, however long it takes to make and to agree to it. */
  readonly today: Today;
  /** Reads the campaign again; `results` are files relative to its folder that are no photos. */
  readonly reload: (results: readonly string[], today?: Today) => Promise<Result<Campaign, Refusal>>;
  /** Reads the file of decisions again, and nothing else. */
  readonly readDecisions: () => Result<Campaign, Refusal>;
}
