import type { Concept, ImageSource, Product } from '../manifest/manifest.ts';
import { uploadAddress } from '../model/address.ts';
import type { GraphObject } from '../model/graph.ts';
import { type KeyedKind, type NodeKind, objectAddress } from '../model/kinds.ts';
import type { HashedImage, ImageRef } from '../model/payload.ts';
import { hashJson, hashWithMember } from '../util/canonical-json.ts';
import type { JsonObject } from '../util/json.ts';

/** Contents by absolute path. */
export type Hashes = ReadonlyMap<string, HashedImage>;

/** One node for each distinct image content; its path is that of the first file with this content. */
export function uploadNode(source: ImageSource & { file: string }, hashes: Hashes): GraphObject {
  const { file, sha256, bytes, contentType } = hashed(source.file, hashes);
  const inputs = { sha256 };
  return {
    address: uploadAddress(sha256),
    kind: 'upload',
    inputs,
    fingerprint: fingerprint('upload', inputs),
    payload: { file, bytes, sha256, contentType },
    dependsOn: [],
    source: source.source,
  };
}

export function productNode(product: Product, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = imagesOf(product.id ? [] : product.images, hashes);
  const { variant, defaultName: name } = product;
  // The name of a folder is only sent: what decides whether posts are made again is what somebody wrote.
  const sent = { ...named(product), ...(name === undefined ? {} : { name, recordName: true as const }) };
  return {
    ...objectBase('product', product, { variant, images: meaning }),
    payload: { ...sent, variant, images: refs },
    dependsOn: uploads,
  };
}

export function conceptNode(concept: Concept, hashes: Hashes): GraphObject {
  const { meaning, refs, uploads } = imagesOf(concept.id ? [] : concept.refImages, hashes);
  return {
    ...objectBase('concept', concept, { ref_images: meaning }),
    payload: { ...named(concept), ref_images: refs },
    dependsOn: uploads,
  };
}

/** An object means its name where that is not the default, its description and `own`, or, if it exists already, its id. */
function objectBase<Kind extends KeyedKind>(kind: Kind, written: Product | Concept, own: JsonObject) {
  const { key, name, description, id, source } = written;
  const described = description === undefined ? {} : { description };
  const inputs = id ? externalInputs(id) : { ...(name === key ? {} : { name }), ...described, ...own };
  return {
    address: objectAddress(kind, key),
    kind,
    inputs,
    fingerprint: fingerprint(kind, inputs),
    source,
    ...(id ? { external: id } : {}),
  };
}

function named({ name, description }: Product | Concept): { name: string; description?: string } {
  return { name, ...(description === undefined ? {} : { description }) };
}

/** The ordered images of a product or concept: its inputs, what a step sends, and which uploads it needs. */
function imagesOf(sources: readonly ImageSource[], hashes: Hashes) {
  const images = sources.map((source): { meaning: string; ref: ImageRef } => {
    if ('url' in source) return { meaning: source.url, ref: { url: source.url } };
    const { sha256 } = hashed(source.file, hashes);
    return { meaning: sha256, ref: { upload: uploadAddress(sha256) } };
  });
  const refs = images.map(({ ref }) => ref);
  const uploads = refs.flatMap((ref) => ('upload' in ref ? [ref.upload] : []));
  return { meaning: images.map(({ meaning }) => meaning), refs, uploads: [...new Set(uploads)] };
}

/** Every image is hashed before the graph is built; a missing one is a bug. */
function hashed(file: string, hashes: Hashes): HashedImage {
  const image = hashes.get(file);
  if (!image) throw new Error(`image was not hashed: ${file}`);
  return image;
}

/** 32 hex digits over the kind and the canonical inputs, so that equal inputs have equal fingerprints. */
export function fingerprint(kind: NodeKind, inputs: JsonObject): string {
  return hashJson({ kind, ...inputs });
}

/** The fingerprint with each value of one more input. */
export function fingerprintFor(
  kind: NodeKind,
  inputs: JsonObject,
  member: string,
): (value: string) => string {
  return hashWithMember(member, { kind, ...inputs });
}

/** The only input of an object that exists already is its id, whether the manifest has a key for it or not. */
export function externalInputs(id: string): JsonObject {
  return { id: id.toLowerCase() };
}
