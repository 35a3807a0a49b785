import type { Address } from '../model/address.ts';

/** Posts that the service is generating: a request claims as many as it asks for, then its media hold the claim. */
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
    hold(media: Address): void {
      held.add(media);
    },
    release(media: Address): void {
      held.delete(media);
    },
  };
}
