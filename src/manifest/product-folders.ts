import type { Dirent } from 'node:fs';
import path from 'node:path';
import type { SourceRef } from '../model/source.ts';
import { checkSchema } from '../document/check-schema.ts';
import type { ProductFile } from './generated/product-document.js';
import { hasExpression } from './expressions.ts';
import { fillVariables } from './fill-variables.ts';
import { validateProduct } from './generated/validate.js';
import { inOrderOfNames, isImageName } from './image-names.ts';
import { type ImageScope, isGlob, statOf } from './list-images.ts';
import { isPassedOver, membersOf } from './list-members.ts';
import { matchGlobPaths } from './match-glob-paths.ts';
import { type Reading, readYaml } from '../document/read-yaml.ts';
import type { OwnOutputs } from './own-outputs.ts';
import { isOwnOutput, leaves, linkLeaves, whyClosed, whyOddName } from './path-problems.ts';
import type { Why } from '../document/problems.ts';
import { slug } from '../util/slug.ts';
import type { Variables } from './variables.ts';

export interface ProductFolder {
  readonly key: string;
  /** Relative to the manifest's folder. */
  readonly folder: string;
  /** The glob that matches it. */
  readonly source: SourceRef;
  /** What its product.yaml says, if there is one. */
  readonly written?: ProductFile;
  readonly writtenSource?: SourceRef;
}

interface Scope {
  readonly reading: Reading;
  readonly images: ImageScope;
  readonly variables: Variables;
  /** As the user gave it. */
  readonly manifestFile: string;
  /** Names of variables that a product.yaml uses are added here. */
  readonly used: Set<string>;
}

/** The folders that `product_folders` matches, in the order of the globs and of their names. */
export async function readProductFolders(globs: readonly string[], scope: Scope): Promise<ProductFolder[]> {
  const folders = new Map<string, ProductFolder>();
  const seen = new Set<string>();
  for (const [index, glob] of globs.entries()) {
    const source = `#/product_folders/${index}`;
    for (const folder of await matchFolders(glob, source, scope.images)) {
      const key = slug(path.basename(folder));
      const same = folders.get(key);
      if (seen.has(folder)) continue;
      seen.add(folder);
      const detail = `The folders "${same?.folder}" and "${folder}" would both be the product "${key}", and its photos would be mixed up. Rename one of them.`;
      if (same) scope.images.problems.add({ code: 'duplicate-slug', detail, source });
      else folders.set(key, { key, folder, source, ...(await readProductFile(folder, source, scope)) });
    }
  }
  return [...folders.values()];
}

async function matchFolders(glob: string, source: SourceRef, scope: ImageScope): Promise<string[]> {
  const { folder, sandbox, problems } = scope;
  if (glob.includes('${{')) return [];
  if (!sandbox.staysInside(glob)) {
    problems.add({ ...leaves(glob), source });
    return [];
  }
  const isOne = !isGlob(glob) || statOf(path.resolve(folder, glob)) !== undefined;
  const found = isOne ? findOne(glob, scope) : await findAll(glob, scope);
  for (const problem of found.problems) problems.add({ ...problem, source });
  const inside = found.folders.filter((match) => {
    if (sandbox.leadsInside(match, 'link')) return true;
    problems.add({ ...linkLeaves(path.relative(folder, match)), source });
    return false;
  });
  return inside.map((match) => path.relative(folder, match)).sort(inOrderOfNames);
}

/** Absolute paths, and the problems of the pattern. */
interface Found {
  readonly folders: readonly string[];
  readonly problems: readonly Why[];
}

function findOne(written: string, { folder, outputs }: ImageScope): Found {
  const at = path.resolve(folder, written);
  const stats = statOf(at);
  if (!stats?.isDirectory()) {
    const closed = stats ? undefined : whyClosed(written, at);
    return closed ? none(closed) : nothing(written, { isFile: stats !== undefined });
  }
  const made = outputs.ofFolder(at);
  if (made?.by === 'this') return none(isOwnOutput(written, made.why));
  if (!isShelf(at)) return { folders: [at], problems: [] };
  const meant = path.posix.join(written, '*');
  const detail = `The folder "${written}" holds folders and no photo, and every entry of \`product_folders\` stands for products. Did you mean "${meant}", so that each folder in it is one?`;
  return none({ code: 'no-images', detail });
}

