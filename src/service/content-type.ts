import type { IncomingHttpHeaders } from 'node:http';
import type { Secrets } from './secrets.ts';

/** The media type that an answer declares, without parameters; undefined where it is no media type, or a secret. */
export function contentTypeOf(headers: IncomingHttpHeaders, { redact }: Secrets): string | undefined {
  const declared = headers['content-type']?.split(';')[0]?.trim();
  const type = declared === undefined ? undefined : redact(declared).toLowerCase();
  return type !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : undefined;
}
