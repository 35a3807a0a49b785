/** What a photo is called, and what is no photo whatever it is called. */
import path from 'node:path';
import type { Disk } from '../util/disk.ts';

const ENDINGS = '.jpg .jpeg .jfif .jpe .png .webp .gif .avif .heic .heif .hif .tif .tiff'.split(' ');

/** `.jpg, .jpeg, … or .tiff` */
export const IMAGE_ENDINGS = ENDINGS.join(', ').replace(/, (?=[^,]*$)/, ' or ');

/** True for a name that counts as an image in a folder or a glob; hidden files never do. */
export function isImageName(name: string): boolean {
  return !name.startsWith('.') && hasEnding(name, ENDINGS);
}

/**
 * True for what systems leave beside files: thumbnails of network storages, bins, the second halves of files from a Mac.
 * Their pictures are copies, or gone for their owner.
 */
export function isLeftBySystem(name: string): boolean {
  return name.startsWith('._') || LEFT_BY_SYSTEMS.has(name.toLowerCase());
}

const LEFT_BY_SYSTEMS = new Set([
  '@eadir',
  '@tmp',
  '@recycle',
  '@recently-snapshot',
  '#recycle',
  '#snapshot',
  '.@__thumb',
  '@__thumb',
  '__macosx',
  '.ds_store',
  '.appledouble',
  '.trashes',
  '.trash',
  '.spotlight-v100',
  '.fseventsd',
  '.temporaryitems',
  '.thumbnails',
  '.picasaoriginals',
  'thumbs.db',
  'ehthumbs.db',
  'desktop.ini',
  '$recycle.bin',
  'system volume information',
  'lost+found',
]);

/** Whether a part of a path is such a thing; the parts are those below some folder. */
export function leadsThroughLeftovers(relative: string): boolean {
  return relative.split('/').some(isLeftBySystem);
}

/** Pictures that no service takes as they are. */
const OTHER_PICTURES = [
  '.bmp .svg .psd .jxl .jp2 .j2k .eps .ai .xcf .tga'.split(' '),
  '.dng .cr2 .cr3 .nef .arw .orf .rw2 .raf .pef .srw .raw'.split(' '),
].flat();

/** Why a file that shows a picture counts as none in a folder or a glob; undefined for one that counts, and for other files. */
export function whyNoImage(disk: Disk, file: string): string | undefined {
  const name = path.basename(file);
  if (isImageName(name) || isLeftBySystem(name)) return undefined;
  if (name.startsWith('.') && hasEnding(name, ENDINGS)) return HIDDEN;
  if (hasEnding(name, OTHER_PICTURES)) return 'the service takes no such files; export it as JPEG or PNG';
  const type = disk.pictureType(file);
  if (type === undefined) return undefined;
  return `it is a picture (${WORDS[type] ?? type}), but its name does not end in ${IMAGE_ENDINGS}`;
}

export const HIDDEN = 'it is hidden, because its name begins with a full stop';

const WORDS: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/tiff': 'TIFF',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
};

function hasEnding(name: string, endings: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return endings.some((ending) => lower.endsWith(ending));
}
