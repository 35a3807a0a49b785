import type { ObjectRef } from './generated/state-record.js';

/**
 * An address names a node for people, scripts and the state: `<kind>/<rest>`, of the characters `[a-z0-9._+@/-]` only.
 * `media/<post>[/<instance>]/<item>` is an item's current post; with `@<n>` it is the take that request n made.
 */
export type Address = string;

export function addressesOf(refs: readonly ObjectRef[]): Address[] {
  return refs.flatMap((ref) => ('address' in ref ? [ref.address] : []));
}

export function uploadAddress(sha256: string): Address {
  return `upload/${sha256.slice(0, 16)}`;
}

export function productKey(address: Address): string | undefined {
  return address.startsWith('product/') ? address.slice('product/'.length) : undefined;
}

/** `post` is `<post>[/<instance>]`, here and below. */
export function requestAddress(post: string, n: number): Address {
  return takeAddress(requestsAddress(post), n);
}

export function mediaAddress(post: string, item: string): Address {
  return `${postAddress(post)}/${item}`;
}

export function requestsAddress(post: string): Address {
  return `media-config/${post}`;
}

export function postAddress(post: string): Address {
  return `media/${post}`;
}

/** The key of the post plan of a post. */
export function postPlanOf(post: string): string {
  return post.split('/', 1)[0] ?? post;
}

export function takeAddress(address: Address, n: number): Address {
  return `${address}@${n}`;
}

export function downloadAddress(media: Address): Address {
  return media.startsWith('media/') ? `download/${media.slice('media/'.length)}` : media;
}

export function mediaOf(address: Address): Address {
  return address.startsWith('download/') ? `media/${address.slice('download/'.length)}` : address;
}

export function splitMedia(address: Address): { post: string; item: string } {
  const slash = address.lastIndexOf('/');
  return { post: address.slice('media/'.length, slash), item: address.slice(slash + 1) };
}

export function splitTake(address: Address): { address: Address; take: number | undefined } {
  const at = address.lastIndexOf('@');
  if (at < 0) return { address, take: undefined };
  return { address: address.slice(0, at), take: Number(address.slice(at + 1)) };
}
