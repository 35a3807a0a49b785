import { writtenIn } from '../document/locate.ts';
import path from 'node:path';
import { memberOf, type SourceRef } from '../model/source.ts';
import { checkSchema } from '../document/check-schema.ts';
import { isSurelySecret } from '../document/cover-secrets.ts';
import { secretDetail } from '../document/schema-problems.ts';
import type { ProductFile } from './generated/product-document.js';
import { hasExpression } from './expressions.ts';
import { folderKeys } from './folder-keys.ts';
import { fillVariables } from './fill-variables.ts';
import { validateProduct } from './generated/validate.js';
import { isImageName, isLeftBySystem } from './image-names.ts';
import { type ImageScope, inOrderOfNames, isGlob, isPassedOver, membersOf, statOf } from './list-images.ts';
import { realOf } from './path-sandbox.ts';
import { bracketsMeant, matchGlobPaths } from './match-glob-paths.ts';
import { type Reading, readYaml } from '../document/read-yaml.ts';
import { isOwnOutput, leaves, linkLeaves, whyClosed, whyOddName } from './path-problems.ts';
import type { Why } from '../document/problems.ts';
import type { Disk, Entry } from '../util/disk.ts';
import { createSlug } from '../util/slug.ts';
import { createSpelling } from './spelled-names.ts';
import type { Variables } from './variables.ts';

export interface ProductFolder {
  readonly key: string;
  /** Of the folder, in composed characters, so that one checkout of git has the name that another has. */
  readonly name: string;
  /** Relative to the manifest's folder. */
  readonly folder: string;
  readonly source: SourceRef;
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
  const found = new Map<string, { readonly name: string; readonly source: SourceRef }>();
  for (const [index, glob] of globs.entries()) {
    const source = `#/product_folders/${index}`;
    for (const folder of await matchFolders(glob, source, scope.images)) {
      const name = path.basename(folder).normalize('NFC');
      if (!found.has(folder)) found.set(folder, { name, source });
    }
  }
  const names = new Set([...found.values()].map(({ name }) => name));
  const keys = folderKeys([...names], await createSlug(names));
  const folders = new Map<string, ProductFolder>();
  for (const [folder, { name, source }] of found) {
    const key = keys.get(name) ?? name;
    const same = folders.get(key);
    const detail = `The folders "${same?.folder}" and "${folder}" would both be the product "${key}", and its photos would be mixed up. Rename one of them.`;
    if (same) scope.images.problems.add({ code: 'duplicate-slug', detail, source });
    else folders.set(key, { key, name, folder, source, ...readProductFile(folder, source, scope) });
  }
  return [...folders.values()];
}

async function matchFolders(glob: string, source: SourceRef, scope: ImageScope): Promise<string[]> {
  const { disk, folder, sandbox, problems } = scope;
  const refuse = (why: Why): string[] => {
    problems.add({ ...why, source });
    return [];
  };
  if (glob.includes('${{')) return [];
  if (!sandbox.staysInside(glob)) return refuse(leaves(glob));
  const isOne = !isGlob(glob) || statOf(disk, path.resolve(folder, glob)) !== undefined;
  const found = isOne ? findOne(glob, scope, refuse) : await findAll(glob, scope, refuse);
  return found
    .flatMap((match) => {
      const name = path.relative(folder, match);
      return sandbox.leadsInside(match) ? [name] : refuse(linkLeaves(name));
    })
    .sort(inOrderOfNames);
}

type Refuse = (why: Why) => string[];

function findOne(written: string, { disk, folder, outputs }: ImageScope, refuse: Refuse): string[] {
  const at = createSpelling(disk).onDisk(path.resolve(folder, written));
  const stats = statOf(disk, at);
  if (!stats) return refuse(whyClosed(disk, written, at) ?? noFolder(written, ''));
  if (stats.type !== 'folder') return refuse(noFolder(written, ONLY_FILES));
  const made = outputs.ofFolder(at);
  if (made?.by === 'this') return refuse(isOwnOutput(written, made.why));
  if (!isShelf(disk, at)) return [at];
  const meant = path.posix.join(written, '*');
  const detail = `The folder "${written}" holds folders and no photo, and every entry of \`product_folders\` stands for products. Did you mean "${meant}", so that each folder in it is one?`;
  return refuse({ code: 'no-images', detail });
}

