import path from 'node:path';
import type { Disk } from '../util/disk.ts';

export type PathSandbox = ReturnType<typeof createPathSandbox>;

export function createPathSandbox(disk: Disk, folder: string, outside: 'refuse' | 'allow') {
  const root = realOf(disk, folder);
  return {
    /** By the text of the path, before anything on disk is examined. */
    staysInside(relative: string): boolean {
      const normal = path.posix.normalize(relative);
      const leaves = path.posix.isAbsolute(normal) || normal === '..' || normal.startsWith('../');
      return outside === 'allow' || !leaves;
    },
    /** For an existing file; of a symbolic link the target counts. */
    leadsInside: (file: string, real = realOf(disk, file)): boolean =>
      outside === 'allow' || holds(root, real),
  };
}

export function holds(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/** The path without links, as far as it exists. */
export function realOf(disk: Disk, file: string): string {
  const above = path.dirname(file);
  return disk.real(file) ?? (above === file ? file : inRealFolder(disk, file));
}

/** A path with its folder resolved, so that two paths to one file are equal. */
export function inRealFolder(disk: Disk, file: string): string {
  return path.join(realOf(disk, path.dirname(file)), path.basename(file));
}
