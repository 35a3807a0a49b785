import type { Manifest } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { TlsFiles } from '../service/connections.ts';
import type { DatabaseFacts } from '../store/database-facts.ts';
import type { OpenState, Store } from '../store/store.ts';
import type { Result } from '../util/result.ts';
import type { FreeAnswers } from './ask-service.ts';
import type { Reach } from './reach.ts';
import type { Found } from './run-checks.ts';

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without the `v`. */
  readonly nodeVersion: string;
  /** The oldest version that runs campaign, e.g. `20.20`. */
  readonly oldestNode: string;
}

export interface Context extends Machine {
  readonly manifest: Manifest;
  /** The manifest and the environment, as a command names them. */
  readonly target: string;
  /** What made this environment the one: `--env`, `CAMPAIGN_ENV` and so on. */
  readonly chosenBy: string;
  readonly store: Store;
  /** The folder that the state lies in, and `.campaign/`. */
  readonly stateFolder: string;
  readonly workFolder: string;
  readonly opened: Result<OpenState, FatalProblem>;
  /** Of `opened`; empty where it could not be opened. */
  readonly state: RunState;
  /** Why a rehearsal cannot go on from this state, if so. */
  readonly emulatorDataGone: FatalProblem | undefined;
  /** Where the API key comes from; never the key. */
  readonly keySource: Result<string, FatalProblem>;
  /** What in `env` makes a trusted connection impossible. */
  readonly transport: FatalProblem | undefined;
  /** Of `service.tls`; nothing where it names none. */
  readonly tlsFiles: Result<TlsFiles | undefined, FatalProblem>;
  readonly proxy: URL | undefined;
  /** What the database of the state says of itself, asked once; only of a state in a database. */
  readonly examineDatabase: () => Promise<Result<DatabaseFacts, FatalProblem>>;
  /** Tries whether the storage of photos and results can be used; gives its name. */
  readonly tryStorage: () => Promise<Result<string, FatalProblem>>;
  /** A connection to the service, tried once. */
  readonly reach: () => Promise<Reach>;
  /** What free requests gave, sent once; nothing where the service cannot be reached. */
  readonly ask: () => Promise<FreeAnswers>;
  readonly found: Found;
  readonly now: () => number;
}

export function isEmbedded({ manifest }: Context): boolean {
  return manifest.environment.baseUrl === EMULATOR;
}
