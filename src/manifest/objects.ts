import type { Problems } from '../document/problems.ts';
import { EMULATOR } from '../model/emulator.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { defined } from '../util/defined.ts';
import { someOf } from '../util/did-you-mean.ts';
import { type Environments, NO_ENVIRONMENT } from './environment.ts';
import type {
  Concept as ConceptEntry,
  KnownId,
  Product as ProductEntry,
} from './generated/campaign-document.js';
import { type ImageScope, listImages } from './list-images.ts';
import type { Concept, ImageSource, Product } from './manifest.ts';
import type { ProductFolder } from './product-folders.ts';

interface Scope {
  readonly environments: Environments;
  readonly images: ImageScope;
}

interface ProductScope extends Scope {
  readonly defaults: { readonly description?: string; readonly variant?: string };
}

/** Default of manifest version 1. */
const VARIANT = 'product_with_label';

/** `aliases` are keys of folders that an entry may have instead of the present ones. */
export async function readProducts(
  entries: Readonly<Record<string, ProductEntry>>,
  folders: readonly ProductFolder[],
  { aliases, ...scope }: ProductScope & { readonly aliases: ReadonlyMap<string, string> },
): Promise<Product[]> {
  const byKey = new Map(folders.map((folder) => [folder.key, folder]));
  const written = new Map(
    Object.entries(entries).map(([as, entry]) => [aliases.get(as) ?? as, { entry, at: `#/products/${as}` }]),
  );
  const products: Product[] = [];
  for (const key of new Set([...byKey.keys(), ...written.keys()]))
    products.push(await readProduct({ key, byKey, ...written.get(key) }, scope));
  return products;
}

interface Layers {
  readonly key: string;
  readonly byKey: ReadonlyMap<string, ProductFolder>;
  readonly entry?: ProductEntry;
  /** Of the entry. */
  readonly at?: SourceRef;
}

async function readProduct(
  { key, byKey, entry, at = '' }: Layers,
  { defaults, environments, images: scope }: ProductScope,
): Promise<Product> {
  const { problems } = scope;
  const folder = byKey.get(key);
  const source = entry ? at : (folder?.writtenSource ?? folder?.source ?? '#/products');
  const written = { ...defaults, ...folder?.written, ...entry };
  const { name = key, description, variant = VARIANT } = written;
  const id = readKnownId(entry?.id, { source, environments, problems });
  const images = await readImages({ entry, at, folder }, scope);
  const someId = environments.chosen === NO_ENVIRONMENT ? entry?.id : id;
  if (images === undefined && someId === undefined && !problems.isBroken(at)) {
    const where = entry?.id === undefined ? '' : ` and, in the environment "${environments.chosen}", no id`;
    const orFolder = byKey.size === 0 ? '' : ', or give it the key of a product folder';
    const hint =
      (entry && problems.didYouMean(key, () => byKey.keys())) ||
      ` Name a folder, a file or an address under \`images:\`${orFolder}.`;
    const detail = `The product "${key}" has no image${where}: there is nothing to make pictures from.${hint}`;
    problems.add({ code: 'missing-images', detail, source, part: 'key' });
  }
  const folderName = written.name === undefined ? folder?.name : undefined;
  const known = defined({ folderName, formerKeys: folder?.formerKeys, description, id });
  return { key, name, ...known, variant, images: images ?? [], source };
}

/** Images of the entry, else of product.yaml (relative to it), else of the folder; undefined without any. */
async function readImages(
  {
    entry,
    at,
    folder,
  }: { entry: ProductEntry | undefined; at: SourceRef; folder: ProductFolder | undefined },
  scope: ImageScope,
): Promise<ImageSource[] | undefined> {
  if (entry?.images !== undefined)
    return listImages(entry.images, { source: memberOf(at, 'images'), base: '.', scope });
  if (!folder) return undefined;
  const { folder: base, source, written, writtenSource = '' } = folder;
  if (written?.images === undefined) return listImages(base, { source, base: '.', scope });
  return listImages(written.images, { source: `${writtenSource}/images`, base, scope });
}

export async function readConcepts(
  entries: Readonly<Record<string, ConceptEntry>>,
  { environments, images }: Scope,
): Promise<Concept[]> {
  const concepts: Concept[] = [];
  for (const [key, entry] of Object.entries(entries)) {
    const source = `#/concepts/${key}`;
    const { name = key, description, ref_images = [] } = entry;
    const id = readKnownId(entry.id, { source, environments, problems: images.problems });
    const at = memberOf(source, 'ref_images');
    const refImages = await listImages(ref_images, { source: at, base: '.', scope: images });
    concepts.push({ key, name, ...defined({ description, id }), refImages, source });
  }
  return concepts;
}

/** The id that an object has in the chosen environment; a bare id holds everywhere but in the emulator. */
function readKnownId(
  id: KnownId | undefined,
  { source, environments, problems }: { source: SourceRef; environments: Environments; problems: Problems },
): string | undefined {
  const { chosen, known: named, complete } = environments;
  if (typeof id !== 'object')
    return chosen === NO_ENVIRONMENT || chosen === EMULATOR ? undefined : id?.toLowerCase();
  const known = [...named, EMULATOR, 'default'];
  for (const name of complete ? Object.keys(id) : []) {
    if (known.includes(name)) continue;
    const hint = problems.didYouMean(name, () => known) || ` Known environments: ${someOf(known)}.`;
    const detail = `There is no environment "${name}", so this id would never be used.${hint}`;
    const at = memberOf(source, 'id', name);
    problems.add({ code: 'unknown-id-environment', detail, source: at, part: 'key' });
  }
  return Object.hasOwn(id, chosen) ? id[chosen]?.toLowerCase() : undefined;
}
