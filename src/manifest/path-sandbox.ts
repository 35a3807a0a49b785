import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Decides whether a path stays inside the manifest's folder. For symbolic links their target counts. */
export interface PathSandbox {
  /** By the text of the path, before anything on disk is examined. */
  staysInside(relative: string): boolean;
  /** For an existing file. If its folder is inside, only a link has to be resolved. */
  leadsInside(file: string, kind: 'link' | 'plain'): boolean;
}

export function createPathSandbox(folder: string, outside: 'refuse' | 'allow'): PathSandbox {
  if (outside === 'allow') return { staysInside: () => true, leadsInside: () => true };
  const root = realpathSync(folder);
  const folders = new Map<string, boolean>();
  const isInside = (real: string) => real === root || real.startsWith(root.endsWith('/') ? root : `${root}/`);
  const folderIsInside = (name: string) => {
    const known = folders.get(name) ?? isInside(realpathSync(name));
    folders.set(name, known);
    return known;
  };
  return {
    staysInside(relative) {
      const normal = path.posix.normalize(relative);
      return !path.posix.isAbsolute(normal) && normal !== '..' && !normal.startsWith('../');
    },
    leadsInside(file, kind) {
      return kind === 'link' ? isInside(realpathSync(file)) : folderIsInside(path.dirname(file));
    },
  };
}
