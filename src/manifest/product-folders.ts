import path from 'node:path';
import type { SourceRef } from '../model/source.ts';
import { checkSchema } from './check-schema.ts';
import type { ProductFile } from './document.ts';
import { fillVariables } from './fill-variables.ts';
import { validateProduct } from './generated/validate.js';
import { inOrderOfNames } from './image-names.ts';
import { leavesText, linkLeavesText } from './fence.ts';
import { type ImageScope, isGlob, statOf } from './list-images.ts';
import { type Reading, readYaml } from './read-yaml.ts';
import { slug } from './slug.ts';
import type { Variables } from './variables.ts';

/** A folder that is a product. */
export interface ProductFolder {
  readonly key: string;
  /** Relative to the manifest's folder. */
  readonly folder: string;
  /** The glob that found it. */
  readonly source: SourceRef;
  /** What its product.yaml says, where it has one. */
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

/** The folders that `product_folders` names, in the order of the globs and of their names. */
export async function readProductFolders(globs: readonly string[], scope: Scope): Promise<ProductFolder[]> {
  const byPath = new Map<string, SourceRef>();
  for (const [index, glob] of globs.entries()) {
    const source = `#/product_folders/${index}`;
    for (const folder of await matchFolders(glob, source, scope.images)) {
      if (!byPath.has(folder)) byPath.set(folder, source);
    }
  }
  const folders = new Map<string, ProductFolder>();
  for (const [folder, source] of byPath) {
    const key = slug(path.basename(folder));
    const same = folders.get(key);
    if (same) {
      const detail = `The folders "${same.folder}" and "${folder}" would both be the product "${key}", and its photos would be mixed up. Rename one of them.`;
      scope.images.problems.add({ code: 'duplicate-slug', detail, source });
    } else folders.set(key, { key, folder, source, ...(await readProductFile(folder, source, scope)) });
  }
  return [...folders.values()];
}

async function matchFolders(
  glob: string,
  source: SourceRef,
  { folder, fence, problems }: ImageScope,
): Promise<string[]> {
  if (glob.includes('${{')) return [];
  if (!fence.staysInside(glob)) {
    problems.add({ code: 'outside-folder', detail: leavesText(glob), source });
    return [];
  }
  const matches = await matchPaths(glob, folder);
  const folders = matches.filter((match) => statOf(path.resolve(folder, match))?.isDirectory());
  if (folders.length === 0) {
    const isFile = matches.some((match) => statOf(path.resolve(folder, match)));
    const files = isFile ? ' Only files match, and a product is a folder of photos.' : '';
    const detail = `No folder matches "${glob}".${files} Check the spelling, and that the photos are there.`;
    problems.add({ code: 'no-match', detail, source });
  }
  const inside = folders.filter((match) => {
    if (fence.leadsInside(path.resolve(folder, match), 'link')) return true;
    problems.add({ code: 'outside-folder', detail: linkLeavesText(match), source });
    return false;
  });
  return inside.map((match) => path.relative(folder, path.resolve(folder, match))).sort(inOrderOfNames);
}

async function matchPaths(pattern: string, cwd: string): Promise<string[]> {
  if (!isGlob(pattern) || statOf(path.resolve(cwd, pattern))) return [pattern];
  const { glob } = await import('glob');
  return glob(pattern, { cwd, posix: true });
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
  if (!images.fence.leadsInside(file, 'link')) {
    images.problems.add({ code: 'outside-folder', detail: linkLeavesText(ref), source: found });
    return {};
  }
  const shownAs = path.join(path.dirname(manifestFile), ref);
  const value = await readYaml({ path: file, shownAs, ref, found }, reading);
  if (value === undefined) return {};
  const check = { validate: validateProduct, source, problems: images.problems };
  const written = checkSchema(value ?? {}, check);
  if (!written) return {};
  const filled = fillVariables(written, {
    source,
    variables,
    matrixKeys: new Map(),
    problems: images.problems,
  });
  for (const name of filled.usedVariables) used.add(name);
  const whole = checkSchema(filled.value, check);
  return whole ? { written: whole, writtenSource: source } : {};
}
