import type { IncomingHttpHeaders } from 'node:http';

/** The media type that an answer declares, without parameters; undefined where it is none, as it may hold anything. */
export function contentTypeOf(headers: IncomingHttpHeaders): string | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : undefined;
}
