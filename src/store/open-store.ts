/** Finds the store that a campaign names; no other code knows which stores there are. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import type { FatalProblem } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { createFileStore } from './file/file-store.ts';
import type { ManifestsIn } from './file/other-states.ts';
import { type Witnesses, witnessesOf } from './file/witnesses.ts';
import { decisionsBeside, statePaths } from './file/work-folder.ts';
import { databaseAt } from './postgres/database-url.ts';
import { createPostgresStore } from './postgres/postgres-store.ts';
import type { WorkerSeat as WorkerPlace } from './postgres/worker-seat.ts';
import type { SeenHeads } from './known-head.ts';
import type { StateIdentity, Store, Writing } from './store.ts';

interface Owner {
  readonly manifest: string;
  readonly identity: StateIdentity;
  /** `--state` or CAMPAIGN_STATE: a path, or a URL whose scheme names the store. */
  readonly named: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly manifestsIn: ManifestsIn;
  /** What the process has seen of logs in databases; by default nothing. */
  readonly seen?: SeenHeads | undefined;
}

export interface StatePlace {
  readonly store: Store;
  /** The file of the state; of a state in a database the one that says so. */
  readonly stateFile: string;
  readonly stateFolder: string;
  /** `.campaign/`: what campaign keeps for itself on this machine. It may be deleted while nothing runs. */
  readonly workFolder: string;
  /** The file of decisions about finished posts. */
  readonly decisionsFile: string;
  /** Where the embedded emulator keeps its data for this state. */
  readonly emulatorData: string;
  /** The file beside the manifest that says where the state is, if it was named elsewhere. */
  readonly pointerFile: string | undefined;
  /** States that stand in the way of a new one. */
  readonly others: () => Promise<readonly OtherPlace[]>;
}

type OtherPlace = Pick<StatePlace, 'store' | 'workFolder'>;

