/**
 * The file beside the manifest that says which log in which database, or in which file elsewhere, has the state
 * (pointer-text.ts), and the newest head of it that this folder has seen. It is committed in the place of the state, so that
 * other clones know that head, too.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { RecordPlace } from '../../log/log-record.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { isDatabaseUrl } from '../../util/database-url.ts';
import { openNewFile } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { isLater, type KnownHead } from '../known-head.ts';
import { decodeHeader, encodeHeader, LONGEST_HEADER, type LogHeader } from './header.ts';
import { pointerIn, type PointerText } from './pointer-text.ts';
import { openStateFile } from './state-file.ts';
import type { Locking } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import { underLock } from './lock.ts';
import { inConflict, newer } from './state-problem.ts';
import type { StatePaths } from './work-folder.ts';

export type Found =
  | { readonly type: 'nothing' }
  | (Extract<PointerText, { type: 'pointer' }> & { readonly lineage: string })
  /** A file that is something else: a state, if it has a lineage. */
  | { readonly type: 'other'; readonly lineage?: string };

export async function readPointer({ file }: StatePaths): Promise<Result<Found, FatalProblem>> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok) return opened;
  if (!opened.value) return ok({ type: 'nothing' });
  try {
    const { buffer, bytesRead } = await opened.value.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const pointer = pointerIn(text);
    if (pointer?.type === 'pointer') return ok({ ...pointer, lineage: pointer.head.lineage });
    if (pointer) return err(inConflict(file, pointer.why));
    const [first = ''] = text.split(/\r?\n/);
    const reading = decodeHeader(Buffer.from(first));
    if (reading.type === 'newer')
      return err(newer(file, { line: 1, what: `its format is ${reading.format}` }));
    return ok(
      reading.type === 'bad' ? { type: 'other' } : { type: 'other', lineage: reading.header.lineage },
    );
  } finally {
    await opened.value.close();
  }
}

interface Pointer {
  readonly header: LogHeader;
  readonly to: string;
  /** A record that the log in the database must have. */
  readonly end: RecordPlace;
  /** When somebody has last decided about that log. */
  readonly boundAt?: string | undefined;
}

/** A crash leaves what was there, or all of the new one. */
export async function writePointer(
  { file, fresh, folder }: StatePaths,
  { header, to, end, boundAt = '' }: Pointer,
): Promise<void> {
  const { line } = encodeHeader(header.lineage, { ...header, movedTo: to, boundAt }, end);
  // Several processes may write it at once: a worker that has the folder, and an apply.
  const temporary = `${fresh}-${randomUUID().slice(0, 8)}`;
  const handle = await openNewFile(temporary, 0o600);
  try {
    try {
      await handle.writeFile(line);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Writes a newer head into a pointer that is there; where the head has not moved, the file stays as it is. `own`: only where it
 * belongs to the user of this process, because the new file would be that of another user.
 */
export async function movePointer(paths: StatePaths, head: KnownHead, which?: 'own'): Promise<void> {
  if (which === 'own' && (await fs.stat(paths.file)).uid !== process.getuid?.()) return;
  const found = await readPointer(paths);
  if (!found.ok || found.value.type !== 'pointer' || found.value.lineage !== head.lineage) return;
  const { header, isConflicted } = found.value;
  const isMoved = isLater(head, found.value.head);
  if (!isMoved && !isConflicted) return;
  const { last: end, boundAt } = isMoved ? head : found.value.head;
  await writePointer(paths, { header, to: header.movedTo, end, boundAt });
}

/** So long the notes on this machine are waited for, while another command of this machine writes them. */
const NOTES_MS = 2_000;

/** What this machine, and whoever has the folder, has to find in the log from now on. */
export async function leaveAt(paths: StatePaths, head: KnownHead, locking: Locking): Promise<void> {
  const { lineage, last: end } = head;
  await rememberAt(paths, { ...locking, lineage, end });
  await leaveInPointer(paths, head, locking);
}

/** One process after the other, so that the later head stays. `own`: as for movePointer. */
export async function leaveInPointer(
  paths: StatePaths,
  head: KnownHead,
  { which, ...locking }: Locking & { readonly which?: 'own' },
): Promise<void> {
  const moved = await underLock(paths, { ...locking, lockTimeoutMs: NOTES_MS }, async () =>
    ok(await movePointer(paths, head, which)),
  );
  if (!moved.ok) await movePointer(paths, head, which);
}

/** Notes how far a log goes, in the lock file of this machine. Never fails: without it one check is weaker. */
export async function rememberAt(
  paths: StatePaths,
  { lineage, end, ...locking }: Locking & { readonly lineage: string; readonly end: RecordPlace },
): Promise<void> {
  await underLock(paths, { ...locking, lockTimeoutMs: NOTES_MS }, async (lock) =>
    ok(await lock.remember(lineage, end)),
  ).catch(() => undefined);
}

interface Named {
  /** Where the log lies. */
  readonly file: string;
  readonly header: LogHeader;
  readonly head: KnownHead;
}

/** As it stands in the pointer: a path from its folder, so that a clone elsewhere finds the file, too. */
export function pathFrom({ folder }: StatePaths, file: string): string {
  return path.relative(folder, file).replaceAll(path.sep, '/');
}

/** The file that a pointer names; undefined where it names a database. */
export function fileNamedIn({ folder }: StatePaths, movedTo: string): string | undefined {
  return isDatabaseUrl(movedTo) ? undefined : path.resolve(folder, movedTo);
}

/**
 * Leaves at the place beside the manifest where a log in a file elsewhere is, and how far it goes. A new log begins only
 * where nobody else has taken the place.
 */
export async function pointTo(
  beside: StatePaths,
  { file, header, head }: Named,
  { isNew, ...locking }: Locking & { readonly isNew: boolean },
): Promise<void> {
  const { lineage, last: end, boundAt } = head;
  const done = await underLock(beside, { ...locking, lockTimeoutMs: NOTES_MS }, async (lock) => {
    const found = await readPointer(beside);
    const at = found.ok ? found.value : undefined;
    const isFree = at?.type === 'nothing' || (at?.type === 'pointer' && !isNew);
    if (!isFree) return ok(false);
    const to = pathFrom(beside, file);
    const isSame = at.type === 'pointer' && at.lineage === lineage && at.header.movedTo === to;
    if (isSame && !at.isConflicted && !isLater(head, at.head)) return ok(true);
    await writePointer(beside, { header, to, end, boundAt });
    await lock.remember(lineage, end);
    return ok(true);
  });
  if (isNew && !(done.ok && done.value))
    throw new ReplacedError(`${beside.file} was made by something else meanwhile, or is in use`);
}
