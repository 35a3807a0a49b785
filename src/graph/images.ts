import type { ImageSource } from '../manifest/manifest.ts';
import { type Address, uploadAddress } from '../model/address.ts';
import type { HashedImage } from '../model/image.ts';
import type { ImageRef } from '../model/payload.ts';

/** Contents by absolute path. */
export type Hashes = ReadonlyMap<string, HashedImage>;

/** The ordered images of a product or concept: its inputs, what a step sends, and which uploads it needs. */
export function imagesOf(sources: readonly ImageSource[], hashes: Hashes) {
  const meaning: string[] = [];
  const refs: ImageRef[] = [];
  const uploads = new Set<Address>();
  for (const source of sources) {
    if ('url' in source) {
      meaning.push(source.url);
      refs.push({ url: source.url });
      continue;
    }
    const { sha256 } = hashed(source.file, hashes);
    const upload = uploadAddress(sha256);
    meaning.push(sha256);
    refs.push({ upload });
    uploads.add(upload);
  }
  return { meaning, refs, uploads: [...uploads] };
}

/** Every image is hashed before the graph is built; a missing one is a bug. */
export function hashed(file: string, hashes: Hashes): HashedImage {
  const image = hashes.get(file);
  if (!image) throw new Error(`image was not hashed: ${file}`);
  return image;
}
