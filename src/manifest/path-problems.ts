import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { Why } from '../document/problems.ts';
import type { Disk } from '../util/disk.ts';

export function leaves(written: string): Why {
  const detail = `"${written}" leads out of the folder of the manifest, so a copy of that folder would not be whole. Move the files into it, or allow this with --allow-outside.`;
  return { code: 'outside-folder', detail };
}

export function linkLeaves(name: string): Why {
  const detail = `"${name}" is a link that leads out of the folder of the manifest, so a copy of that folder would not be whole. Put the files themselves there, or allow this with --allow-outside.`;
  return { code: 'outside-folder', detail };
}

export function isOwnOutput(entry: string, why: string): Why {
  const detail = `"${entry}" ${why}. What campaign made is no photo: its next run would make posts of its own results. If you want it as one, copy it to a folder beside your photos; if photos lie there, give the results another folder with \`outputs.dir\`.`;
  return { code: 'output-as-input', detail };
}

export function isNoFile(entry: string): Why {
  const detail = `"${entry}" is a pipe, a socket or a device, and reading it might never end. Put an image file there, or take it out.`;
  return { code: 'not-a-file', detail };
}

export function isDangling(name: string): Why {
  const detail = `"${name}" is a link, and what it leads to is gone. Put the file there.`;
  return { code: 'no-match', detail };
}

const FORBIDDEN =
  'cannot be reached: a folder on the way to it is not yours to look into. Check the permissions of the folders.';

const CLOSED: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ENAMETOOLONG: 'is longer than any path can be. Correct it.',
  ERR_INVALID_ARG_VALUE: 'holds a NUL character, which no path can. Take it out.',
};

/** The path is behind a folder that may not be read, or no path can be like this; undefined for any other path. */
export function whyClosed(disk: Disk, entry: string, file: string): Why | undefined {
  const found = disk.stat(file);
  const why = found.type === 'nothing' ? CLOSED[found.code] : undefined;
  const shown = entry.includes('\0') ? JSON.stringify(entry).slice(1, -1) : entry;
  return why === undefined ? undefined : { code: 'cannot-read', detail: `"${shown}" ${why}` };
}

/** The name is not UTF-8 and was read as another name, under which nothing can be opened. */
export function whyOddName(disk: Disk, file: string): Why | undefined {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  // What a byte that is no UTF-8 is read as.
  if (!name.includes('\uFFFD')) return undefined;
  const names = disk.rawNames(folder).map((name) => Buffer.from(name, 'hex'));
  const odd = names.find((bytes) => bytes.toString() === name && !isUtf8(bytes));
  if (!odd) return undefined;
  const shown = [...odd].map(shownByte).join('');
  const detail = `The name "${shown}" is not UTF-8, so it cannot be written into a manifest, nor the file be found by it. Rename it (\`convmv\` changes many names at once), or move it elsewhere.`;
  return { code: 'odd-name', detail };
}

function shownByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
