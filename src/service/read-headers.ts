import type { IncomingHttpHeaders } from 'node:http';
import type { Secrets } from './secrets.ts';

/** Milliseconds. A date is compared with the answer's own Date header, so that a wrong clock does not matter. */
export function readRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = readHttpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readHttpDate(headers.date) ?? nowMs));
}

/** Epoch milliseconds of an HTTP date, e.g. `Sat, 21 Nov 2026 06:30:00 GMT`. */
export function readHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]+,? /.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Without parameters; undefined where the answer declares no media type, or a secret. */
export function contentTypeOf(headers: IncomingHttpHeaders, { redact }: Secrets): string | undefined {
  const declared = headers['content-type']?.split(';')[0]?.trim();
  const type = declared === undefined ? undefined : redact(declared).toLowerCase();
  return type !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : undefined;
}
