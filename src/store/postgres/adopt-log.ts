import * as fs from 'node:fs/promises';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { isDatabaseUrl } from '../../util/database-url.ts';
import { unlessMissing } from '../../util/new-file.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { fileIsNoPointer } from './database-problem.ts';
import { whyNotTaken } from '../file/adopt-state.ts';
import { readPointer, writePointer } from '../file/pointer.ts';
import { decisionsBeside, statePaths } from '../file/work-folder.ts';
import type { Adoption } from '../store.ts';
import type { Connection } from './connection.ts';
import { openToWrite } from './open-to-write.ts';
import type { Place, WriteOptions } from './place.ts';

/**
 * Opens the log that a file says this database has. Closing it gives that file the place of this campaign, if something was
 * recorded. After a crash in between the same command does the rest.
 */
export async function adoptLog(
  connection: Connection,
  place: Place,
  { from: named, ...options }: WriteOptions & { readonly from: string },
): Promise<Result<Adoption, FatalProblem>> {
  const { identity, paths: to } = place;
  const from = statePaths(named);
  const problem = await whyNotTaken({ from, to });
  if (problem) return err(problem);
  const pointer = await readPointer(from);
  if (!pointer.ok) return pointer;
  if (pointer.value.type !== 'pointer' || !isDatabaseUrl(pointer.value.header.movedTo))
    return err(fileIsNoPointer(place.name, from.file));
  const opened = await openToWrite(connection, { ...place, paths: from }, { ...options, allow: ['foreign'] });
  if (!opened.ok) return opened;
  const open = opened.value;
  const before = open.seq;
  return ok({
    ...open,
    from: from.file,
    to: to.file,
    succeeds: false,
    async close() {
      await open.close();
      const head = open.head?.();
      if (!head || head.last.seq === before) return;
      await fs.rename(decisionsBeside(from.file), decisionsBeside(to.file)).catch(unlessMissing);
      const header = { ...open.header, ...identity };
      await writePointer(to, { header, to: place.name, end: head.last, boundAt: head.boundAt });
      await fs.rm(from.file);
      await syncFolder(from.folder);
    },
  });
}
