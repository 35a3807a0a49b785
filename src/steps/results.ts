/** Typed access to the results of upstream nodes; a missing one is a bug in the plan, not a mistake of the user. */
import type { Address } from '../model/address.ts';
import type { ImageRef, ObjectRef } from '../model/payload.ts';
import type { NodeResult } from '../model/result.ts';
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

/** Undefined where neither the state nor this run knows it. */
export function knownUrl(address: Address, { job, io }: Known): string | undefined {
  const result = job.results[address];
  return io.links.of(address)?.[0] ?? (result && 'url' in result ? result.url : undefined);
}

export function idOf(ref: ObjectRef, job: Job): string {
  return 'id' in ref ? ref.id : resultWith('id', ref.address, job).id;
}

export function resultWith<Member extends 'id' | 'items' | 'urls'>(
  member: Member,
  address: Address,
  { node, results }: Job,
) {
  const result = results[address];
  if (!result || !(member in result)) throw new Error(`${node.address}: no result of ${address}`);
  return result as Extract<NodeResult, Readonly<Record<Member, unknown>>>;
}