async function findAll(glob: string, { folder, outputs }: ImageScope): Promise<Found> {
  const { paths, unread } = await matchGlobPaths(glob, { cwd: folder, wanted: 'all' });
  const matches = paths.map((match) => match.fullpath());
  const problems = [
    ...unread.filter((one) => !outputs.ofFolder(one.folder)).map(({ why }) => why),
    ...matches.flatMap((match) => {
      if (statOf(match)) return [];
      return whyOddName(match) ?? whyClosed(path.relative(folder, match), match) ?? [];
    }),
  ];
  const folders = matches.filter((match) => statOf(match)?.isDirectory());
  const kept = folders.filter(
    (match) =>
      !isPassedOver(match, { kind: 'folder', entry: glob, cwd: folder }, outputs) &&
      !holdsOnlyOutputs(match, outputs),
  );
  if (kept.length || problems.length) return { folders: kept, problems };
  return nothing(glob, { isFile: matches.length > folders.length, isOutput: folders.length > 0 });
}

function nothing(pattern: string, { isFile, isOutput }: { isFile: boolean; isOutput?: boolean }): Found {
  const files = isFile ? ' Only files match, and a product is a folder of photos.' : '';
  const results = isOutput ? ' What matches are folders of results, and they are no photos.' : '';
  const detail = `No folder matches "${pattern}".${results || files} Check the spelling, and that the photos are there.`;
  return none({ code: 'no-match', detail });
}

function none(why: Why): Found {
  return { folders: [], problems: [why] };
}

/** Whether a folder holds only results, at any depth: the parent of an output folder is no product. */
function holdsOnlyOutputs(folder: string, outputs: OwnOutputs): boolean {
  const members = (membersOf(folder) ?? []).filter(({ name }) => !name.startsWith('.'));
  const isOutput = (member: Dirent) => {
    const file = path.join(folder, member.name);
    if (!member.isDirectory()) return outputs.ofFile(file, 'link') !== undefined;
    return outputs.ofFolder(file) !== undefined || holdsOnlyOutputs(file, outputs);
  };
  return members.length > 0 && members.every(isOutput);
}

/** A folder of folders of photos, without a photo or a product.yaml of its own. */
function isShelf(folder: string): boolean {
  const members = membersOf(folder) ?? [];
  if (members.some(({ name }) => isImageName(name) || name === 'product.yaml')) return false;
  const below = members.filter((member) => member.isDirectory() && !member.name.startsWith('.'));
  return below.some(({ name }) => membersOf(path.join(folder, name))?.some((one) => isImageName(one.name)));
}

async function readProductFile(
  folder: string,
  found: SourceRef,
  { reading, images, variables, manifestFile, used }: Scope,
) {
  const ref = path.posix.join(folder, 'product.yaml');
  const file = path.resolve(images.folder, ref);
  const source = `${ref}#`;
  if (!statOf(file)) return {};
  if (!images.sandbox.leadsInside(file, 'link')) {
    images.problems.add({ ...linkLeaves(ref), source: found });
    return {};
  }
  const shownAs = path.join(path.dirname(manifestFile), ref);
  const value = await readYaml({ path: file, shownAs, ref, found }, reading);
  if (value === undefined) return {};
  const { problems } = images;
  const check = { validate: validateProduct, source, problems, isOpen: hasExpression };
  const written = checkSchema(value ?? {}, check);
  if (!written) return {};
  const filled = fillVariables(written, { source, variables, matrixKeys: new Map(), problems });
  for (const name of filled.usedVariables) used.add(name);
  const whole = filled.value === written ? written : checkSchema(filled.value, check);
  return whole ? { written: whole, writtenSource: source } : {};
}
