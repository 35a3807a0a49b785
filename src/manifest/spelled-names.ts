/**
 * Names with accents have two spellings in Unicode: composed (NFC, "ö" is one character) and decomposed (NFD, "o" and
 * two dots). Some systems write one, some the other, and people cannot see the difference, so both are one name here.
 */
import path from 'node:path';
import type { Disk, Entry } from '../util/disk.ts';

/** Paths in composed characters, and the paths on the disk that they stand for. */
export function createSpelling(disk: Disk) {
  const known = new Map<string, string>();
  const onDisk = (file: string): string => {
    if (isAscii(file)) return file;
    const before = known.get(file);
    if (before !== undefined) return before;
    const above = path.dirname(file);
    const name = above === file ? '' : nameIn(disk, onDisk(above), path.basename(file));
    const found = path.join(onDisk(above), name);
    known.set(file, found);
    return found;
  };
  return {
    onDisk,
    /** What is in a folder, under composed names; a name that another file has in these characters stays. */
    list(folder: string): ReturnType<Disk['list']> {
      const real = onDisk(folder);
      const found = disk.list(real);
      if ('code' in found || found.every(({ name }) => isAscii(name))) return found;
      const names = new Set(found.map(({ name }) => name));
      return found.map(({ name, type }): Entry => {
        const composed = name.normalize('NFC');
        if (composed === name || names.has(composed)) return { name, type };
        known.set(path.join(folder, composed), path.join(real, name));
        return { name: composed, type };
      });
    },
  };
}

/** The name as the disk has it; unchanged where no spelling is there. */
function nameIn(disk: Disk, folder: string, name: string): string {
  if (isAscii(name) || disk.lstat(path.join(folder, name)).type !== 'nothing') return name;
  const found = disk.list(folder);
  const composed = name.normalize('NFC');
  const same = 'code' in found ? undefined : found.find((one) => one.name.normalize('NFC') === composed);
  return same?.name ?? name;
}

export function isAscii(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(name);
}
