/** Finds names that are too long for any disk, so that this is reported before a post is paid for. */
import path from 'node:path';
import type { SourceRef } from '../model/source.ts';
import { type OutputName, placeOfName, shownName } from './output-names.ts';
import type { Problems } from '../document/problems.ts';

/** Limits of file systems: for one name, and for a whole path with its final NUL. */
const NAME_BYTES = 255;
const PATH_BYTES = 4_095;

/** The most that is added to a name: `.`, `.take9999-99`, `.bak99` or `.partial`, and an extension. */
const RESERVED_BYTES = 32;

export function checkOutputDir(dir: string, problems: Problems): void {
  const source = '#/outputs/dir';
  const parts = dir.toLowerCase().split('/');
  const isTooLong = dir.split('/').some((part) => Buffer.byteLength(part) > NAME_BYTES);
  const why =
    controlText(dir) ??
    (isTooLong ? TOO_LONG : undefined) ??
    (parts.includes('index.json') ? INDEX : undefined) ??
    (parts.includes('.campaign') ? WORK : undefined);
  if (why !== undefined) problems.add({ code: 'invalid-value', detail: why, source });
}

const TOO_LONG = 'A folder name has at most 255 bytes. Shorten it.';
const INDEX =
  'A file of the name `index.json` lies in every output folder, so no folder may be called so. Rename it.';
const WORK =
  'What lies in `.campaign/` may be deleted at any time, and results are to stay. Choose another folder.';

/** `folder` is that of the manifest; `at` is the place of the template, if it is written. */
export function checkOutputLengths(
  names: readonly OutputName[],
  { folder, dir, at }: { folder: string; dir: string; at: SourceRef | undefined },
  problems: Problems,
): void {
  const root = Buffer.byteLength(path.resolve(folder, dir)) + 1;
  for (const name of names) {
    const why = whyUnusable(name, root);
    if (why === undefined) continue;
    const place = at === undefined ? { source: placeOfName(name), part: 'key' as const } : { source: at };
    problems.add({ code: 'invalid-value', detail: why, ...place });
    return;
  }
}

function whyUnusable(name: OutputName, rootBytes: number): string | undefined {
  if (name.path === '')
    return `Nothing is left of the file name of ${shownName(name)}: all that the name is made of is empty there. Put {post} and {item} into \`outputs.name\`.`;
  // In UTF-8 a character has at most three bytes for each unit of its length, so most names need no counting.
  if (3 * name.path.length + RESERVED_BYTES <= NAME_BYTES && rootBytes <= PATH_BYTES / 2) return undefined;
  const parts = name.path.split('/');
  const file = Buffer.byteLength(parts.pop() ?? '') + RESERVED_BYTES;
  const longest = Math.max(file, ...parts.map((part) => Buffer.byteLength(part)));
  if (longest > NAME_BYTES)
    return `The file of ${shownName(name)} would be called "${name.path}", and a part of that is longer than any name can be: 255 bytes, ${RESERVED_BYTES} of them for what is put behind it (such as .take2). Shorten the keys, or leave parts out of \`outputs.name\`.`;
  const whole = rootBytes + Buffer.byteLength(name.path) + RESERVED_BYTES;
  if (whole <= PATH_BYTES) return undefined;
  return `The whole path of the file of ${shownName(name)} would have ${whole} bytes, and ${PATH_BYTES} are the most. Move the campaign, or choose a shorter \`outputs.dir\`.`;
}

export function controlText(text: string): string | undefined {
  const found = /\p{Cc}/u.exec(text)?.[0];
  if (found === undefined) return undefined;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `It holds a control character (U+${code}), which file names cannot or should not have. Take it out.`;
}
