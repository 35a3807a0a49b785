import type { CampaignDocument, Limits as LimitsEntry } from './generated/campaign-document.js';
import { defined } from '../util/defined.ts';
import { parseDuration } from '../util/duration.ts';
import { hasExpression } from './expressions.ts';
import type { Limits } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

/** Default of manifest version 1. */
const TOTAL = 8;
const MEDIA_IN_FLIGHT = 200;
const MEDIA_TIMEOUT = '30m';

/** The limits of an environment override those of the manifest, field by field; both override the defaults. */
export function readLimits(manifest: LimitsEntry = {}, environment: LimitsEntry = {}): Limits {
  const { media_in_flight, media_timeout, requests_per_second } = { ...manifest, ...environment };
  const { total = TOTAL, ...perKind } = { ...concurrency(manifest), ...concurrency(environment) };
  return {
    total,
    perKind,
    mediaInFlight: media_in_flight ?? MEDIA_IN_FLIGHT,
    ...defined({ requestsPerSecond: requests_per_second }),
    mediaTimeoutMs: parseDuration(media_timeout ?? MEDIA_TIMEOUT) ?? 0,
  };
}

export function checkDurations({ limits, service }: CampaignDocument, problems: Problems): void {
  const places = Object.entries(service?.environments ?? {}).map(
    ([name, entry]) => [`#/service/environments/${name}/limits`, entry.limits] as const,
  );
  for (const [source, { media_timeout = '0s' } = {}] of [['#/limits', limits] as const, ...places]) {
    if (parseDuration(media_timeout) !== undefined || hasExpression(media_timeout)) continue;
    const detail = `${media_timeout} is longer than can be counted. Write the time after which you would look yourself: 30m, for example.`;
    problems.add({ code: 'invalid-value', detail, source: `${source}/media_timeout` });
  }
}

function concurrency({ concurrency }: LimitsEntry) {
  return typeof concurrency === 'number' ? { total: concurrency } : (concurrency ?? {});
}
