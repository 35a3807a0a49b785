/**
 * Imports spill files. It may be repeated after a crash at any point: events that the log has already are skipped, and
 * the others are durable before the file is renamed.
 */
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { fold } from '../../log/fold.ts';
import type { LogRecord } from '../../log/log-record.ts';
import type { FatalProblem } from '../../model/problem.ts';
import { syncFolder } from '../../util/atomic-file.ts';
import { checkPlace, unlessMissing } from '../../util/new-file.ts';
import { answersTo, isKnownSince, isOpen } from '../open-creates.ts';
import type { Checkpoint } from './checkpoint.ts';
import { divergenceFrom, type LoadedLog } from './load-log.ts';
import type { LogWriter } from './log-writer.ts';
import { type LogReading, readLog } from './read-log.ts';
import { badState, newer } from './state-problem.ts';
import { SPILL, type StatePaths } from './work-folder.ts';

export interface SpillFile {
  readonly file: string;
  /** Its first line, which names the lineage of the log that it belongs to. */
  readonly head: string;
  readonly reading: LogReading;
  readonly records: readonly LogRecord[];
}

/** The spill files of this and of other states, the oldest first. */
export async function findSpillFiles({ work }: StatePaths): Promise<SpillFile[]> {
  const names = (await fs.readdir(work).catch(unlessMissing)) ?? [];
  const found = await Promise.all(
    names
      .filter((name) => SPILL.test(name))
      .map((name) => readSpillFile(path.join(work, name)).catch(unlessMissing)),
  );
  const since = ({ records }: SpillFile) => records[0]?.event.at ?? '';
  // What another process of this folder has taken in meanwhile has another name.
  return found.filter((file) => file !== undefined).sort((a, b) => (since(a) < since(b) ? -1 : 1));
}

export function isOf(lineage: string | undefined, { head }: SpillFile): boolean {
  return lineage !== undefined && head.includes(`"lineage":${JSON.stringify(lineage)}`);
}

/** The last record that the log had when the file was begun. */
export function checkpointOf({ reading }: SpillFile): Checkpoint | undefined {
  const header = reading.type === 'read' ? reading.header : undefined;
  if (!header || header.last === undefined) return undefined;
  return { lineage: header.lineage, last: { seq: header.seq, crc: header.last } };
}

export function whyUnreadable({ file, reading }: SpillFile): FatalProblem | undefined {
  if (reading.type === 'newer') return newer(file, reading);
  if (reading.type === 'read') return undefined;
  const { line, offset, why } = reading;
  return badState('damaged', {
    summary: 'What an earlier run could not write into the state is damaged',
    detail:
      `${file}, line ${line} (byte ${offset}): ${why}. It holds ends of requests that may have been carried out, so nothing ` +
      'was changed. If its content cannot be brought back, move it out of that folder: its creates are unknown then, ' +
      'and `campaign resolve` decides them.',
  });
}

/** This log is older than the run's, and nobody has said that it counts. */
export function whyNotFor(
  log: LoadedLog,
  { file, records }: SpillFile,
  checkpoint: Checkpoint,
): FatalProblem | undefined {
  const last = records.at(-1);
  if (!last || !divergenceFrom(log, checkpoint)) return undefined;
  if (log.boundAt !== undefined && log.boundAt >= last.event.at) return undefined;
  return badState('diverged', {
    summary: 'The state lacks what an earlier run recorded',
    detail:
      `${file} goes on from a log that this one is only an older copy of: it was replaced during that run. What only the ` +
      'other one has would be made a second time. Bring it back (`.campaign/` where it happened, git, a backup). If ' +
      'this copy is to count from now on, `campaign state use` with its file or URL says so.',
  });
}

/** Finds the events of spill files that a log lacks: show it every record, then ask. */
export function createSieve(files: readonly SpillFile[]) {
  const keyOf = ({ event }: LogRecord) => JSON.stringify(event);
  const wanted = new Set(files.flatMap(({ records }) => records.map(keyOf)));
  const found = new Set<string>();
  return {
    show(this: void, record: LogRecord): void {
      if (wanted.size === 0) return;
      const key = keyOf(record);
      if (wanted.has(key)) found.add(key);
    },
    missing: ({ records }: SpillFile) => records.filter((record) => !found.has(keyOf(record))),
  };
}

/** Kept by one of the processes of a shared run, each file with a name of its own; the file of a run of one process has the run's. */
export function isOfSharedRun({ file }: Pick<SpillFile, 'file'>): boolean {
  return /^errored-.+-[0-9a-f]{8}\.jsonl$/.test(path.basename(file));
}

/** How a shared run named such a file. */
export function sharedSpillName(run: string, part: string): string {
  return `errored-${run}-${part}.jsonl`;
}

/**
 * What the log lacks of a file. Beside a process of a shared run others went on: of what it kept only the answers count, and
 * those only as long as nobody knows how their creates have ended. A log that has come back older may lack the creates
 * themselves: they come back, also those without an answer, which are unknown then, unless something newer is known of them.
 */
export function lackingOf(
  spill: SpillFile,
  sieve: ReturnType<typeof createSieve>,
  log: LoadedLog,
): readonly LogRecord[] {
  const missing = sieve.missing(spill);
  if (!isOfSharedRun(spill)) return missing;
  const all = spill.records.map(({ event }) => event);
  const begun = new Map(answersTo(all, all).map((answer) => [answer.event, answer.begun]));
  const end = checkpointOf(spill);
  const isOlder = end !== undefined && divergenceFrom(log, end) !== undefined;
  const cameBack = new Set<string>();
  return missing.filter(({ event }) => {
    if (event.type === 'intent') {
      const { address, at } = event;
      const comesBack = isOlder && !isKnownSince(log.state, address, at);
      if (comesBack) cameBack.add(address);
      return comesBack;
    }
    const at = begun.get(event);
    if (at === undefined) return false;
    return isOpen(log.state, event, at) || ('address' in event && cameBack.has(event.address));
  });
}

interface Importer {
  readonly log: LoadedLog;
  readonly writer: LogWriter;
  readonly paths: StatePaths;
  readonly run: string;
}

/** Records what the log lacks, renames the file, and returns what to tell the user. */
export async function importSpill(
  spill: SpillFile,
  missing: readonly LogRecord[],
  { log, writer, paths, run: ours }: Importer,
): Promise<string> {
  // One commit for all. Events of the earlier run keep its id, so that the log says where that run ended, which is the
  // checkpoint of the machine that ran it.
  const recorded = missing.map(async (record) => {
    const { event } = record;
    const run = event.type === 'run-started' || event.type === 'run-finished' ? record.run : ours;
    const { seq, crc } = await writer.append([event], run);
    fold(log.state, event);
    log.runs.add({ seq, run, event }, crc);
  });
  await Promise.all(recorded);
  const { file } = spill;
  const end = checkpointOf(spill);
  // This log has all of the copy that the run kept.
  if (end && !divergenceFrom(log, end)) {
    const run = path.basename(file).replace(SPILL, '$1');
    await fs.rm(paths.replaced(run), { force: true });
  }
  await fs.rename(file, `${file}.imported`).catch(unlessMissing);
  await syncFolder(path.dirname(file));
  return `What an earlier run could not write into the state was taken in from ${file}.`;
}

async function readSpillFile(file: string): Promise<SpillFile> {
  await checkPlace(file);
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
