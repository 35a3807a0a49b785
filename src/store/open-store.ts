/** Finds the store that a campaign names; no other code knows which stores there are. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { createFileStore } from './file/file-store.ts';
import { type StateBeside, statesBeside } from './file/states-beside.ts';
import { witnessesOf } from './file/witnesses.ts';
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
  /** Names the campaign on the command line, for advice; empty where it is not needed. */
  readonly target: string;
  /** Whether a state has posts that the manifest asks for; absent where that is not known. */
  readonly asks?: ((state: RunState) => boolean) | undefined;
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
  /** Other states of this campaign and environment, where it has its own and where its manifest is. */
  readonly statesBeside: () => Promise<readonly StateBeside[]>;
}

export type { StateBeside } from './file/states-beside.ts';

export function openStore(owner: Owner): Result<StatePlace, FatalProblem> {
  const { manifest, identity, named, seen, ...asking } = owner;
  const witnesses = witnessesOf(manifest, asking);
  if (named && isDatabaseUrl(named)) {
    const database = databaseAt(named, asking.env);
    if (!database.ok) return database;
    const { file } = fileBeside(manifest, identity);
    return ok(
      placeAt(
        owner,
        file,
        createPostgresStore({ database: database.value, file, identity, witnesses, ...(seen && { seen }) }),
      ),
    );
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(named ?? '')?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file') return err(notSupported(scheme));
  const place = named ? fileNamed(named) : ok(fileBeside(manifest, identity));
  if (!place.ok) return place;
  const { file } = place.value;
  if (!existsSync(statePaths(file).home)) return err(noFolder(file));
  return ok(placeAt(owner, file, createFileStore({ ...place.value, identity, witnesses })));
}

function placeAt({ manifest, identity }: Owner, file: string, store: Store): StatePlace {
  const { work, folder } = statePaths(file);
  const beside = path.dirname(path.resolve(fileBeside(manifest, identity).file));
  return {
    store,
    stateFile: file,
    stateFolder: path.dirname(file),
    workFolder: work,
    decisionsFile: decisionsBeside(file),
    emulatorData: path.join(work, `${path.basename(file, '.state.jsonl')}.data`),
    statesBeside: () => statesBeside(file, identity, [folder, beside]),
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
  const { file: pointer } = fileBeside(manifest, identity);
  const file = isToDatabase ? from.stateFile : stateFile;
  const witnesses = witnessesOf(manifest, owner);
  const move = { database: database.value, pointer, file, identity, witnesses };
  const moved = await moveState({ ...move, to: isToDatabase ? 'database' : 'file' }, run);
  return moved.ok ? ok({ ...moved.value, to: store.name, file: isToDatabase ? pointer : file }) : moved;
}

interface FilePlace {
  readonly file: string;
  readonly formerFile?: string;
}

/**
 * `<manifest file without .yaml>.<env>.state.jsonl` beside the manifest. The emulator's is in `.campaign/`, beside the
 * emulator's data; version 0.1 kept it beside the manifest, too.
 */
function fileBeside(manifest: string, { environment, baseUrl }: StateIdentity): FilePlace {
  const name = `${path.basename(manifest).replace(/\.ya?ml$/, '')}.${environment}.state.jsonl`;
  const folder = path.dirname(manifest);
  const beside = path.join(folder, name);
  return baseUrl === 'emulator'
    ? { file: path.join(folder, '.campaign', name), formerFile: beside }
    : { file: beside };
}

function fileNamed(named: string): Result<FilePlace, FatalProblem> {
  if (!/^file:\/\//i.test(named)) return ok({ file: named });
  try {
    return ok({ file: fileURLToPath(named) });
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
