import type {
  CampaignDocument,
  Limits as LimitsEntry,
  Service as ServiceEntry,
} from './generated/campaign-document.js';
import { defined } from '../util/defined.ts';
import { parseDuration } from '../util/duration.ts';
import { hasExpression } from './expressions.ts';
import type { SourceRef } from '../model/source.ts';
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
    ([name, entry]) => [`#/service/environments/${name}/limits`, entry.limits ?? {}] as const,
  );
  for (const [source, { media_timeout }] of [['#/limits', limits ?? {}] as const, ...places])
    checkDuration(media_timeout, { source: `${source}/media_timeout`, problems });
  checkTimeouts(service?.timeouts, { source: '#/service/timeouts', problems });
  for (const [name, { timeouts }] of Object.entries(service?.environments ?? {}))
    checkTimeouts(timeouts, { source: `#/service/environments/${name}/timeouts`, problems });
}

interface Place {
  readonly source: SourceRef;
  readonly problems: Problems;
}

function checkTimeouts(timeouts: ServiceEntry['timeouts'] = {}, { source, problems }: Place): void {
  for (const [name, value] of Object.entries(timeouts)) {
    const place = { source: `${source}/${name}`, problems };
    checkDuration(value, place);
    const ms = parseDuration(value);
    if (ms === undefined || ms >= SHORTEST_MS) continue;
    const detail = `Within ${value} no service answers, and every request would fail. Write 1s or more.`;
    problems.add({ code: 'invalid-value', detail, source: place.source });
  }
}

const SHORTEST_MS = 1_000;

function checkDuration(value: string | undefined, { source, problems }: Place): void {
  if (value === undefined || parseDuration(value) !== undefined || hasExpression(value)) return;
  const detail = `${value} is longer than can be counted. Write the time after which you would look yourself: 30m, for example.`;
  problems.add({ code: 'invalid-value', detail, source });
}

function concurrency({ concurrency }: LimitsEntry) {
  return typeof concurrency === 'number' ? { total: concurrency } : (concurrency ?? {});
}