export function openStore(owner: Owner): Result<StatePlace, FatalProblem> {
  const { manifest, identity, named, seen, env } = owner;
  const witnesses = witnessesOf(manifest, owner);
  const own = fileBeside(manifest, identity);
  if (named && isDatabaseUrl(named)) {
    const database = databaseAt(named, env);
    if (!database.ok) return database;
    const options = { database: database.value, file: own, identity, witnesses, ...(seen && { seen }) };
    return ok(placeAt(own, createPostgresStore(options), { identity, witnesses }));
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(named ?? '')?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file') return err(notSupported(scheme));
  const at = named ? fileNamed(named) : ok(own);
  if (!at.ok) return at;
  const file = at.value;
  if (!existsSync(statePaths(file).home)) return err(noFolder(file));
  // A manifest on standard input has no place, and a rehearsal costs nothing.
  const hasPlace = manifest !== STDIN && identity.baseUrl !== EMULATOR;
  const beside = hasPlace && path.resolve(file) !== path.resolve(own) ? statePaths(own) : undefined;
  const store = createFileStore({ file, beside, identity, witnesses });
  return ok(placeAt(file, store, { identity, witnesses, pointerFile: beside?.file }));
}

interface Around {
  readonly identity: StateIdentity;
  readonly witnesses: Witnesses;
  readonly pointerFile?: string | undefined;
}

function placeAt(file: string, store: Store, { identity, witnesses, pointerFile }: Around): StatePlace {
  const paths = statePaths(file);
  return {
    store,
    stateFile: file,
    stateFolder: path.dirname(file),
    workFolder: paths.work,
    decisionsFile: decisionsBeside(file),
    emulatorData: path.join(paths.work, `${path.basename(file, '.state.jsonl')}.data`),
    pointerFile,
    async others() {
      const { found } = await witnesses.others(paths, identity);
      return found.map(({ file: other }) => ({
        store: createFileStore({ file: other, identity, witnesses }),
        workFolder: statePaths(other).work,
      }));
    },
  };
}

/** A database that may hold many states; `name` has no password. */
export interface OpenDatabase {
  readonly name: string;
  /** Brings its tables from one version to another; they may be the same. */
  readonly migrate: () => Promise<Result<{ readonly before: number; readonly now: number }, FatalProblem>>;
  readonly takeSeat: () => Promise<WorkerPlace>;
}

export type { WorkerSeat as WorkerPlace } from './postgres/worker-seat.ts';

/** The folder with `.campaign` in it: what a state records is relative to it. */
export { homeOf } from './file/work-folder.ts';

export { type FilesOfState, filesOfState } from './file/files-of-state.ts';

export function openDatabase(url: string, env: NodeJS.ProcessEnv): Result<OpenDatabase, FatalProblem> {
  const database = databaseAt(url, env);
  if (!database.ok) return database;
  const { name } = database.value;
  return ok({
    name,
    async migrate() {
      const { migrateDatabase } = await import('./postgres/look-at-database.ts');
      return migrateDatabase(database.value);
    },
    async takeSeat() {
      const { takeSeat } = await import('./postgres/worker-seat.ts');
      return takeSeat(database.value);
    },
  });
}

interface Move extends Owner {
  /** Where it is. */
  readonly from: StatePlace;
  readonly to: string;
}

export interface MovedStore {
  readonly records: number;
  /** An earlier command had done it all. */
  readonly wasThere: boolean;
  /** Its name there. */
  readonly to: string;
  /** Beside the manifest: the state, or the file that says which database has it. */
  readonly file: string;
}

/** Moves a state between a file and a database. */
export async function moveStore(
  { from, to, ...owner }: Move,
  run: Writing,
): Promise<Result<MovedStore, FatalProblem>> {
  const { manifest, identity, named = '', env } = owner;
  const there = openStore({ ...owner, named: to });
  if (!there.ok) return there;
  const { store, stateFile } = there.value;
  const isToDatabase = !store.inFile;
  const database = databaseAt(isToDatabase ? to : named, env);
  const isFromDatabase = !from.store.inFile;
  const { moveState, sameKind } = await import('./postgres/move-state.ts');
  if (!database.ok || isToDatabase === isFromDatabase) return err(sameKind(from.store.name, store.name));
  const pointer = fileBeside(manifest, identity);
  const file = isToDatabase ? from.stateFile : stateFile;
  const witnesses = witnessesOf(manifest, owner);
  const move = { database: database.value, pointer, file, identity, witnesses };
  const moved = await moveState({ ...move, to: isToDatabase ? 'database' : 'file' }, run);
  return moved.ok ? ok({ ...moved.value, to: store.name, file: isToDatabase ? pointer : file }) : moved;
}

/** `<name>.<env>.state.jsonl` beside the manifest. The emulator's is in `.campaign/`, beside the emulator's data. */
function fileBeside(manifest: string, { campaign, environment, baseUrl }: StateIdentity): string {
  const folder = path.dirname(manifest);
  return path.join(folder, baseUrl === EMULATOR ? '.campaign' : '', `${campaign}.${environment}.state.jsonl`);
}

/** A path, or a URL of one. */
export function fileNamed(named: string): Result<string, FatalProblem> {
  if (!/^file:\/\//i.test(named)) return ok(named);
  try {
    return ok(fileURLToPath(named));
  } catch {
    return err(
      usage('no-state-file', {
        summary: 'No file for the state',
        detail: `--state ${named} names no file of this machine: write file:///folder/name.state.jsonl, or a path.`,
      }),
    );
  }
}

function notSupported(scheme: string): FatalProblem {
  return usage('not-supported-yet', {
    summary: 'This place for the state is not supported yet',
    detail:
      `--state (or CAMPAIGN_STATE) names a ${scheme}:// URL, and this version keeps the state in a file or in Postgres: name ` +
      'a path, a file:// URL or a postgres:// URL. No request was sent.',
  });
}

/** A mistyped path must not look like a campaign without a state. */
function noFolder(file: string): FatalProblem {
  return usage('no-state-folder', {
    summary: 'No folder for the state',
    detail: `The folder of the state file ${file} does not exist. Make it, or correct --state or CAMPAIGN_STATE.`,
  });
}

function usage(code: string, words: { readonly summary: string; readonly detail: string }): FatalProblem {
  return { code, exit: EXIT.usage, ...words };
}
