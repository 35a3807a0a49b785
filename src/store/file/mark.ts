/**
 * The mark of a log: everything that opening it depends on, with the length and the CRC-32 of all its bytes. If the mark
 * is the same, so is what opening would find. It is found without reading what the lines say, which takes a tenth of the
 * time: 60 ms for 100 MB.
 */
import { crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import { syncFolder } from '../../util/atomic-file.ts';
import { ok } from '../../util/result.ts';
import type { Locking } from '../store.ts';
import { type Checkpoint, encodeCheckpoint } from './checkpoint.ts';
import { type KnownLog, lookAround, type ReadOptions } from './known-log.ts';
import { readCheckpoint, underLock } from './lock.ts';
import { openStateFile } from './state-file.ts';
import { unlessRefused } from './state-problem.ts';
import { placeProblem, statePaths } from './work-folder.ts';

export interface LogBytes {
  readonly size: number;
  /** CRC-32 of all of them. */
  readonly sum: number;
}

/** Undefined where opening takes more than reading: a spill file waits, or git did not answer. */
export function markOf(
  { checkpoint, committed, spilled, pointer }: Omit<KnownLog, 'paths' | 'identity' | 'witnesses' | 'beside'>,
  { size, sum }: LogBytes,
): string | undefined {
  if (spilled.length > 0 || committed.type === 'unread' || committed.type === 'unasked') return undefined;
  if (pointer && !(pointer.ok && pointer.value.type === 'pointer')) return undefined;
  return JSON.stringify({
    checkpoint: checkpoint && checkpointText(checkpoint),
    committed,
    pointer,
    size,
    sum,
  });
}

function checkpointText({ lineage, last }: Checkpoint): string {
  return last ? encodeCheckpoint(lineage, last) : lineage;
}

/** Under the lock it leaves the same traces as a run that opens the log and records nothing. */
export async function hasMark(options: ReadOptions, mark: string, locking?: Locking): Promise<boolean> {
  const paths = statePaths(options.stateFile);
  const compare = async (checkpoint: Checkpoint | undefined) => {
    const known = await lookAround(paths, options, checkpoint);
    const opened = await openStateFile(paths.file, locking ? 'write' : 'read');
    if (!opened.ok || !opened.value) return ok(false);
    const log = opened.value;
    try {
      if (markOf(known, await bytesOf(log)) !== mark) return ok(false);
      if (!locking) return ok(true);
      await log.datasync();
      await syncFolder(paths.folder);
      return ok(true);
    } finally {
      await log.close();
    }
  };
  const found = locking
    ? await underLock(paths, locking, ({ checkpoint }) => compare(checkpoint))
    : await unlessRefused('unreadable', paths.file, async () =>
        (await placeProblem(paths)) ? ok(false) : compare(await readCheckpoint(paths.lock)),
      );
  return found.ok && found.value;
}

const BLOCK = 1 << 18;

async function bytesOf(log: Pick<FileHandle, 'read'>): Promise<LogBytes> {
  const block = Buffer.allocUnsafe(BLOCK);
  for (let size = 0, sum = 0; ; ) {
    const { bytesRead } = await log.read(block, 0, BLOCK, size);
    if (bytesRead === 0) return { size, sum };
    size += bytesRead;
    sum = crc32(block.subarray(0, bytesRead), sum);
  }
}
