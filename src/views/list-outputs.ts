import { downloadAddress, takeAddress } from '../model/address.ts';
import { isJsonObject, type JsonObject, textOf } from '../util/json.ts';
import type { ObjectRef, RequestedItem } from '../model/payload.ts';
import { createdItem } from '../model/result.ts';
import type { MediaState, ObjectState, RequestState, RunState, TakeState } from '../model/run-state.ts';
import { postTypeOf } from '../model/post-type.ts';

/**
 * One finished file with everything that it was made from: a row of `outputs --json` and of index.json
 * (schemas/index.schema.json says what each member means).
 */
export type OutputRow = ReturnType<typeof rowsOf>[number];

/** In the order of the addresses, takes and files. */
export function* listOutputs(state: RunState): Generator<OutputRow> {
  const media = [...state.media.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  const versions = objectsByVersion(state);
  for (const medium of media)
    for (const take of medium.takes)
      yield* rowsOf(medium, take, { request: state.requests.get(take.request), versions });
}

/** Objects by each fingerprint that they ever had, so that an item finds what it was made of. */
type Versions = ReadonlyMap<string, ObjectState>;

function objectsByVersion({ objects }: RunState): Versions {
  const versions = new Map<string, ObjectState>();
  for (const object of objects.values())
    for (const fingerprint of [...object.versions.keys(), object.fingerprint])
      versions.set(fingerprint, object);
  return versions;
}

function rowsOf(
  media: MediaState,
  take: TakeState,
  { request, versions }: { request: RequestState | undefined; versions: Versions },
) {
  if (!take.files?.length) return [];
  const requested = request?.payload.items.find(({ item }) => item === take.requestedAs);
  const item = requested?.payload;
  const made = request?.result && createdItem(request.result, take.requestedAs);
  const current = take === media.takes.at(-1);
  const products = productsOf(requested, versions);
  const row = {
    address: downloadAddress(current ? media.address : takeAddress(media.address, take.n)),
    post: media.post,
    item: media.item,
    products: products.map(({ name }) => name),
    concept: request ? named(request.payload.concept) : '',
    post_type: item?.post_type ?? postTypeOf(made?.['post_type']),
    aspect_ratio: item?.metadata.aspect_ratio ?? ratioOf(made),
    take: take.n,
    current,
  };
  const version = request?.payload.manifest;
  const origin = {
    manifest: version ? { ...version, line: requested?.line ?? null } : null,
    concept_id: request?.result?.concept ?? '',
    product_ids: products.map(({ id }) => id),
    media_config_id: request?.result?.id ?? '',
    item_id: textOf(made?.['id']),
    media_id: take.result?.id ?? '',
    fingerprint: take.fingerprint,
    images: imagesOf(requested, versions),
    requested_at: take.requestedAt,
    generated_at: take.settledAt ?? '',
    downloaded_at: take.downloadedAt ?? '',
  };
  return take.files.map(({ path, sha256, bytes, contentType, unverified }) => ({
    ...row,
    path,
    sha256,
    bytes,
    content_type: contentType,
    ...(unverified !== undefined && { unverified }),
    ...origin,
  }));
}

function named(ref: ObjectRef): string {
  return 'address' in ref ? ref.address : ref.id;
}

function productsOf(requested: RequestedItem | undefined, versions: Versions) {
  const products = new Map<string, string | null>();
  for (const [index, { product }] of (requested?.payload.assets ?? []).entries()) {
    const known = versions.get(fingerprintsOf(requested).products[index] ?? '')?.result;
    const id = known && 'id' in known ? known.id : null;
    products.set(named(product), 'id' in product ? product.id : id);
  }
  return [...products].map(([name, id]) => ({ name, id }));
}

function imagesOf(requested: RequestedItem | undefined, versions: Versions): string[] {
  const { products, concept } = fingerprintsOf(requested);
  const images = [...products, concept].flatMap((fingerprint) => {
    const inputs = versions.get(fingerprint)?.versions.get(fingerprint) ?? versions.get(fingerprint)?.inputs;
    const list = inputs?.['images'] ?? inputs?.['ref_images'];
    return Array.isArray(list) ? list.map(textOf) : [];
  });
  return [...new Set(images)];
}

/** Fingerprints of what an item was made of, as its inputs name them. */
function fingerprintsOf(requested: RequestedItem | undefined): { products: string[]; concept: string } {
  const { assets, concept } = requested?.inputs ?? {};
  const products = Array.isArray(assets)
    ? assets.map((asset) => (isJsonObject(asset) ? textOf(asset['product']) : ''))
    : [];
  return { products, concept: textOf(concept) };
}

/** Of a surplus post. */
function ratioOf(made: JsonObject | undefined): string {
  const metadata = made?.['metadata'];
  return isJsonObject(metadata) ? textOf(metadata['aspect_ratio']) : '';
}
