/**
 * Whether files are still what was recorded. A file that nobody has touched since campaign wrote it is not read, nor is one that was
 * read before and has not changed since (`.campaign/output-files.json`, a stat cache that may be deleted); any other is.
 */
import { join } from 'node:path';
import type { Disk } from '../util/disk.ts';
import { NOT_SHOWN, type NotShown } from './read-picture.ts';
import { sha256Of } from './sha256-of.ts';
import { openStatCache } from './stat-cache.ts';

export interface RecordedFile {
  /** As the state names it. */
  readonly file: string;
  /** Absolute; of a plain file. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
  /** When campaign had written it, ISO 8601. */
  readonly written: string;
}

export async function openRecordedFiles({ stat }: Pick<Disk, 'stat'>, workFolder: string) {
  const cache = await openStatCache(join(workFolder, 'output-files.json'));
  return {
    async whyNot(recorded: RecordedFile): Promise<NotShown | undefined> {
      const { file, path, sha256, bytes, contentType, written } = recorded;
      const stats = stat(path);
      if (stats.type !== 'file') return NOT_SHOWN.unreadable;
      if (stats.size !== bytes) return NOT_SHOWN.differs;
      if (Math.max(stats.ctimeMs, stats.mtimeMs) <= Date.parse(written)) return undefined;
      const known = cache.find(file, stats)?.photo.sha256;
      const found = known ?? (await sha256Of(path));
      if (found === undefined) return NOT_SHOWN.unreadable;
      if (known === undefined)
        cache.put({ file, sha256: found, bytes, contentType }, { stats, isExamined: false });
      return found === sha256 ? undefined : NOT_SHOWN.differs;
    },
    save: () => cache.save(),
  };
}
