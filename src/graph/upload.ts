import type { ImageSource } from '../manifest/manifest.ts';
import { uploadAddress } from '../model/address.ts';
import type { GraphObject } from '../model/graph.ts';
import { fingerprint } from './fingerprint.ts';
import { type Hashes, hashed } from './images.ts';

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
