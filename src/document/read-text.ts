import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { Disk, Failed, Present } from '../util/disk.ts';
import type { Why } from './problems.ts';

interface Kind {
  readonly is: string;
  /** How it is saved as UTF-8 where its author knows no editor of texts. */
  readonly saving?: (encoding?: string) => string;
  /** In MB. */
  readonly largest: number;
  readonly ifLarger: string;
}

const YAML: Kind = {
  is: 'a YAML file',
  // 100,000 items in the longest form are about 20 MB of text; a larger file is no manifest.
  largest: 32,
  ifLarger: 'Write a matrix instead of long lists, or split the campaign.',
};

export function readText(disk: Disk, path: string, kind: Kind = YAML): string | Why {
  const found = disk.read(path, kind.largest * 1024 ** 2);
  if (Buffer.isBuffer(found)) return decode(found, kind);
  return 'code' in found
    ? { code: 'cannot-read', detail: reasonOf(disk, path, found) }
    : whyUnreadable(found, kind);
}

function whyUnreadable(found: Present, { is, largest, ifLarger }: Kind): Why {
  if (found.type === 'folder') return { code: 'not-a-file', detail: `This is a folder, not ${is}.` };
  if (found.type !== 'file') {
    const detail = 'This is a pipe or a device, and reading it might never end. Save the text as a file.';
    return { code: 'not-a-file', detail };
  }
  const megabytes = Math.ceil(found.size / 1024 ** 2).toLocaleString('en');
  const detail = `It has ${megabytes} MB; at most ${largest} MB are read. ${ifLarger}`;
  return { code: 'too-large', detail };
}

function decode(bytes: Buffer, { saving = () => '' }: Kind): string | Why {
  const notUtf8 = (what: string, encoding?: string): Why => ({
    code: 'not-utf8',
    detail: `${what} Save the file as UTF-8${saving(encoding)}.`,
  });
  if (isUtf16(bytes)) return notUtf8('The text is in UTF-16, and only UTF-8 is read.', 'UTF-16');
  if (bytes.includes(0)) return notUtf8('It holds NUL bytes, as binary files do.');
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const good = Buffer.from(bytes.toString('utf8'));
  const at = bytes.findIndex((byte, index) => byte !== good[index]);
  const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
  const what = `A character in line ${line} is not UTF-8; the text is probably in Windows-1252 (Latin-1).`;
  return notUtf8(what, 'WINDOWS-1252');
}

/** It begins with a mark of UTF-16, or every other byte of its beginning is NUL, as in plain English text. */
function isUtf16(bytes: Buffer): boolean {
  if (['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))) return true;
  const begin = bytes.subarray(0, 64);
  const nulls = [0, 1].map((parity) => begin.filter((byte, at) => byte === 0 && at % 2 === parity).length);
  return begin.length > 3 && Math.min(...nulls) === 0 && Math.max(...nulls) > begin.length / 4;
}

/** The file beside it whose name ends in `.yml` for `.yaml`, or the other way round; undefined where there is none. */
export function otherSpelling(disk: Disk, file: string): string | undefined {
  const other = file.endsWith('.yml') ? file.replace(/yml$/, 'yaml') : file.replace(/\.yaml$/, '.yml');
  return other !== file && disk.stat(other).type !== 'nothing' ? other : undefined;
}

function reasonOf(disk: Disk, path: string, { code, message }: Failed): string {
  const other = code === 'ENOENT' ? otherSpelling(disk, path) : undefined;
  if (other !== undefined)
    return `There is no such file, but there is ${basename(other)}. Rename it, or name it.`;
  if (code === 'ENOENT')
    return 'There is no such file. Check the name, and that a link does not lead nowhere.';
  if (code === 'EACCES') return 'You are not allowed to read it. Change its permissions (`chmod u+r`).';
  return `The system says: ${message}.`;
}
