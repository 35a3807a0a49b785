/**
 * Photos that somebody may believe to be in a campaign. The first photo of a folder is the main one of its product, so one that
 * is passed over and would have been the first is told always; the others, and photos that nothing names, are told to those who
 * ask (`--lint`), and `init --add` makes products of them.
 */
import path from 'node:path';
import type { SourceRef } from '../model/source.ts';
import type { Disk } from '../util/disk.ts';
import { groupBy } from '../util/group-by.ts';
import {
  findPhotos,
  type FoundPhotos,
  type LooseProduct,
  type PassedOver,
  type PhotoFolder,
} from './find-photos.ts';
import { isImageName, whyNoImage } from './image-names.ts';
import { type ImageScope, inOrderOfNames, membersOf } from './list-images.ts';
import type { Concept, ImageSource, Product } from './manifest.ts';
import { holds, realOf } from './path-sandbox.ts';

interface Objects {
  readonly products: readonly Product[];
  readonly concepts: readonly Concept[];
}

/** Paths are relative to the manifest's folder. */
export interface UnnamedPhotos extends Pick<FoundPhotos, 'folders' | 'loose' | 'passedOver'> {
  /** Photos that lie, or are called, like those of a product that names its photos one by one. */
  readonly kin: readonly { readonly product: string; readonly image: string }[];
}

/** Warns where a folder's first photo is passed over. Reads only files before the first one that counts. */
export function warnOfFirstPhotos(scope: ImageScope): void {
  const { disk, folder, outputs, sandbox, problems } = scope;
  for (const listed of new Map(scope.listed.map((each) => [each.folder, each])).values()) {
    const before = (membersOf(disk, listed.folder) ?? [])
      .filter(
        ({ name, type }) => type !== 'folder' && !isImageName(name) && inOrderOfNames(name, listed.first) < 0,
      )
      .map(({ name }) => path.join(listed.folder, name))
      .filter((file) => sandbox.leadsInside(file) && !outputs.ofFile(file));
    for (const file of before.sort(inOrderOfNames)) {
      const why = whyNoImage(disk, file);
      if (why === undefined) continue;
      const detail = `"${path.relative(folder, file)}" is passed over: ${why}. So "${listed.first}" comes first in its folder, and the first photo of a product is its main one.`;
      problems.add({ code: 'passed-over', severity: 'warning', detail, source: listed.source });
    }
  }
}

/** Without a folder, those are looked into that photos of products lie in, and the folders around those that are products. */
export function findUnnamed(scope: ImageScope, objects: Objects, folder?: string): UnnamedPhotos {
  const { disk, folder: home, sandbox, outputs } = scope;
  const roots = folder === undefined ? [...rootsOf(scope, objects).keys()] : [folder];
  const owners = ownersOf(disk, home, objects);
  const ownerOf = (image: string) => owners.get(realOf(disk, path.resolve(home, image)));
  const [folders, loose, passedOver]: [PhotoFolder[], LooseProduct[], PassedOver[]] = [[], [], []];
  const kin: { product: string; image: string }[] = [];
  for (const root of roots) {
    // Beside a manifest lie many things that are no photos of products.
    const isNear = (at: string) => folder !== undefined || root !== '.' || at.split('/').length <= 2;
    const found = findPhotos({ disk, home, sandbox, outputs }, root);
    passedOver.push(...found.passedOver.filter((each) => isNear(each.path)));
    const groups = [...found.loose, ...found.folders.filter((each) => isNear(`${each.path}/x`))];
    const ofRoot = productOfFolder(root, found.loose.flatMap(({ images }) => images).map(ownerOf));
    for (const group of groups) {
      const own = group.images.map(ownerOf).find((owner) => owner !== undefined);
      const product = own ?? ('path' in group ? undefined : ofRoot);
      const images = group.images.filter((image) => ownerOf(image) === undefined);
      if (product !== undefined) kin.push(...images.map((image) => ({ product, image })));
      else if ('path' in group) folders.push(group);
      else loose.push(group);
    }
  }
  return { folders, loose, passedOver, kin };
}

