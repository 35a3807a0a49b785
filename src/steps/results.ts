/** Typed access to the results of upstream nodes; a missing one is a bug in the plan, not a mistake of the user. */
import type { Address } from '../model/address.ts';
import type { ImageRef, ObjectRef } from '../model/payload.ts';
import type { RequestResult } from '../model/result.ts';
import type { Job } from '../model/step.ts';
import type { Links } from './links.ts';

export interface Known {
  readonly job: Job;
  readonly io: { readonly links: Pick<Links, 'of'> };
}

export function imageUrls(images: readonly ImageRef[], known: Known): string[] {
  return images.map((image) => {
    const url = imageUrl(image, known);
    if (url === undefined) throw new Error(`${known.job.node.address}: no URL of an image`);
    return url;
  });
}

export function imageUrl(image: ImageRef, known: Known): string | undefined {
  return 'url' in image ? image.url : knownUrl(image.upload, known);
}

export function knownUrl(address: Address, { job, io }: Known): string | undefined {
  const result = job.results[address];
  return io.links.of(address)?.[0] ?? (result && 'url' in result ? result.url : undefined);
}

export function idOf(ref: ObjectRef, job: Job): string {
  if ('id' in ref) return ref.id;
  const result = job.results[ref.address];
  if (!result || !('id' in result)) throw new Error(`${job.node.address}: no result of ${ref.address}`);
  return result.id;
}

export function requestResult(address: Address, job: Job): RequestResult {
  const result = job.results[address];
  if (!result || !('items' in result)) throw new Error(`${job.node.address}: no result of ${address}`);
  return result;
}
