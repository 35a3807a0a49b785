import type { OutgoingHttpHeaders } from 'node:http';
import type { JsonObject } from '../util/json.ts';
import { plainUrl, plainUrls } from '../util/plain-url.ts';
import type { FileForm } from './file-form.ts';
import { withoutEscapes } from './said.ts';
import type { Secrets } from './secrets.ts';
import type { TracedBody, TracedExchange } from './trace.ts';

/** Headers that are secret whatever their value is. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const MAX_TEXT = 1_000_000;

/**
 * A request and its answer as an entry of a HAR 1.2 file (http://www.softwareishard.com/blog/har-12-spec/), without
 * secrets, and without user info and queries in URLs, because anybody with a signed link has the file. A request without
 * an answer has the status 0 and `_error`, as browsers write it.
 */
export function harEntry(exchange: TracedExchange, secrets: Secrets): JsonObject {
  const redact = (text: string) => secrets.redact(plainUrls(secrets.redact(text)));
  const timings = harTimings(exchange);
  // HAR counts `ssl` as a part of `connect`.
  const parts = Object.entries(timings).filter(([phase]) => phase !== 'ssl');
  return {
    startedDateTime: new Date(exchange.start).toISOString(),
    time: parts.reduce((sum, [, ms]) => sum + Math.max(0, ms), 0),
    request: harRequest(exchange, redact),
    response: harResponse(exchange, redact),
    cache: {},
    timings,
  };
}

function harRequest({ method, url, headers, body }: TracedExchange, redact: Secrets['redact']): JsonObject {
  const size = typeof body === 'string' ? Buffer.byteLength(body) : Number(headers['content-length'] ?? 0);
  return {
    method,
    url: redact(url.href),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: Object.entries(headers).flatMap(([name, value]) => harHeader(name, value, redact)),
    queryString: [],
    ...(url.search === '' ? {} : { comment: 'the query of the URL is left out' }),
    ...(body === undefined ? {} : { postData: harPostData(body, headers, redact) }),
    headersSize: -1,
    bodySize: size,
  };
}

function harPostData(
  body: string | FileForm,
  headers: OutgoingHttpHeaders,
  redact: Secrets['redact'],
): JsonObject {
  const mimeType = String(headers['content-type'] ?? '');
  if (typeof body === 'string') return { mimeType, text: redactBody(body, redact) };
  const { filename, contentType, bytes } = body.file;
  const comment = `file of ${bytes} bytes`;
  const params = [{ name: 'file', fileName: redact(filename), contentType, comment }];
  return { mimeType, params, comment: 'files are left out' };
}

function harResponse({ answer, failure }: TracedExchange, redact: Secrets['redact']): JsonObject {
  const { statusCode = 0, statusMessage = '', httpVersion = '1.1', rawHeaders = [] } = answer?.head ?? {};
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = names.flatMap((name, index) => harHeader(name, rawHeaders[index * 2 + 1], redact));
  const valueOf = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value;
  const mimeType = valueOf('content-type') ?? '';
  return {
    status: statusCode,
    statusText: redact(statusMessage),
    httpVersion: `HTTP/${httpVersion}`,
    cookies: [],
    headers,
    content: answer ? { size: answer.bytes, mimeType, ...harText(answer, redact) } : { size: 0, mimeType },
    redirectURL: valueOf('location') ?? '',
    headersSize: -1,
    bodySize: Number(valueOf('content-length') ?? -1),
    ...(answer ? {} : { _error: failure ?? 'no answer' }),
  };
}

function harText({ text, note }: TracedBody, redact: Secrets['redact']): JsonObject {
  if (text === undefined) return { comment: note ?? 'left out' };
  const clean = redactBody(text, redact);
  if (clean.length <= MAX_TEXT) return { text: clean };
  return { text: clean.slice(0, MAX_TEXT), comment: 'shortened' };
}

function harHeader(name: string, value: unknown, redact: Secrets['redact']) {
  const lower = name.toLowerCase();
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const clean = (text: string) => {
    if (SECRET_HEADERS.has(lower)) return '[redacted]';
    // These URLs may be relative.
    return redact(lower === 'location' || lower === 'content-location' ? plainUrl(text) : text);
  };
  return values.map((text) => ({ name: redact(name), value: clean(text) }));
}

/** JSON can write each character of a secret as an escape; a text that hides one so is written without escapes. */
function redactBody(text: string, redact: Secrets['redact']): string {
  const clean = redact(text);
  const plain = withoutEscapes(clean);
  const redacted = redact(plain);
  return redacted === plain ? clean : redacted;
}

/** Milliseconds; -1: not applicable (a connection that was open already). */
function harTimings({ phases }: TracedExchange) {
  const connect = (phases.tcp ?? 0) + (phases.tls ?? 0);
  return {
    blocked: phases.wait ?? -1,
    dns: phases.dns ?? -1,
    connect: phases.tcp === undefined && phases.tls === undefined ? -1 : connect,
    ssl: phases.tls ?? -1,
    send: Math.max(0, phases.request ?? 0),
    wait: Math.max(0, phases.firstByte ?? 0),
    receive: Math.max(0, phases.download ?? 0),
  };
}