/** The one product whose photos are named in a folder that is called like it. */
function productOfFolder(folder: string, owners: readonly (string | undefined)[]): string | undefined {
  const [owner, ...others] = new Set(owners.filter((each) => each !== undefined));
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (owner === undefined || others.length) return undefined;
  return letters(path.basename(folder)) === letters(owner) ? owner : undefined;
}

/** By real path: the key of the product, or concept, that names a photo. */
function ownersOf(disk: Disk, home: string, { products, concepts }: Objects): ReadonlyMap<string, string> {
  const named = [
    ...concepts.map(({ key, refImages }) => ({ key, images: refImages })),
    ...products.map(({ key, images }) => ({ key, images })),
  ];
  return new Map(
    named.flatMap(({ key, images }) =>
      filesOf(images).map(({ file }): [string, string] => [realOf(disk, path.resolve(home, file)), key]),
    ),
  );
}

function filesOf(images: readonly ImageSource[]) {
  return images.filter((image) => 'file' in image);
}

/** Relative to the manifest's folder, with the place of the manifest that leads there; none within another. */
function rootsOf(scope: ImageScope, { products }: Objects): ReadonlyMap<string, SourceRef> {
  const { folder: home } = scope;
  const roots = new Map<string, SourceRef>();
  const add = (at: string, source: SourceRef) => {
    const root = path.relative(home, at) || '.';
    if (root !== '..' && !root.startsWith('../') && !path.isAbsolute(root) && !roots.has(root))
      roots.set(root, source);
  };
  const ofProducts = new Set(products.flatMap(({ images }) => filesOf(images).map(({ source }) => source)));
  for (const { folder, source } of scope.listed)
    if (ofProducts.has(source)) add(folder === home ? home : path.dirname(folder), source);
  for (const { file, source } of products.flatMap(({ images }) => filesOf(images)))
    add(path.dirname(path.resolve(home, file)), source);
  // What `init` looks into without a word.
  const usual = path.join(home, 'photos');
  if (scope.disk.stat(usual).type === 'folder') add(usual, '#/products');
  const isCovered = (root: string) =>
    [...roots.keys()].some(
      (other) => other !== root && (other === '.' ? !root.includes('/') : holds(other, root)),
    );
  return new Map([...roots].filter(([root]) => !isCovered(root)));
}

/** Folders with more are told by their number. */
const MOST_NAMES = 5;

/** What `--lint` says of these. */
export function lintUnnamed(scope: ImageScope, objects: Objects): void {
  const { problems } = scope;
  const roots = rootsOf(scope, objects);
  const [fallback = '#'] = roots.values();
  const sourceOf = (at: string) => [...roots].find(([root]) => holds(root, at))?.[1] ?? fallback;
  const warn = (code: 'passed-over' | 'unnamed-photo', at: string, detail: string) =>
    problems.add({ code, severity: 'warning', detail, source: sourceOf(at) });
  const { folders, loose, kin, passedOver } = findUnnamed(scope, objects);
  for (const { path: at, why } of passedOver)
    if (!problems.all().some(({ detail = '' }) => detail.startsWith(`"${at}" is passed over`)))
      warn('passed-over', at, `"${at}" is passed over: ${why}.`);
  const images = [...folders, ...loose].flatMap((each) => each.images);
  for (const [at, names] of groupBy(images, (image) => path.dirname(image)))
    warn(
      'unnamed-photo',
      at,
      `No product names ${listed(names)}. \`campaign init --add\` makes products of photos that nothing names.`,
    );
  for (const [product, names] of groupBy(kin, (each) => each.product))
    warn(
      'unnamed-photo',
      names[0]?.image ?? '',
      `No product names ${listed(names.map(({ image }) => image))}, which looks like a photo of "${product}". Add it to the \`images\` there, or move it.`,
    );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const more = names.length - MOST_NAMES;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
