/**
 * URLs that the service gave: whoever has a signed one has the file. They live in this memory as they came, and end with
 * the run; the state and whatever is said hold them without user info and query. A later run asks for new ones.
 */
import type { Address } from '../model/address.ts';
import { plainUrl } from '../util/plain-url.ts';

export interface Links {
  /** Keeps what the service gave for a node, in the place of what was kept for it before. */
  keep(address: Address, links: readonly string[]): void;
  /** Undefined where this run got none. */
  of(address: Address): readonly string[] | undefined;
  /** What may be stored and said of a link. */
  plain(link: string): string;
}

/** `redact` takes the secrets out that a link may hold outside of its query. */
export function createLinks(redact: (text: string) => string): Links {
  const links = new Map<Address, readonly string[]>();
  return {
    keep(address, given) {
      links.set(address, given);
    },
    of: (address) => links.get(address),
    plain: (link) => redact(plainUrl(link)),
  };
}

/** A URL for the state, where it still leads to what it led to without what the state may not hold; else nothing. */
export function storedUrl(url: string | undefined, { plain }: Pick<Links, 'plain'>): { url?: string } {
  return url !== undefined && plain(url) === url ? { url } : {};
}
