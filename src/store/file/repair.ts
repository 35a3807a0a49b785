import type { FileHandle } from 'node:fs/promises';
import { keepAside } from './keep-aside.ts';
import type { LogReading } from './read-log.ts';
import type { StatePaths } from './work-folder.ts';

/**
 * Cuts off what an interrupted write left at the end of the log, after copying it to a file, and adds a missing last
 * newline. Only for the holder of the lock. Returns the log's new length and what to tell the user.
 */
export async function repairTail(
  file: FileHandle,
  reading: Extract<LogReading, { type: 'read' }>,
  place: { readonly paths: StatePaths; readonly run: string },
): Promise<{ length: number; warnings: string[] }> {
  const { end, size, newlineMissing } = reading;
  const warnings: string[] = [];
  if (size > end) {
    const kept = place.paths.fragment(place.run);
    // Durable before the log is cut.
    await keepAside(file, { from: end, to: size }, kept);
    await file.truncate(end);
    warnings.push(
      `The last line of ${place.paths.file} was unfinished, because a run was interrupted while it wrote it. ` +
        `It was cut off and kept as ${kept}; nothing that depended on it was ever sent.`,
    );
  }
  if (newlineMissing) await file.write('\n');
  // Records of a run that was killed count, synced or not. They must be durable before anything depends on them.
  await file.datasync();
  return { length: newlineMissing ? end + 1 : end, warnings };
}
