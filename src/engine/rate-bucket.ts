import type { Clock } from '../util/clock.ts';

/** A token bucket of a tenth of a second: a service that counts by the second never sees two seconds' worth in one. */
export function createRateBucket(configured: number | undefined, clock: Clock) {
  let perSecond = configured;
  let fullAt = Number.NEGATIVE_INFINITY;
  const intervalMs = () => (perSecond === undefined ? 0 : 1000 / perSecond);
  const bucket = {
    get isLimited(): boolean {
      return perSecond !== undefined;
    },
    allow(next: number | undefined): void {
      perSecond = next;
    },
    /** Earliest time (monotonic milliseconds) at which the next request may leave. */
    opensAt: (): number => fullAt - Math.max(0, 100 - intervalMs()),
    take(): void {
      if (perSecond !== undefined) fullAt = Math.max(fullAt, clock.monotonic()) + intervalMs();
    },
    /** Takes the next time, whenever that is; gives how many milliseconds it is away. */
    reserve(): number {
      const ms = bucket.opensAt() - clock.monotonic();
      bucket.take();
      return Math.max(0, ms);
    },
  };
  return bucket;
}
