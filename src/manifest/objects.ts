import type { Problems } from '../document/problems.ts';
import { EMULATOR } from '../model/emulator.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { defined } from '../util/defined.ts';
import { someOf } from '../util/did-you-mean.ts';
import { type Environments, NO_ENVIRONMENT } from './environment.ts';
import type {
  CampaignDocument,
  Concept as ConceptEntry,
  KnownId,
  Product as ProductEntry,
} from './generated/campaign-document.js';
import { type ImageScope, listImages } from './list-images.ts';
import type { Concept, ImageSource, Product } from './manifest.ts';
import type { ProductFolder } from './product-folders.ts';
import type { TableProduct } from './product-tables.ts';
import { textsOf, type Texts } from './texts.ts';

interface Scope {
  readonly environments: Environments;
  readonly images: ImageScope;
}

interface ProductScope extends Scope {
  readonly defaults: { readonly description?: string; readonly variant?: string };
}

/** Default of manifest version 1. */
const VARIANT = 'product_with_label';

/** Where products come from. */
interface Sources {
  readonly entries: Readonly<Record<string, ProductEntry>>;
  readonly folders: readonly ProductFolder[];
  readonly rows: ReadonlyMap<string, TableProduct>;
}

export async function readProducts(
  { entries, folders, rows }: Sources,
  scope: ProductScope,
): Promise<{ products: Product[]; texts: ReadonlyMap<string, Texts> }> {
  const byKey = new Map(folders.map((folder) => [folder.key, folder]));
  const written = new Map(
    Object.entries(entries).map(([key, entry]) => [key, { entry, at: `#/products/${key}` }]),
  );
  const products: Product[] = [];
  const texts = new Map<string, Texts>();
  const imageless = new Set<string>();
  for (const key of new Set([...byKey.keys(), ...rows.keys(), ...written.keys()])) {
    const layers = { ...written.get(key), row: rows.get(key), folder: byKey.get(key) };
    const product = await readProduct({ key, byKey, imageless, ...layers }, scope);
    products.push(product);
    texts.set(key, productTexts(product, layers));
  }
  const more = imageless.size - MOST_ROWS;
  const detail = `${more.toLocaleString('en')} more rows name no image. Photos may also be in product folders that are called like the keys.`;
  if (more > 0)
    scope.images.problems.add({ code: 'missing-images', detail, source: '#/product_tables', part: 'key' });
  return { products, texts };
}

/** Further rows of a table without an image are counted. */
const MOST_ROWS = 20;

function productTexts(
  { name, defaultName = name, description }: Product,
  { entry, row, folder }: Pick<Layers, 'entry' | 'row' | 'folder'>,
): Texts {
  return textsOf({ name: defaultName, description, vars: [entry?.vars, folder?.written?.vars], row });
}

/** What is said of one product; the first that says something counts. */
interface Layers {
  readonly entry?: ProductEntry;
  /** Of the entry. */
  readonly at?: SourceRef;
  readonly row: TableProduct | undefined;
  readonly folder: ProductFolder | undefined;
}

interface Found {
  readonly key: string;
  readonly byKey: ReadonlyMap<string, ProductFolder>;
  /** Keys of rows that name no image are added here. */
  readonly imageless: Set<string>;
}

async function readProduct(
  { key, byKey, imageless, ...layers }: Layers & Found,
  { defaults, environments, images: scope }: ProductScope,
): Promise<Product> {
  const { problems } = scope;
  const { entry, at = '', row, folder } = layers;
  const source = entry ? at : (row?.source ?? folder?.writtenSource ?? folder?.source ?? '#/products');
  const { name: rowName, description: rowDescription, service_id } = row?.fields ?? {};
  const said = defined({ name: rowName, description: rowDescription });
  const written = { ...defaults, ...folder?.written, ...said, ...entry };
  const { name = key, description, variant = VARIANT } = written;
  const id = readKnownId(entry?.id ?? service_id, { source, environments, problems });
  const images = await readImages(layers, scope);
  const anyId = entry?.id ?? service_id;
  const someId = environments.chosen === NO_ENVIRONMENT ? anyId : id;
  const isUnread = ['#/product_tables', '#/product_folders'].some((from) => problems.isBroken(from));
  if (images === undefined && someId === undefined && !problems.isBroken(at) && !(entry && isUnread)) {
    if (row && imageless.add(key).size > MOST_ROWS) return { key, name, variant, images: [], source };
    const where = anyId === undefined ? '' : ` and, in the environment "${environments.chosen}", no id`;
    const orFolder = byKey.size === 0 ? '' : ', or give it the key of a product folder';
    const hint =
      (entry && problems.didYouMean(key, () => byKey.keys())) ||
      ` Name a folder, a file or an address under \`images:\`${orFolder}.`;
    const detail = `The product "${key}" has no image${where}: there is nothing to make pictures from.${hint}`;
    problems.add({ code: 'missing-images', detail, source, part: 'key' });
  }
  const defaultName = written.name === undefined ? (folder?.name ?? row?.keyAsWritten) : undefined;
  const known = defined({ defaultName, description, id });
  return { key, name, ...known, variant, images: images ?? [], source };
}

/** Shops put `|`, line ends or commas between addresses; a comma is also part of file names, so it counts before an address only. */
const BETWEEN_IMAGES = /[|\n]|[,;]\s*(?=https?:\/\/)/;

/** Images of the entry, else of the table or of product.yaml (relative to these), else of the folder; undefined without any. */
async function readImages(
  { entry, at = '', row, folder }: Layers,
  scope: ImageScope,
): Promise<ImageSource[] | undefined> {
  if (entry?.images !== undefined)
    return listImages(entry.images, { source: memberOf(at, 'images'), base: '.', scope });
  if (row?.fields.images !== undefined) {
    const images = row.fields.images.split(BETWEEN_IMAGES).map((image) => image.trim());
    return listImages(images.filter(Boolean), {
      source: row.sourceOf('images') ?? row.source,
      base: row.base,
      scope,
    });
  }
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

export function conceptTexts(entries: Readonly<Record<string, ConceptEntry>>): ReadonlyMap<string, Texts> {
  return new Map(
    Object.entries(entries).map(([key, { name = key, description, vars }]) => [
      key,
      textsOf({ name, description, vars: [vars] }),
    ]),
  );
}

/** The keys of products and concepts with the ids that the manifest itself gives them in the chosen environment. */
export function knownIds(
  { products = {}, concepts = {} }: CampaignDocument,
  scope: { readonly environments: Environments; readonly problems: Problems },
) {
  const all = (entries: Readonly<Record<string, ProductEntry | ConceptEntry>>, member: string) =>
    Object.entries(entries).map(([key, { id }]) => {
      const source = memberOf(member, key);
      return { key, ...defined({ id: readKnownId(id, { source, ...scope }) }) };
    });
  return { products: all(products, '#/products'), concepts: all(concepts, '#/concepts') };
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
