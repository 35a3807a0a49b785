import * as fs from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere } from '../../util/is-there.ts';
import { readCommitted, settleCommitted } from './committed.ts';
import type { LogIdentity } from './header.ts';
import { findErrored, isOf } from './import-errored.ts';
import { forgetState, noteState } from './known-states.ts';
import type { Lock } from './lock.ts';
import { ReplacedError } from './log-writer.ts';
import type { ChainEnd } from './record.ts';
import type { StatePaths } from './work-folder.ts';

interface Move {
  readonly from: StatePaths;
  readonly to: StatePaths;
  /** Both are held. */
  readonly locks: { readonly from: Lock; readonly to: Lock };
  readonly lineage: string;
  readonly end: ChainEnd;
  /** What it belongs to, and the folder of the manifest. */
  readonly owner: { readonly identity: LogIdentity; readonly folder: string };
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Gives a log that is closed and bound already another name, where nothing stands. A crash before the rename leaves it
 * under its old name, where it is found again; after it, all that is left undone is what is remembered of the old name.
 */
export async function adoptState({ from, to, locks, lineage, end, owner, env }: Move): Promise<void> {
  if (await isThere(to.file)) throw new ReplacedError(`${to.file} was made meanwhile`);
  const committed = await readCommitted(to, env);
  await fs.rename(from.file, to.file);
  await syncFolder(to.folder);
  await syncFolder(from.folder);
  await locks.to.remember(lineage, end);
  if (committed.type === 'log' && committed.memory.lineage !== lineage) await settleCommitted(to, committed);
  await noteState(owner.folder, { file: to.file, identity: owner.identity });
  await takeAlong(lineage, { from, to });
  await forgetState(owner.folder, from.file);
  await fs.rm(from.committed, { force: true });
  await locks.from.forget();
}

/** What earlier runs could not write into the log waits beside it. */
async function takeAlong(
  lineage: string,
  { from, to }: { readonly from: StatePaths; readonly to: StatePaths },
): Promise<void> {
  if (from.work === to.work) return;
  for (const errored of await findErrored(from)) {
    if (!isOf(lineage, errored)) continue;
    await fs.rename(errored.file, path.join(to.work, path.basename(errored.file)));
    await syncFolder(to.work);
  }
}
