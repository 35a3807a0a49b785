import type { Product as ProductEntry } from './generated/campaign-document.js';
import { type Environments, NO_ENVIRONMENT, readKnownId } from './known-id.ts';
import { type ImageScope, listImages } from './list-images.ts';
import type { ImageSource, Product } from './manifest.ts';
import type { ProductFolder } from './product-folders.ts';

interface Scope {
  readonly defaults: { readonly description?: string; readonly variant?: string };
  readonly environments: Environments;
  readonly images: ImageScope;
}

/** Default of manifest version 1. */
const VARIANT = 'product_with_label';

type Folders = ReadonlyMap<string, ProductFolder>;

export async function readProducts(
  entries: Readonly<Record<string, ProductEntry>>,
  folders: readonly ProductFolder[],
  scope: Scope,
): Promise<Product[]> {
  const byKey = new Map(folders.map((folder) => [folder.key, folder]));
  const products: Product[] = [];
  for (const key of new Set([...byKey.keys(), ...Object.keys(entries)])) {
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    products.push(await readProduct({ key, byKey, entry }, scope));
  }
  return products;
}

async function readProduct(
  { key, byKey, entry }: { key: string; byKey: Folders; entry: ProductEntry | undefined },
  { defaults, environments, images: scope }: Scope,
): Promise<Product> {
  const { problems } = scope;
  const folder = byKey.get(key);
  const source = entry ? `#/products/${key}` : (folder?.writtenSource ?? folder?.source ?? '#/products');
  const written = { ...defaults, ...folder?.written, ...entry };
  const { name = key, description, variant = VARIANT } = written;
  const id = readKnownId(entry?.id, { source, environments, problems });
  const images = await readImages(key, { entry, folder }, scope);
  const someId = environments.chosen === NO_ENVIRONMENT ? entry?.id : id;
  if (images === undefined && someId === undefined && !problems.isBroken(`#/products/${key}`)) {
    const where = entry?.id === undefined ? '' : ` and, in the environment "${environments.chosen}", no id`;
    const orFolder = byKey.size === 0 ? '' : ', or give it the key of a product folder';
    const hint =
      (entry && problems.didYouMean(key, () => byKey.keys())) ||
      ` Name a folder, a file or an address under \`images:\`${orFolder}.`;
    const detail = `The product "${key}" has no image${where}: there is nothing to make pictures from.${hint}`;
    problems.add({ code: 'missing-images', detail, source, part: 'key' });
  }
  return {
    key,
    name,
    ...(description === undefined ? {} : { description }),
    variant,
    images: images ?? [],
    ...(id === undefined ? {} : { id }),
    source,
  };
}

/** Images of the entry, else of product.yaml (relative to it), else of the folder; undefined without any. */
async function readImages(
  key: string,
  { entry, folder }: { entry: ProductEntry | undefined; folder: ProductFolder | undefined },
  scope: ImageScope,
): Promise<ImageSource[] | undefined> {
  if (entry?.images !== undefined)
    return listImages(entry.images, { source: `#/products/${key}/images`, base: '.', scope });
  if (!folder) return undefined;
  const { folder: base, source, written, writtenSource = '' } = folder;
  if (written?.images === undefined) return listImages(base, { source, base: '.', scope });
  return listImages(written.images, { source: `${writtenSource}/images`, base, scope });
}
