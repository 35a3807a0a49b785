/**
 * URLs that the service gave. Whoever has a signed URL has the file, so they are kept in memory as they came, until the
 * run ends; in the state and in messages they have no user info and no query. A later run asks for new ones.
 */
import type { Address } from '../model/address.ts';
import { plainUrl } from '../util/plain-url.ts';

/** `redact` removes secrets that a link may hold outside of its query. */
export function createLinks(redact: (text: string) => string) {
  const links = new Map<Address, readonly string[]>();
  return {
    keep: (address: Address, given: readonly string[]): void => void links.set(address, given),
    of: (address: Address) => links.get(address),
    /** For those that are needed once. */
    take(address: Address): readonly string[] | undefined {
      const kept = links.get(address);
      links.delete(address);
      return kept;
    },
    /** The form of a link that may be stored and shown. */
    plain: (link: string): string => redact(plainUrl(link)),
  };
}

export type Links = ReturnType<typeof createLinks>;

/** A URL for the state, if it still works without what the state must not hold; else nothing. */
export function storedUrl(url: string | undefined, { plain }: Pick<Links, 'plain'>): { url?: string } {
  return url !== undefined && plain(url) === url ? { url } : {};
}