async function findAll(glob: string, scope: ImageScope, refuse: Refuse): Promise<string[]> {
  const { disk, folder, outputs } = scope;
  const { unread, bracketed, ...found } = await matchGlobPaths(disk, glob, { cwd: folder, wanted: 'all' });
  const matches = found.matches.map(({ file }) => file);
  const problems = [
    ...unread.filter((one) => !outputs.ofFolder(one.folder)).map(({ why }) => why),
    ...matches.flatMap((match) => {
      if (statOf(disk, match)) return [];
      return whyOddName(disk, match) ?? whyClosed(disk, path.relative(folder, match), match) ?? [];
    }),
  ];
  problems.forEach(refuse);
  const folders = matches.filter((match) => disk.stat(match).type === 'folder');
  const kept = folders.filter((match) => {
    const made = outputs.ofFolder(match);
    return !isPassedOver(made, { entry: glob, cwd: folder, outputs }) && !holdsOnlyOutputs(match, scope);
  });
  if (kept.length || problems.length) return kept;
  if (folders.length) return refuse(noFolder(glob, ONLY_RESULTS));
  return refuse(noFolder(glob, matches.length ? ONLY_FILES : bracketsMeant(bracketed)));
}

const ONLY_FILES = ' Only files match, and a product is a folder of photos.';
const ONLY_RESULTS = ' What matches are folders of results, and they are no photos.';

function noFolder(pattern: string, what: string): Why {
  const detail = `No folder matches "${pattern}".${what} Check the spelling, and that the photos are there.`;
  return { code: 'no-match', detail };
}

function holdsOnlyOutputs(folder: string, scope: ImageScope): boolean {
  const { disk, outputs } = scope;
  const members = (membersOf(disk, folder) ?? []).filter(
    ({ name }) => !name.startsWith('.') && !isLeftBySystem(name),
  );
  const isOutput = (member: Entry) => {
    const file = path.join(folder, member.name);
    const real = member.type === 'link' ? undefined : path.join(realOf(disk, folder), member.name);
    if (member.type !== 'folder') return outputs.ofFile(file, real) !== undefined;
    return outputs.ofFolder(file) !== undefined || holdsOnlyOutputs(file, scope);
  };
  return members.length > 0 && members.every(isOutput);
}

/** A folder of folders of photos, without a photo or a product.yaml of its own. */
function isShelf(disk: Disk, folder: string): boolean {
  const members = membersOf(disk, folder) ?? [];
  if (members.some(({ name }) => isImageName(name) || name === 'product.yaml')) return false;
  const below = members.filter(
    ({ name, type }) => type === 'folder' && !name.startsWith('.') && !isLeftBySystem(name),
  );
  return below.some(({ name }) =>
    membersOf(disk, path.join(folder, name))?.some((one) => isImageName(one.name)),
  );
}

function readProductFile(
  folder: string,
  found: SourceRef,
  { reading, images, variables, manifestFile, used }: Scope,
) {
  const ref = path.posix.join(folder, 'product.yaml');
  const file = path.resolve(images.folder, ref);
  const source = `${ref}#`;
  if (!statOf(images.disk, file)) return {};
  if (!images.sandbox.leadsInside(file)) {
    images.problems.add({ ...linkLeaves(ref), source: found });
    return {};
  }
  const shownAs = path.join(path.dirname(manifestFile), ref);
  const value = readYaml({ path: file, shownAs, ref, found, texts: { vars: { '*': 'texts' } } }, reading);
  if (value === undefined) return {};
  const { problems } = images;
  const written = writtenIn(reading.files);
  const check = { validate: validateProduct, source, problems, isOpen: hasExpression, written };
  const product = checkSchema(value ?? {}, check);
  if (!product) return {};
  for (const key of Object.keys(product.vars ?? {}).filter(isSurelySecret)) {
    const at = memberOf(source, 'vars', key);
    problems.add({ code: 'secret-in-manifest', detail: secretDetail(key), source: at, part: 'key' });
  }
  const filled = fillVariables(product, { source, variables, matrixKeys: new Map(), problems });
  for (const name of filled.usedVariables) used.add(name);
  const whole = filled.value === product ? product : checkSchema(filled.value, check);
  return whole ? { written: whole, writtenSource: source } : {};
}
