/**
 * The file beside the manifest that says which log in which database has the state: a header with `moved_to`, and nothing
 * else. It is committed in the place of the state.
 */
import * as fs from 'node:fs/promises';
import type { RecordPlace } from '../../log/log-record.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { openNewFile } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { decodeHeader, encodeHeader, LONGEST_HEADER, type LogHeader } from '../file/header.ts';
import { openStateFile } from '../file/state-file.ts';
import { newer } from '../file/state-problem.ts';
import type { StatePaths } from '../file/work-folder.ts';

export type Found =
  | { readonly type: 'nothing' }
  | { readonly type: 'pointer'; readonly lineage: string }
  /** A file that is something else: a state, if it has a lineage. */
  | { readonly type: 'other'; readonly lineage?: string };

export async function readPointer({ file }: StatePaths): Promise<Result<Found, FatalProblem>> {
  const opened = await openStateFile(file, 'read');
  if (!opened.ok) return opened;
  if (!opened.value) return ok({ type: 'nothing' });
  try {
    const { buffer, bytesRead } = await opened.value.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
    const [first = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/);
    const reading = decodeHeader(Buffer.from(first));
    if (reading.type === 'newer')
      return err(newer(file, { line: 1, what: `its format is ${reading.format}` }));
    if (reading.type === 'bad') return ok({ type: 'other' });
    const { lineage, movedTo } = reading.header;
    return ok({ type: movedTo === undefined ? 'other' : 'pointer', lineage });
  } finally {
    await opened.value.close();
  }
}

/** A crash leaves what was there, or all of the new one. `end`: a record that the log in the database must have. */
export async function writePointer(
  { file, fresh, folder }: StatePaths,
  { header, to, end }: { readonly header: LogHeader; readonly to: string; readonly end: RecordPlace },
): Promise<void> {
  const { line } = encodeHeader(header.lineage, { ...header, format: 2, movedTo: to }, end);
  const handle = await openNewFile(fresh, 0o600);
  try {
    await handle.writeFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(fresh, file);
  await syncFolder(folder);
}
