/**
 * Which paths campaign touches. A state is a file that everybody can edit who can open a pull request, and it names the
 * files of finished posts: before such a file is moved, renamed, deleted, read, shown or sent, its path is asked about here.
 * Links are followed for the answer, so a folder that is a link counts by where it leads.
 */
import path from 'node:path';
import { realDisk } from '../util/disk.ts';
import type { OutputOwner } from './output-owner.ts';

export interface OutputFolder {
  /** Of the manifest, absolute. */
  readonly folder: string;
  /** `outputs.dir`: relative to that. */
  readonly dir: string;
  /** `allow`: files may be in neither of the two, because somebody has said so (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  /** Nothing is put into folders below it that are the output folder of somebody else. */
  readonly owner?: OutputOwner | undefined;
}

/** Where a campaign has its results; without any, what an earlier manifest has left is below its folder. */
export function outputFolderOf({ folder, outputs, outside }: Placed, owner?: OutputOwner): OutputFolder {
  return { folder, dir: outputs ? outputs.dir : '.', outside, owner };
}

interface Placed extends Pick<OutputFolder, 'folder' | 'outside'> {
  readonly outputs: { readonly dir: string } | false;
}

/** `outside`: --allow-outside lifts it. `hidden`: nothing does, as campaign gives no file such a name. */
export type NotOwn = 'outside' | 'hidden';

/** The absolute path of a file that the state or the manifest names. */
export function placeOf({ folder }: Pick<OutputFolder, 'folder'>, file: string): string {
  return path.resolve(folder, file);
}

/** Why campaign leaves alone what is at a path; undefined for a path at which it may have files. */
export function whyNotOwn(place: OutputFolder, file: string, real = realOf): NotOwn | undefined {
  const named = placeOf(place, file);
  const at = path.join(real(path.dirname(named)), path.basename(named));
  const ways = [placeOf(place, place.dir), place.folder]
    .map((root) => path.relative(real(root), at))
    .filter((way) => way !== '' && way !== '..' && !way.startsWith('../'));
  const [shortest] = ways.sort((one, other) => one.length - other.length);
  if (INPUT.test(at)) return 'hidden';
  if (shortest !== undefined) return shortest.split('/').some(isHidden) ? 'hidden' : undefined;
  if (place.outside === 'refuse') return 'outside';
  return at.split('/').some(isKept) ? 'hidden' : undefined;
}

/** As `whyNotOwn`, for many files: each folder is looked at once. */
export function ownPlaces(place: OutputFolder): (file: string) => NotOwn | undefined {
  const known = new Map<string, string>();
  const real = (folder: string) => {
    const found = known.get(folder) ?? realOf(folder);
    known.set(folder, found);
    return found;
  };
  return (file) => whyNotOwn(place, file, real);
}

/** The error has a code, so it is told as one of the disk. */
export function checkOwn(place: OutputFolder, file: string): void {
  const why = whyNotOwn(place, file);
  if (why === undefined) return;
  const message = `${file}: ${NOT_OWN[why]}`;
  throw Object.assign(new Error(message), { code: 'EPERM', syscall: 'open', path: file });
}

/** Words that follow the name of the file. */
export const NOT_OWN: Readonly<Record<NotOwn, string>> = {
  outside: 'its path leads out of the folder of the manifest, and --allow-outside was not said',
  hidden: 'its path has a name that campaign gives no result',
};

/** States, decisions, manifests, tables and the index: what campaign reads is no result. */
const INPUT = /\.(?:jsonl|json|ya?ml|csv|tsv)$/i;

function isHidden(part: string): boolean {
  return part.startsWith('.');
}

/** What git and campaign keep, however it is spelled; some file systems pass over dots and blanks at the end. */
function isKept(part: string): boolean {
  return /^\.(?:git|campaign)[. ]*$/i.test(part);
}

/** The path without links, as far as it exists. */
function realOf(folder: string): string {
  const above = path.dirname(folder);
  if (above === folder) return folder;
  return realDisk.real(folder) ?? path.join(realOf(above), path.basename(folder));
}
