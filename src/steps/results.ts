/** Typed access to what upstream nodes gave; a missing one is a bug of the plan, not of the user. */
import type { Address } from '../model/address.ts';
import type { ImageRef, ObjectRef } from '../model/payload.ts';
import type { RequestResult } from '../model/result.ts';
import type { Job } from '../model/step.ts';

/** The URL of each image, in order. */
export function imageUrls(images: readonly ImageRef[], job: Job): string[] {
  return images.map((image) => ('url' in image ? image.url : uploadUrl(image.upload, job)));
}

function uploadUrl(address: Address, job: Job): string {
  const result = job.results.get(address);
  if (!result || !('url' in result) || result.url === undefined)
    throw new Error(`${job.node.address}: no result of ${address}`);
  return result.url;
}

/** The id that the service knows an object by. */
export function idOf(ref: ObjectRef, job: Job): string {
  if ('id' in ref) return ref.id;
  const result = job.results.get(ref.address);
  if (!result || !('id' in result)) throw new Error(`${job.node.address}: no result of ${ref.address}`);
  return result.id;
}

/** What a media configuration gave. */
export function requestResult(address: Address, job: Job): RequestResult {
  const result = job.results.get(address);
  if (!result || !('items' in result)) throw new Error(`${job.node.address}: no result of ${address}`);
  return result;
}
