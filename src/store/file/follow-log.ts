/**
 * Reads the file of a log again and again while others write it. As long as it is the same file and has only grown, what was
 * read stays, and only what was added is read: the checksum of its first record covers all that stands before it. Else (the
 * file was compacted, replaced, cut, edited, moved, or has another name) it is read from its beginning.
 */
import type { BigIntStats } from 'node:fs';
import type { FatalProblem } from '../../model/problem.ts';
import type { Result } from '../../util/result.ts';
import type { Visit } from '../store.ts';
import { createLogLoader, type LoadedLog } from './load-log.ts';
import { openStateFile } from './state-file.ts';

/** The state of a log that it gave before changes with the next call. */
export type FollowLog = (file: string) => Promise<Result<LoadedLog, FatalProblem>>;

interface Known {
  readonly file: string;
  readonly load: ReturnType<typeof createLogLoader>;
  /** Before it was read. */
  readonly stats: BigIntStats;
}

/** `begin` is called whenever the log is read from its beginning, for what is shown each record. */
export function followLog(begin: () => Visit | undefined = () => undefined): FollowLog {
  let known: Known | undefined;

  return async (file) => {
    const before = known;
    known = undefined;
    const opened = await openStateFile(file, 'read');
    if (!opened.ok) return opened;
    const handle = opened.value;
    if (!handle) return createLogLoader({ file, visit: begin() })(undefined);
    try {
      const stats = await handle.stat({ bigint: true });
      if (before?.file === file && hasOnlyGrown(before.stats, stats)) {
        const { load } = before;
        const grown = await load(handle);
        known = canGoOn(grown) ? { file, load, stats } : undefined;
        if (grown.ok) return grown;
      }
      const load = createLogLoader({ file, visit: begin() });
      const loaded = await load(handle);
      known = canGoOn(loaded) ? { file, load, stats } : undefined;
      return loaded;
    } finally {
      await handle.close();
    }
  };
}

/** What was written into it since without making it longer is no new record. */
function hasOnlyGrown(before: BigIntStats, now: BigIntStats): boolean {
  if (now.dev !== before.dev || now.ino !== before.ino || now.size < before.size) return false;
  return now.size > before.size || (now.mtimeNs === before.mtimeNs && now.ctimeNs === before.ctimeNs);
}

/** A last line without its newline may be the beginning of a longer one. */
function canGoOn(loaded: Result<LoadedLog, FatalProblem>): boolean {
  return loaded.ok && loaded.value.header !== undefined && !loaded.value.reading.newlineMissing;
}
