import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from './attempt.ts';
import type { Clock } from './clock.ts';

/** For file systems and containers that report no changes. */
const POLL_MS = 500;

interface Watched {
  readonly folder: string;
  readonly id: string;
  readonly watcher: FSWatcher;
}

/**
 * Calls `changed` when one of the files may have changed, until the returned function is called. A file may be replaced by
 * another one, or appear later, so their folders are watched. Nothing is opened, and `poll` is called twice a second.
 */
export function watchFiles(
  files: readonly string[],
  {
    clock,
    changed,
    poll,
  }: { readonly clock: Clock; readonly changed: () => void; readonly poll: () => void },
): () => void {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const marksOf = () => files.map(markOf).join('\n');
  let watched: Watched[] = [];
  let marks = marksOf();
  let cancel = () => {};

  const compare = () => {
    const now = marksOf();
    if (now === marks) return;
    marks = now;
    changed();
  };
  /** Also those that have appeared, or were replaced, since. */
  const listen = () => {
    for (const folder of folders) {
      const id = idOf(folder);
      const known = watched.find((each) => each.folder === folder);
      if (known && known.id === id) continue;
      if (known) drop(known);
      const watcher = id === undefined ? undefined : attempt(() => watch(folder, compare));
      if (id === undefined || !watcher) continue;
      const added = { folder, id, watcher };
      watcher.on('error', () => drop(added));
      watched.push(added);
    }
  };
  const drop = (gone: Watched) => {
    watched = watched.filter((each) => each !== gone);
    gone.watcher.close();
  };
  const again = () => {
    cancel = clock.after(POLL_MS, () => {
      again();
      listen();
      compare();
      poll();
    });
  };
  listen();
  again();
  return () => {
    cancel();
    for (const { watcher } of watched) watcher.close();
  };
}

/** Differs whenever the content does; the same for a file that is not there. */
function markOf(file: string): string {
  const stats = attempt(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : '';
}

function idOf(folder: string): string | undefined {
  const stats = attempt(() => statSync(folder, { throwIfNoEntry: false }));
  return stats && `${stats.dev}:${stats.ino}`;
}
