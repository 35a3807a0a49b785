/**
 * What `campaign init` sees in a folder of photos: folders that are products each, loose photos that belong together by their
 * names (`tote-1.jpg`, `tote-2.jpg`), or both. Results of campaign and what a manifest could not name are passed over.
 */
import path from 'node:path';
import type { Disk, Entry } from '../util/disk.ts';
import { groupBy } from '../util/group-by.ts';
import { HIDDEN, isImageName, isLeftBySystem, whyNoImage } from './image-names.ts';
import { inOrderOfNames, isGlob } from './list-images.ts';
import type { OwnOutputs } from './own-outputs.ts';
import { whyOddName } from './path-problems.ts';
import { holds, type PathSandbox, realOf } from './path-sandbox.ts';

/** Paths are relative to the manifest's folder. */
export interface FoundPhotos {
  /** Folders that are products each, in the order of their names. */
  readonly folders: readonly PhotoFolder[];
  /** Products of loose photos, by the part of the name that they share. */
  readonly loose: readonly LooseProduct[];
  /** Folders and files that look like photos and are not used, with the reason. */
  readonly passedOver: readonly PassedOver[];
}

export interface PhotoFolder {
  readonly path: string;
  readonly images: readonly string[];
}

export interface LooseProduct {
  readonly name: string;
  readonly images: readonly string[];
}

export interface PassedOver {
  readonly path: string;
  readonly why: string;
}

/** Deeper folders are no products, but somebody's archive. */
const DEEPEST = 4;

export interface PhotoPlace {
  readonly disk: Disk;
  /** Of the manifest, absolute. */
  readonly home: string;
  readonly sandbox: PathSandbox;
  readonly outputs: OwnOutputs;
}

interface Search extends PhotoPlace {
  readonly passedOver: PassedOver[];
}

/** `folder` is relative to `home`. */
export function findPhotos(place: PhotoPlace, folder: string): FoundPhotos {
  const search: Search = { ...place, passedOver: [] };
  const images = imagesIn(folder, search);
  const folders = photoFolders(folder, search, DEEPEST);
  return { folders, loose: byStem(images), passedOver: search.passedOver };
}

/** Every folder below that holds photos. */
function photoFolders(folder: string, search: Search, levels: number): PhotoFolder[] {
  return foldersIn(folder, search).flatMap((name) => {
    const at = path.posix.join(folder, name);
    if (levels === 0) return tooDeep(at, search);
    const images = imagesIn(at, search);
    return [...(images.length ? [{ path: at, images }] : []), ...photoFolders(at, search, levels - 1)];
  });
}

function tooDeep(at: string, search: Search): [] {
  const isOfPhotos = entriesOf(at, search).some(({ name, type }) => isImageName(name) && type !== 'folder');
  if (isOfPhotos) search.passedOver.push({ path: at, why: 'its photos lie too many folders deep' });
  return [];
}

/** One pattern where it matches exactly these folders, so that the next product is only a folder more; else their paths. */
export function patternsFor(folder: string, paths: readonly string[], place: PhotoPlace): string[] {
  const depths = new Set(paths.map((each) => path.posix.relative(folder, each).split('/').length));
  const [depth] = depths;
  if (depth === undefined) return [];
  const isPlain = !isGlob(folder) && depths.size === 1;
  const matched = isPlain ? foldersAt(folder, depth, place) : [];
  if (matched.length !== paths.length) return [...paths].sort(inOrderOfNames);
  return [path.posix.join(folder, ...Array.from({ length: depth }, () => '*'))];
}

function foldersAt(folder: string, depth: number, place: PhotoPlace): string[] {
  const below = entriesOf(folder, place)
    .filter(({ name }) => !name.startsWith('.') && !isLeftBySystem(name))
    .map(({ name }) => path.posix.join(folder, name))
    .filter((at) => place.disk.stat(path.resolve(place.home, at)).type === 'folder');
  return depth === 1 ? below : below.flatMap((each) => foldersAt(each, depth - 1, place));
}

function entriesOf(folder: string, { disk, home }: PhotoPlace): readonly Entry[] {
  const found = disk.list(path.resolve(home, folder));
  return 'code' in found ? [] : found.filter(({ name }) => !isLeftBySystem(name));
}

function foldersIn(folder: string, search: Search): string[] {
  const folders = entriesOf(folder, search).filter(
    ({ name, type }) => name !== 'node_modules' && type !== 'file',
  );
  for (const { name } of folders.filter((each) => each.name.startsWith('.') && each.type === 'folder')) {
    const at = path.posix.join(folder, name);
    const isOfPhotos = entriesOf(at, search).some((each) => isImageName(each.name));
    if (isOfPhotos && isUsable(at, 'folder', search)) search.passedOver.push({ path: at, why: HIDDEN });
  }
  const home = realOf(search.disk, path.resolve(search.home, folder));
  return folders
    .filter(({ name, type }) => type !== 'link' || !leadsAround(home, name, search))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && isUsable(path.posix.join(folder, name), 'folder', search))
    .sort(inOrderOfNames);
}

/** Whether a link leads to the folder that it lies in, or to one above: below it, everything would be found again. */
function leadsAround(folder: string, name: string, { disk, home }: PhotoPlace): boolean {
  const target = disk.real(path.join(folder, name));
  return target !== undefined && holds(target, folder) && holds(realOf(disk, home), target);
}

function imagesIn(folder: string, search: Search): string[] {
  const files = entriesOf(folder, search).filter(({ type }) => type !== 'folder');
  for (const { name } of files.filter((each) => !isImageName(each.name))) {
    const at = path.posix.join(folder, name);
    const why = whyNoImage(search.disk, path.resolve(search.home, at));
    if (why !== undefined && isUsable(at, 'file', search)) search.passedOver.push({ path: at, why });
  }
  return files
    .filter(({ name }) => isImageName(name))
    .map(({ name }) => path.posix.join(folder, name))
    .filter((at) => isUsable(at, 'file', search))
    .sort(inOrderOfNames);
}

/** Whether the path leads to a folder or file that a manifest may name. */
function isUsable(relative: string, type: 'folder' | 'file', search: Search): boolean {
  const { disk, home, sandbox, outputs, passedOver } = search;
  const at = path.resolve(home, relative);
  if (disk.stat(at).type !== type) return false;
  if (type === 'folder' ? outputs.ofFolder(at) : outputs.ofFile(at)) return false;
  const why = whyOddName(disk, at)
    ? 'its name is not UTF-8'
    : !sandbox.leadsInside(at)
      ? 'it is a link that leads out of the folder of the manifest'
      : relative.includes('${{')
        ? 'its name holds `${{`, which begins an expression'
        : undefined;
  if (why !== undefined) passedOver.push({ path: relative, why });
  return why === undefined;
}

/** What cameras and phones call their pictures says nothing about what is in them. */
const CAMERA = /^(?:img|image|dsc[nf]?|pxl|mvi|p|photo|foto|picture|bild|scan|whatsapp image|screenshot)?$/i;

/** `tote-1`, `tote_02` and `tote (3)` are `tote`; upper and lower case are one. */
function byStem(images: readonly string[]): LooseProduct[] {
  const named = images.map((image) => {
    const whole = path.posix.parse(image).name;
    const stem = whole.replace(/[-_ .]*[-_ .(]\d{1,4}\)?$/, '');
    return { image, name: CAMERA.test(stem) ? whole : stem };
  });
  const groups = groupBy(named, ({ name }) => name.normalize('NFC').toLowerCase());
  return [...groups.values()].map((group) => ({
    name: group[0]?.name ?? '',
    images: group.map(({ image }) => image),
  }));
}
