import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { type Disk, type Entry, entryType } from '../util/disk.ts';
import { isLeftBySystem, leadsThroughLeftovers } from './image-names.ts';
import { whyOddName } from './path-problems.ts';
import { createSpelling } from './spelled-names.ts';
import type { Why } from '../document/problems.ts';

export interface GlobMatch extends Entry {
  readonly file: string;
}

/** Everything that a glob matches, and the folders that it could not read, which the library would not report. */
export interface GlobMatches {
  readonly matches: readonly GlobMatch[];
  /** Where nothing matches: a file or folder whose name is the pattern with its brackets as they stand. */
  readonly bracketed?: string;
  readonly unread: readonly { readonly folder: string; readonly why: Why }[];
}

export async function matchGlobPaths(
  disk: Disk,
  pattern: string,
  { cwd, wanted }: { cwd: string; wanted: 'files' | 'all' },
): Promise<GlobMatches> {
  const { globSync } = await import('glob');
  const refused = new Map<string, string>();
  const spelling = createSpelling(disk);
  const readdirSync = (folder: string) => {
    const found = spelling.list(folder);
    if (!('code' in found))
      return found.filter(({ name }) => !isLeftBySystem(name)).map(({ name, type }) => statsLike(type, name));
    refused.set(path.resolve(folder), found.code);
    throw Object.assign(new Error(found.message), { code: found.code });
  };
  const lstatSync = (at: string) => {
    const found = disk.lstat(spelling.onDisk(at));
    if (found.type === 'nothing') throw Object.assign(new Error(found.code), { code: found.code });
    return statsLike(found.type);
  };
  const options = {
    cwd,
    withFileTypes: true,
    nodir: wanted === 'files',
    fs: { readdirSync, lstatSync },
  } as const;
  const find = (glob: string) =>
    globSync(glob.normalize('NFC'), options)
      .map((match): GlobMatch => {
        const file = spelling.onDisk(match.fullpath());
        return { name: path.basename(file), file, type: entryType(match) };
      })
      // A part of a pattern without special characters is looked up, not listed.
      .filter(({ file }) => !leadsThroughLeftovers(path.relative(cwd, file)));
  const matches = find(pattern);
  const isBracketed = matches.length === 0 && /[[{]/.test(pattern);
  const [bracketed] = isBracketed ? find(pattern.replace(/[[{]/g, '[$&]')) : [];
  const unread = [...refused].flatMap(([folder, code]) => {
    const why = whyUnread(disk, path.relative(cwd, folder), { folder, code });
    return why ? [{ folder, why }] : [];
  });
  return { matches, unread, ...(bracketed ? { bracketed: bracketed.name } : {}) };
}

/** What the library asks of an entry of a folder. */
function statsLike(type: Entry['type'], name = ''): Dirent & Stats {
  const is = (wanted: Entry['type']) => () => type === wanted;
  const kinds = { isFile: is('file'), isDirectory: is('folder'), isSymbolicLink: is('link') };
  const never = () => false;
  const others = { isBlockDevice: never, isCharacterDevice: never, isFIFO: never, isSocket: never };
  return { name, ...kinds, ...others } as unknown as Dirent & Stats;
}

function whyUnread(
  disk: Disk,
  shown: string,
  { folder, code }: { readonly folder: string; readonly code: string },
): Why | undefined {
  const odd = whyOddName(disk, folder);
  if (odd) return odd;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  const detail = `The folder "${shown}", which the pattern reaches, cannot be read. Check its permissions, or write a pattern that does not reach it.`;
  return { code: 'cannot-read', detail };
}

/** The advice where only the pattern's own brackets keep it from matching. */
export function bracketsMeant(name: string | undefined): string {
  if (name === undefined) return '';
  return ` There is "${name}", but \`[…]\` and \`{…}\` in a pattern stand for one of what is in them. Write \`[[]\` and \`[{]\` for the brackets of a name.`;
}
