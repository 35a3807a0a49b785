import type { Address } from '../model/address.ts';

/**
 * Posts that the service is generating. A request claims as many as it asks for when it starts; once it is made, the
 * claim passes to its media, and each medium releases its part when it is settled.
 */
export function createMediaClaims(most: number) {
  const held = new Set<Address>();
  let reserved = 0;
  return {
    /** Whether a request for this many posts may start: it fits, or nothing else is being generated. */
    fits(posts: number): boolean {
      const inFlight = reserved + held.size;
      return inFlight === 0 || inFlight + posts <= most;
    },
    reserve(posts: number): void {
      reserved += posts;
    },
    unreserve(posts: number): void {
      reserved -= posts;
    },
    /** A medium is being generated; never refused. */
    hold(media: Address): void {
      held.add(media);
    },
    /** A medium is no longer being generated; without a claim this does nothing. */
    release(media: Address): void {
      held.delete(media);
    },
  };
}
