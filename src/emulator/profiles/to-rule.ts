import { parseDuration } from '../../util/duration.ts';
import type { Fault as FaultEntry, Order as OrderEntry } from '../generated/profile-document.js';
import type { Fault, FaultRule, RetryAfter, When } from '../fault-rules/fault-rule.ts';

/** Translates a fault rule of a profile: times become milliseconds, names those of the code. */
export function toRule({ on, when, do: fault }: OrderEntry): FaultRule {
  return {
    on: typeof on === 'string' ? on : on.map(String),
    ...(when !== undefined && { when: toWhen(when) }),
    do: toFault(fault),
  };
}

/** Milliseconds of a duration that fits the schema; a duration too large for a number never ends. */
export function toMs(duration: string): number {
  return parseDuration(duration) ?? Number.MAX_SAFE_INTEGER;
}

function toWhen({ after, until, per_second: perSecond, ...same }: NonNullable<OrderEntry['when']>): When {
  return {
    ...same,
    ...(after !== undefined && { afterMs: toMs(after) }),
    ...(until !== undefined && { untilMs: toMs(until) }),
    ...(perSecond !== undefined && { perSecond }),
  };
}

function toFault(entry: FaultEntry): Fault {
  switch (entry.fault) {
    case 'status': {
      const { retry_after: retryAfter, ...same } = entry;
      return { ...same, ...(retryAfter !== undefined && { retryAfter: toRetryAfter(retryAfter) }) };
    }
    case 'delay':
      return { fault: 'delay', ms: toMs(entry.time) };
    case 'drip': {
      const { every, ...same } = entry;
      return { ...same, everyMs: toMs(every) };
    }
    case 'cut':
    case 'silence':
    case 'half-body':
    case 'framing':
    case 'body':
    case 'redirect':
    case 'generation':
      return entry;
  }
}

function toRetryAfter(written: number | string | { date_in: string }): RetryAfter {
  return typeof written === 'object' ? { dateInSeconds: toMs(written.date_in) / 1_000 } : written;
}
