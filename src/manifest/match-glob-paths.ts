import { type Dirent, readdir } from 'node:fs';
import path from 'node:path';
import type { Path } from 'glob';
import { whyOddName } from './path-problems.ts';
import type { Why } from '../document/problems.ts';

/** Everything that a glob matches, and the folders that it could not read, which the library would not report. */
export interface GlobMatches {
  readonly paths: readonly Path[];
  readonly unread: readonly { readonly folder: string; readonly why: Why }[];
}

type ReadFolder = (
  folder: string,
  options: { withFileTypes: true },
  done: (error: NodeJS.ErrnoException | null, entries?: Dirent[]) => void,
) => void;

export async function matchGlobPaths(
  pattern: string,
  { cwd, wanted }: { cwd: string; wanted: 'files' | 'all' },
): Promise<GlobMatches> {
  const { glob } = await import('glob');
  const refused = new Map<string, string | undefined>();
  const readFolder: ReadFolder = (folder, options, done) =>
    readdir(folder, options, (error, entries) => {
      if (error) refused.set(path.resolve(folder), error.code);
      done(error, entries);
    });
  const paths = await glob(pattern, {
    cwd,
    withFileTypes: true,
    nodir: wanted === 'files',
    fs: { readdir: readFolder },
  });
  const unread = [...refused].flatMap(([folder, code]) => {
    const why = whyUnread(path.relative(cwd, folder), folder, code);
    return why ? [{ folder, why }] : [];
  });
  return { paths, unread };
}

function whyUnread(shown: string, folder: string, code: string | undefined): Why | undefined {
  const odd = whyOddName(folder);
  if (odd) return odd;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  const detail = `The folder "${shown}", which the pattern reaches, cannot be read. Check its permissions, or write a pattern that does not reach it.`;
  return { code: 'cannot-read', detail };
}
