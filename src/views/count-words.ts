import { nonZero } from '../util/count.ts';
import type { PostCounts } from './coverage.ts';

/** What is to be said of posts besides how many are done: `3 out of date`, `1 failed`. */
export function notesOf(counts: PostCounts): string[] {
  return nonZero([
    [counts.outdated, 'out of date'],
    [counts.rejected, 'rejected'],
    [counts.pending - counts.to_download, 'pending'],
    [counts.to_download, 'to download'],
    [counts.failed, 'failed'],
    [counts.unknown, 'unknown'],
    [counts.given_up, 'given up'],
    [counts.blocked, 'blocked'],
    [counts.missing - counts.blocked, 'to request'],
    [counts.kept, 'kept as made'],
    [counts.files_missing, 'without files here'],
  ]);
}
