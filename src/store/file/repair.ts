import type { FileHandle } from 'node:fs/promises';
import { keepAside } from './keep-aside.ts';
import type { LogReading } from './read-log.ts';
import type { StatePaths } from './work-folder.ts';

/**
 * Cuts off what a write that was interrupted left at the end of the log, after keeping it aside, and gives a last line
 * the newline it lost. Only for the holder of the lock. Returns the log's new length and what to tell the user.
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
    // Durable before the original is cut.
    await keepAside(file, { from: end, to: size }, kept);
    await file.truncate(end);
    warnings.push(
      `The last line of ${place.paths.file} was unfinished, because a run was interrupted while it wrote it. ` +
        `It was cut off and kept as ${kept}; nothing that depended on it was ever sent.`,
    );
  }
  if (newlineMissing) await file.write('\n');
  // What a run that was killed had written counts, synced or not: by now it must be, before anything builds on it.
  await file.datasync();
  return { length: newlineMissing ? end + 1 : end, warnings };
}
