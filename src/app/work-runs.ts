/** A worker: takes part in every run of the database for which it has the key and the files, until it is stopped. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pauseFor } from '../engine/pause.ts';
import type { StopSignal } from '../engine/stopping.ts';
import type { Problem } from '../model/problem.ts';
import type { OpenRun } from '../store/shared-run.ts';
import type { WorkerPlace } from '../store/open-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { diskProblem } from './disk-problem.ts';
import { endSharedRun } from './end-shared-run.ts';
import { findApiKey } from './api-key.ts';
import { isSameStorage, storageOfRun } from './open-storage.ts';
import { accountIdOf, type RunSpec, specFrom } from './run-spec.ts';
import type { Runtime } from './runtime.ts';
import { checkTransport } from './transport.ts';
import { workShare } from './work-share.ts';

const LOOK_MS = 1_000;

export type WorkerEvent =
  | { readonly type: 'ready' }
  /** It looks again in a moment. */
  | { readonly type: 'waiting'; readonly problem: Problem }
  | {
      readonly type: 'joined' | 'left';
      readonly run: number;
      readonly campaign: string;
      readonly environment: string;
    };

interface Worker {
  readonly seat: WorkerPlace;
  /** In each run, so many nodes at most are under way here at once. */
  readonly slots: number;
  /** The storage that it has access to. */
  readonly storage?: { readonly url: string; readonly objects: ObjectStore } | undefined;
  readonly stop: StopSignal;
  readonly tell: (event: WorkerEvent) => void;
}

/** Ends after a stop, once what it has begun has ended or was handed back. */
export async function workRuns(runtime: Runtime, worker: Worker): Promise<void> {
  const { seat, stop, tell } = worker;
  const shares = new Map<number, Promise<void>>();
  let isReady = false;
  let told: string | undefined;
  try {
    while (stop.level === 'run') {
      const found = await seat.look([...shares.keys()]);
      if (found.ok) {
        if (!isReady) tell({ type: 'ready' });
        isReady = true;
        told = undefined;
        for (const open of found.value) {
          if (shares.has(open.id)) continue;
          const apiKey = await keyFor(runtime, open);
          if (apiKey === undefined || !(await hasFiles(runtime, specFrom(open.spec), worker))) continue;
          const share = takePart(runtime, worker, { open, apiKey }).finally(() => shares.delete(open.id));
          shares.set(open.id, share);
        }
      } else if (told !== found.error.code) {
        told = found.error.code;
        tell({ type: 'waiting', problem: found.error });
      }
      await pauseFor(LOOK_MS, runtime.clock, stop);
    }
    await Promise.all(shares.values());
  } finally {
    await seat.leave();
  }
}

async function takePart(
  runtime: Runtime,
  { seat, slots, storage: stored, stop, tell }: Worker,
  { open, apiKey }: { readonly open: OpenRun; readonly apiKey: string },
): Promise<void> {
  const joined = await seat.takePart(open.id, runtime.clock);
  if (!joined.ok) return tell({ type: 'waiting', problem: joined.error });
  const run = joined.value;
  if (!run) return;
  const spec = specFrom(run.spec);
  const names = {
    run: run.id,
    campaign: spec.name,
    environment: spec.environment.name,
  };
  tell({ type: 'joined', ...names });
  const here = { workFolder: path.resolve('.campaign'), id: runtime.newId().slice(0, 8) };
  const isStored = spec.files !== undefined && stored;
  const storage = isStored ? await storageOfRun(stored.objects, spec, here) : undefined;
  try {
    await workShare(runtime, { run, spec, apiKey, storage, slots, stop });
    const { left, active, stop: reasons } = await run.look();
    if (left === 0 || (reasons.length > 0 && active === 0))
      await endSharedRun(runtime, { run, spec, storage });
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    tell({ type: 'waiting', problem });
  } finally {
    await run.close();
    await storage?.release();
    tell({ type: 'left', ...names });
  }
}

/** Undefined where this is not the account of the run. */
async function keyFor(runtime: Runtime, { spec, account }: OpenRun): Promise<string | undefined> {
  const { environment } = specFrom(spec);
  const key = await findApiKey(runtime, environment);
  if (!key.ok || checkTransport(environment, runtime.env)) return undefined;
  return accountIdOf(environment, key.value.value) === account ? key.value.value : undefined;
}

/** It has access to the storage of the run; or the manifest's folder is here: the file is in it that names the log. */
async function hasFiles(
  runtime: Runtime,
  { pointer, lineage, files }: RunSpec,
  { storage }: Pick<Worker, 'storage'>,
): Promise<boolean> {
  if (files !== undefined) return storage !== undefined && isSameStorage(runtime, files, storage.url);
  const text = await readFile(pointer, 'utf8').catch(() => '');
  return text.includes(`"lineage":${JSON.stringify(lineage)}`);
}
