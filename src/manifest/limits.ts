import type { LimitsEntry } from './document.ts';
import { parseDuration } from './duration.ts';
import type { Limits } from './manifest.ts';

/** Defaults of version 1. */
const TOTAL = 8;
const MEDIA_IN_FLIGHT = 200;
const MEDIA_TIMEOUT = '30m';

/** The limits of an environment over those of the manifest, field by field, over the defaults. */
export function readLimits(manifest: LimitsEntry = {}, environment: LimitsEntry = {}): Limits {
  const { media_in_flight, media_timeout, requests_per_second } = { ...manifest, ...environment };
  const { total = TOTAL, ...perKind } = { ...concurrency(manifest), ...concurrency(environment) };
  return {
    total,
    perKind,
    mediaInFlight: media_in_flight ?? MEDIA_IN_FLIGHT,
    ...(requests_per_second === undefined ? {} : { requestsPerSecond: requests_per_second }),
    mediaTimeoutMs: parseDuration(media_timeout ?? MEDIA_TIMEOUT) ?? 0,
  };
}

function concurrency({ concurrency }: LimitsEntry) {
  return typeof concurrency === 'number' ? { total: concurrency } : (concurrency ?? {});
}
