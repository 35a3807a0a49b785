/**
 * Takes in what an earlier run could not write into the log (errored-log.ts). Idempotent, because a crash may come at
 * any point: what the log has already is passed over, the rest is durable before the file gets its new name.
 */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../../model/exit.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { readLog, type LogReading } from './read-log.ts';
import { type LogRecord } from '../../log/log-record.ts';
import type { LoadedLog } from './load-log.ts';
import type { LogMemory } from './log-memory.ts';
import { divergenceFrom } from './opening.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { newer } from './state-problem.ts';
import { ERRORED, type StatePaths } from './work-folder.ts';

/** A file that waits to be taken in. */
export interface ErroredFile {
  readonly file: string;
  /** Its first line, which names the lineage of the log that it belongs to. */
  readonly head: string;
  readonly reading: LogReading;
  readonly records: readonly LogRecord[];
}

/** What waits in the work folder, of this state and of others; the oldest first. */
export async function findErrored({ work }: StatePaths): Promise<ErroredFile[]> {
  const names = await fs.readdir(work).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    names.filter((name) => ERRORED.test(name)).map((name) => readErrored(path.join(work, name))),
  );
  const since = ({ records }: ErroredFile) => records[0]?.event.at ?? '';
  return found.sort((a, b) => (since(a) < since(b) ? -1 : 1));
}

/** True for a file that belongs to the log of this lineage. */
export function isOf(lineage: string | undefined, { head }: ErroredFile): boolean {
  return lineage !== undefined && head.includes(`"lineage":${JSON.stringify(lineage)}`);
}

/** The last record that the log had when the file was begun. */
export function memoryOf({ reading }: ErroredFile): LogMemory | undefined {
  const header = reading.type === 'read' ? reading.header : undefined;
  if (!header || header.last === undefined) return undefined;
  return { lineage: header.lineage, last: { seq: header.seq, crc: header.last } };
}

/** Why a file cannot be read; undefined where it can. */
export function whyUnreadable({ file, reading }: ErroredFile): FatalProblem | undefined {
  if (reading.type === 'newer') return newer(file, reading);
  if (reading.type === 'read') return undefined;
  const { line, offset, why } = reading;
  return {
    code: 'state-damaged',
    exit: EXIT.badState,
    summary: 'What an earlier run could not write into the state is damaged',
    detail:
      `${file}, line ${line} (byte ${offset}): ${why}. It holds ends of requests that may have been paid for, so nothing ` +
      'was changed. If its content cannot be brought back, move it out of that folder: its creates are unknown then, ' +
      'and `campaign resolve` decides them.',
  };
}

/** Why a file is not for this log: an older copy than the one that the run wrote, and nobody has said since that it counts. */
export function whyNotFor(log: LoadedLog, errored: ErroredFile): FatalProblem | undefined {
  const { file, records } = errored;
  const memory = memoryOf(errored);
  const last = records.at(-1);
  if (!memory || !last || !divergenceFrom(log, memory)) return undefined;
  if (log.boundAt !== undefined && log.boundAt >= last.event.at) return undefined;
  return {
    code: 'state-diverged',
    exit: EXIT.badState,
    summary: 'The state lacks what an earlier run recorded',
    detail:
      `${file} goes on from a log that this one is only an older copy of: it was replaced during that run. What only the ` +
      'other one has would be paid for a second time. Bring it back (`.campaign/` where it happened, git, a backup). If ' +
      'this copy is to count from now on, `campaign state rebind` says so.',
  };
}

/** Finds out which events of files a log has already: show it every record, then ask. */
export function createSieve(files: readonly ErroredFile[]): {
  show(record: LogRecord): void;
  missing(file: ErroredFile): LogRecord[];
} {
  const keyOf = ({ event }: LogRecord) => JSON.stringify(event);
  const wanted = new Set(files.flatMap(({ records }) => records.map(keyOf)));
  const found = new Set<string>();
  return {
    show(record) {
      if (wanted.size === 0) return;
      const key = keyOf(record);
      if (wanted.has(key)) found.add(key);
    },
    missing: ({ records }) => records.filter((record) => !found.has(keyOf(record))),
  };
}

/** Gives a file that was taken in the name that says so; a log that its run kept goes where this one has all of it. */
export async function markImported(errored: ErroredFile, log: LoadedLog, paths: StatePaths): Promise<void> {
  const { file } = errored;
  const memory = memoryOf(errored);
  if (memory && !divergenceFrom(log, memory)) await fs.rm(paths.replaced(runOf(file)), { force: true });
  await fs.rename(file, `${file}.imported`);
  await syncFolder(path.dirname(file));
}

function runOf(file: string): string {
  return path.basename(file).replace(ERRORED, '$1');
}

async function readErrored(file: string): Promise<ErroredFile> {
  const handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const records: LogRecord[] = [];
    const reading = await readLog(handle, (record) => records.push(record));
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const [head = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return { file, head, reading, records };
  } finally {
    await handle.close();
  }
}
