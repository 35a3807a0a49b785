/**
 * What `campaign init` sees in a folder of photos: folders that are products each, loose photos that belong together by their
 * names (`tote-1.jpg`, `tote-2.jpg`), or both. Results of campaign and what a manifest could not name are passed over.
 */
import path from 'node:path';
import { findOwnOutputs, type OwnOutputs } from '../manifest/own-outputs.ts';
import { inOrderOfNames, isGlob, isImageName } from '../manifest/list-images.ts';
import { createPathSandbox, type PathSandbox } from '../manifest/path-sandbox.ts';
import { whyOddName } from '../manifest/path-problems.ts';
import type { Disk, Entry } from '../util/disk.ts';
import { groupBy } from '../util/group-by.ts';

/** Paths are relative to the manifest's folder. */
export interface FoundPhotos {
  /** Globs or folders for `product_folders`. */
  readonly folders: readonly string[];
  /** The folders that these match, each a product, by their paths. */
  readonly productFolders: readonly string[];
  /** Products of loose photos, by the part of the name that they share. */
  readonly loose: readonly { readonly name: string; readonly images: readonly string[] }[];
  readonly photos: number;
  /** Folders and files that look like photos and are not used, with the reason. */
  readonly passedOver: readonly { readonly path: string; readonly why: string }[];
}

/** Deeper folders are no products, but somebody's archive. */
const DEEPEST = 4;

interface Search {
  readonly disk: Disk;
  /** Of the manifest, absolute. */
  readonly home: string;
  readonly sandbox: PathSandbox;
  readonly outputs: OwnOutputs;
  readonly passedOver: { path: string; why: string }[];
}

/** `folder` is relative to `home`, the folder of the manifest. */
export function findPhotos(
  disk: Disk,
  { home, folder, campaign }: { home: string; folder: string; campaign: string },
): FoundPhotos {
  const sandbox = createPathSandbox(disk, home, 'refuse');
  const outputs = findOwnOutputs({ disk, folder: home, name: campaign, dir: `out/${campaign}`, known: [] });
  const search: Search = { disk, home, sandbox, outputs, passedOver: [] };
  const images = imagesIn(folder, search);
  const below = productFolders(folder, search, DEEPEST);
  return {
    folders: globsFor(folder, below, search),
    productFolders: below.map((each) => each.path),
    loose: byStem(images),
    photos: images.length + below.reduce((sum, each) => sum + each.photos, 0),
    passedOver: search.passedOver,
  };
}

interface ProductFolder {
  readonly path: string;
  readonly photos: number;
}

/** Every folder below that holds photos. */
function productFolders(folder: string, search: Search, deepest: number): ProductFolder[] {
  return foldersIn(folder, search).flatMap((name) => {
    const at = path.posix.join(folder, name);
    const photos = imagesIn(at, search).length;
    const deeper = deepest > 1 ? productFolders(at, search, deepest - 1) : [];
    return [...(photos ? [{ path: at, photos }] : []), ...deeper];
  });
}

/** One pattern where it matches exactly these folders, so that the next product is only a folder more; else their paths. */
function globsFor(folder: string, found: readonly ProductFolder[], search: Search): string[] {
  const depths = new Set(found.map((each) => path.posix.relative(folder, each.path).split('/').length));
  const [depth] = depths;
  if (depth === undefined) return [];
  const isPlain = !isGlob(folder) && depths.size === 1;
  const matched = isPlain ? foldersAt(folder, depth, search) : [];
  const paths = found.map((each) => each.path);
  if (matched.length !== paths.length) return paths.sort(inOrderOfNames);
  return [path.posix.join(folder, ...Array.from({ length: depth }, () => '*'))];
}

function foldersAt(folder: string, depth: number, search: Search): string[] {
  const below = entriesOf(folder, search)
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ name }) => path.posix.join(folder, name))
    .filter((at) => search.disk.stat(path.resolve(search.home, at)).type === 'folder');
  return depth === 1 ? below : below.flatMap((each) => foldersAt(each, depth - 1, search));
}

function entriesOf(folder: string, { disk, home }: Search): readonly Entry[] {
  const found = disk.list(path.resolve(home, folder));
  return 'code' in found ? [] : found;
}

function foldersIn(folder: string, search: Search): string[] {
  return entriesOf(folder, search)
    .filter(({ name, type }) => !name.startsWith('.') && name !== 'node_modules' && type !== 'file')
    .map(({ name }) => name)
    .filter((name) => isUsable(path.posix.join(folder, name), 'folder', search))
    .sort(inOrderOfNames);
}

function imagesIn(folder: string, search: Search): string[] {
  return entriesOf(folder, search)
    .filter(({ name, type }) => isImageName(name) && type !== 'folder')
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
function byStem(images: readonly string[]): FoundPhotos['loose'] {
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
