/**
 * The file beside the manifest that says which log in which database has the state (file/pointer-text.ts), and the newest head
 * of it that this folder has seen. It is committed in the place of the state, so that other clones know that head, too.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import type { RecordPlace } from '../../log/log-record.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { openNewFile } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { isLater, type KnownHead } from '../known-head.ts';
import { decodeHeader, encodeHeader, LONGEST_HEADER, type LogHeader } from '../file/header.ts';
import { pointerIn, type PointerText } from '../file/pointer-text.ts';
import { openStateFile } from '../file/state-file.ts';
import { newer } from '../file/state-problem.ts';
import type { StatePaths } from '../file/work-folder.ts';
import { inConflict } from './database-problem.ts';

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
  const { line } = encodeHeader(header.lineage, { ...header, format: 2, movedTo: to, boundAt }, end);
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
  await writePointer(paths, { header, to: header.movedTo ?? '', end, boundAt });
}
