import type { Address } from '../model/address.ts';

/**
 * Posts that the service is generating. A request claims as many as it asks for when it starts; once it is made the
 * claim passes to its media, and each is released when its medium settles.
 */
export interface MediaClaims {
  /** Whether a request for that many may start: it fits, or nothing else is being generated. */
  fits(posts: number): boolean;
  reserve(posts: number): void;
  unreserve(posts: number): void;
  /** A medium that is being generated; never refused. */
  hold(media: Address): void;
  /** A medium that is not generated any more; one without a claim does nothing. */
  release(media: Address): void;
}

export function createMediaClaims(most: number): MediaClaims {
  const held = new Set<Address>();
  let reserved = 0;
  return {
    fits(posts) {
      const inFlight = reserved + held.size;
      return inFlight === 0 || inFlight + posts <= most;
    },
    reserve(posts) {
      reserved += posts;
    },
    unreserve(posts) {
      reserved -= posts;
    },
    hold(media) {
      held.add(media);
    },
    release(media) {
      held.delete(media);
    },
  };
}
