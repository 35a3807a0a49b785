import type { Address } from '../model/address.ts';

/**
 * Posts that the service is generating: a request claims as many as it asks for, then holds the claim for its media. A
 * medium of an earlier run has one of its own.
 */
export function createMediaClaims(configured: number) {
  let most = configured;
  const held = new Map<Address, number>();
  let generating = 0;
  let reserved = 0;
  return {
    /** Another run begins: what those before it left is still being generated, but nobody will release it. */
    begin(next: number): void {
      most = next;
      held.clear();
    },
    /** Whether a request for this many posts may start: it fits, or nothing else is being generated. */
    fits(posts: number): boolean {
      const inFlight = reserved + generating;
      return inFlight === 0 || inFlight + posts <= most;
    },
    reserve(posts: number): void {
      reserved += posts;
    },
    unreserve(posts: number): void {
      reserved -= posts;
    },
    hold(holder: Address, posts = 1): void {
      generating += posts - (held.get(holder) ?? 0);
      held.set(holder, posts);
    },
    /** One of its posts is no longer being generated; nothing for what holds none. */
    release(holder: Address): void {
      const posts = held.get(holder) ?? 0;
      if (posts === 0) return;
      generating -= 1;
      held.set(holder, posts - 1);
    },
  };
}
