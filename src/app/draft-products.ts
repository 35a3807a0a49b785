/** The part of a first manifest that says what its products are: from photos that were found, without those that `validate` would refuse. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ImageProblem } from '../files/read-image.ts';
import type { LooseProduct, PassedOver, PhotoFolder } from '../manifest/find-photos.ts';
import { folderKeys } from '../manifest/folder-keys.ts';
import type { Product } from '../manifest/manifest.ts';
import type { FirstManifest } from '../render/manifest-text.ts';
import { createSlug, type Slug } from '../util/slug.ts';
import { whyRefused } from './refused-photos.ts';

/** Paths are relative to the manifest's folder. */
export interface TakenPhotos {
  /** Each a product; `only` where not all of its photos can be taken. */
  readonly folders: readonly (PhotoFolder & { readonly only?: readonly string[] })[];
  readonly loose: readonly LooseProduct[];
  /** Rows of a table not all of whose photos can be taken. */
  readonly rows: readonly { readonly key: string; readonly images: readonly string[] }[];
}

export interface ProductsDraft extends Pick<FirstManifest, 'products'> {
  /** The keys of `folders` and of `loose`, in their order. */
  readonly folderKeys: readonly string[];
  readonly looseKeys: readonly string[];
}

/** `reserved` are keys that others have already. */
export async function draftProducts(
  { folders, loose, rows }: TakenPhotos,
  reserved: readonly string[] = [],
): Promise<ProductsDraft> {
  const names = loose.map(({ name }) => name);
  const folderNames = folders.map((folder) => path.basename(folder.path).normalize('NFC'));
  const slug = await createSlug([...names, ...folderNames]);
  const keysByName = folderKeys([...new Set(folderNames)], slug);
  const ofFolders = folderNames.map((name) => keysByName.get(name) ?? name);
  const looseKeys = keysOf(names, new Set([...reserved, ...ofFolders]), slug);
  const products = [
    ...rows,
    ...folders.flatMap(({ only }, index) => (only ? [{ key: ofFolders[index] ?? '', images: only }] : [])),
    ...loose.map((each, index) => ({ ...each, key: looseKeys[index] ?? each.name })),
  ];
  return { products, folderKeys: ofFolders, looseKeys };
}

/** The same without photos that are refused; `hopeless` are products of a table that have no other. */
export function withoutRefused(
  taken: TakenPhotos,
  {
    draft,
    products,
    refused,
  }: {
    readonly draft: ProductsDraft;
    /** As the manifest of the draft has them. */
    readonly products: readonly Product[];
    readonly refused: readonly ImageProblem[];
  },
): {
  readonly taken: TakenPhotos;
  readonly leftOut: readonly PassedOver[];
  readonly hopeless: readonly Product[];
} {
  const bad = new Set(refused.map(({ file }) => file));
  const namesOf = ({ images }: Product) => images.map((image) => ('file' in image ? image.file : image.url));
  const spoilt = products.filter((product) => namesOf(product).some((name) => bad.has(name)));
  const sound = new Map(spoilt.map((one) => [one.key, namesOf(one).filter((name) => !bad.has(name))]));
  const folders = taken.folders.flatMap((folder, index) => {
    const only = sound.get(draft.folderKeys[index] ?? '');
    if (!only) return [folder];
    return only.length ? [{ ...folder, only }] : [];
  });
  const loose = taken.loose.flatMap((product, index) => {
    const images = sound.get(draft.looseKeys[index] ?? '') ?? product.images;
    return images.length ? [{ ...product, images }] : [];
  });
  const others = spoilt.filter(({ key }) => ![...draft.folderKeys, ...draft.looseKeys].includes(key));
  const rows = others.map(({ key }) => ({ key, images: sound.get(key) ?? [] }));
  return {
    taken: { folders, loose, rows: rows.filter(({ images }) => images.length > 0) },
    leftOut: refused.map((problem) => ({ path: problem.file, why: whyRefused(problem) })),
    hopeless: others.filter(({ key }) => sound.get(key)?.length === 0),
  };
}

/** A key for each name; one that is taken, or nothing that can be a key, gets a piece of the name's SHA-256. */
function keysOf(names: readonly string[], taken: Set<string>, slug: Slug): string[] {
  return names.map((name) => {
    const key = usableKey(name, slug);
    const free = key !== undefined && !taken.has(key) ? key : `${key?.slice(0, 33) ?? 'x'}-${digest(name)}`;
    taken.add(free);
    return free;
  });
}

function digest(name: string): string {
  return createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 6);
}

/** The slug of a name, if it can be a key. */
export function usableKey(name: string, slug: Slug): string | undefined {
  const key = slug(name).replace(/^[^a-z0-9]+|-+$/g, '');
  return key === '' ? undefined : key;
}
