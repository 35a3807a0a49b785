/**
 * An output folder has one writer: a lock of the kernel in its `.campaign/`, which all who have the folder see, by whatever
 * path and from whatever machine. It is taken after that of the state, before anything is sent, and its file is never
 * deleted. While it is held, `index.json` begins to name the campaign: whoever comes later is refused by that.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { otherOwnerOf } from '../files/output-owner.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import { isDeletion, type Plan } from '../model/plan.ts';
import type { Refusal } from '../model/problem.ts';
import type { Waiting } from '../util/kernel-lock.ts';
import { removePlainFile } from '../util/new-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { lockFolder, NOTHING_HELD, type OutputHold } from './lock-folder.ts';
import { diskProblem } from './disk-problem.ts';
import {
  claimIndex,
  hasOutputs,
  isClaimed,
  isIndexOld,
  otherOwner,
  ownedByOther,
  ownerFor,
  type Recorded,
  writeIndex,
} from './output-index.ts';
import type { Runtime } from './runtime.ts';

type Around = Pick<Runtime, 'clock' | 'disk' | 'emit'>;
type Held = Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs' | 'locate'>;

export interface Holding extends Omit<Waiting, 'clock'> {
  readonly recorded: Recorded;
  /**
   * The place of the state lets several processes write it and keeps their runs apart, also from one that stands still: then
   * all of its campaign have the folder together, and nobody else has it.
   */
  readonly together?: boolean;
}

/** Whether a plan puts something into the output folder, or takes something out of it. */
export function touchesOutputs({ nodes, fileMoves }: Pick<Plan, 'nodes' | 'fileMoves'>): boolean {
  return (
    fileMoves.length > 0 ||
    nodes.some(
      (node) =>
        node.action !== 'blocked' &&
        (kindHas(node, 'localFiles', 'writes') ||
          (isDeletion(node) && (node.payload.files ?? []).length > 0)),
    )
  );
}

/** Makes the folder. Refused with 75 while somebody else has it, and with 65 where it is the folder of another campaign. */
export async function holdOutputs(
  runtime: Around,
  manifest: Held,
  holding: Holding,
): Promise<Result<OutputHold, Refusal>> {
  try {
    return await hold(runtime, manifest, holding);
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    return err({ exit: EXIT.cannotWrite, problems: [problem] });
  }
}

async function hold(runtime: Around, manifest: Held, holding: Holding): Promise<Result<OutputHold, Refusal>> {
  const { outputs } = manifest;
  if (!outputs) return ok(NOTHING_HELD);
  const before = otherOwner(runtime.disk, manifest, holding.recorded);
  if (before) return err(ownedByOther(manifest, outputs.dir, before));
  const root = path.resolve(manifest.folder, outputs.dir);
  const { together = false, recorded, ...waiting } = holding;
  const mode = together && isClaimed(runtime.disk, manifest, recorded) ? 'shared' : 'exclusive';
  const locked = await lockFolder(runtime, root, { ...waiting, shown: outputs.dir, mode });
  if (!locked.ok || mode === 'shared') return locked;
  const refused = await claim(runtime, { manifest, root, dir: outputs.dir }, recorded).catch(
    async (error: unknown) => {
      await locked.value.release();
      throw error;
    },
  );
  if (!refused && together) await locked.value.share();
  if (!refused) return locked;
  await locked.value.release();
  return err(refused);
}

interface Sharing extends Pick<Waiting, 'command'> {
  /** Where the results go, if that is not the folder; then what is in it are copies. */
  readonly storage: unknown;
}

/** For a process that takes part in a run, whose folder it is already. */
export async function shareRunOutputs(
  runtime: Around,
  spec: Omit<Held, 'locate'> & Pick<Recorded, 'lineage'>,
  { storage, command }: Sharing,
): Promise<Result<OutputHold | undefined, Refusal>> {
  const { outputs } = spec;
  if (!outputs) return ok(undefined);
  const root = path.resolve(spec.folder, outputs.dir);
  if (storage !== undefined && runtime.disk.stat(root).type === 'nothing') return ok(undefined);
  const locking = { lockTimeoutMs: SHARED_MS, command, shown: outputs.dir, mode: 'shared' } as const;
  const locked = await lockFolder(runtime, root, locking);
  const owner = otherOwner(runtime.disk, spec, spec);
  if (!locked.ok || !owner) return locked;
  await locked.value.release();
  return err(ownedByOther({ locate: () => undefined }, outputs.dir, owner));
}

const SHARED_MS = 10_000;

/**
 * Writes the index again where it is old, unless somebody has the folder at this moment: the next run does it then. Rejects
 * where the disk refuses it.
 */
export async function refreshIndex(
  runtime: Around,
  manifest: Held,
  { recorded, command }: Pick<Holding, 'recorded' | 'command'>,
): Promise<void> {
  if (!isIndexOld(runtime.disk, manifest, recorded)) return;
  const held = await hold(runtime, manifest, { recorded, command, lockTimeoutMs: 0 });
  if (!held.ok) return;
  try {
    await writeIndex(runtime.disk, manifest, recorded);
  } finally {
    await held.value.release();
  }
}

interface Claimed {
  readonly manifest: Held;
  readonly root: string;
  readonly dir: string;
}

/** Whoever had the folder until now may have named it meanwhile. */
async function claim(
  { disk }: Around,
  { manifest, root, dir }: Claimed,
  recorded: Recorded,
): Promise<Refusal | undefined> {
  const owner = otherOwner(disk, manifest, recorded);
  if (owner) return ownedByOther(manifest, dir, owner);
  const index = path.join(root, 'index.json');
  const isFirst = disk.lstat(index).type === 'nothing' && !hasOutputs(recorded.state);
  await claimIndex(disk, manifest, recorded);
  // Named first and looked at afterwards: of two who begin at once, at least one sees the other.
  const around = isFirst && (await hasFiles(root)) ? ownerAbove(root, manifest, recorded) : undefined;
  if (!around) return undefined;
  await removePlainFile(index);
  return ownedByOther(manifest, path.relative(manifest.folder, around.folder) || '.', around.owner);
}

/** Files that are there already, in a folder of somebody else's output folder, are that one's. */
function ownerAbove(root: string, manifest: Held, recorded: Recorded) {
  const own = ownerFor(manifest, recorded);
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const owner = otherOwnerOf(at, own);
    if (owner) return { folder: at, owner };
    if (at === path.dirname(at)) return undefined;
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  return (await fs.readdir(folder)).some((name) => name !== 'index.json' && name !== '.campaign');
}
