/** One signed request to an S3-compatible store, sent once. */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { isSuccess } from '../service/call-service.ts';
import type { Connections } from '../service/connections.ts';
import { FILE_CHANGED } from '../service/error-code.ts';
import { type OpenAnswer, openExchange } from '../service/exchange.ts';
import { bareFile } from '../service/file-form.ts';
import { readBody } from '../service/read-body.ts';
import { checkedPieces } from '../service/upload-file.ts';
import type { Clock } from '../util/clock.ts';
import { err, type Result } from '../util/result.ts';
import { changedFile } from './local-fault.ts';
import type { S3Settings, SentFile } from './object-store.ts';
import { faultOf, isPage, type NamedStore, type S3Answer, type S3Fault, unreached } from './s3-fault.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT';
  readonly key: string;
  readonly file?: SentFile;
  readonly signal?: AbortSignal | undefined;
}

export interface Sending {
  readonly settings: S3Settings;
  readonly connections: Connections;
  readonly store: NamedStore;
  readonly clock: Clock;
  /** Changed by answers. */
  readonly known: { isBucketThere: boolean };
}

/** What came of a request. */
export type Received<T> = Result<T, S3Fault>;

/** Reads an answer to its end, or cuts it. Where the object is not there, its status is 404, and it was read. */
export type Receive<T> = (answer: OpenAnswer, label: string) => Received<T> | Promise<Received<T>>;

export async function sendOnce<T>(
  sending: Sending,
  request: S3Request,
  receive: Receive<T>,
): Promise<Received<T>> {
  const { settings, connections, store, clock, known } = sending;
  const { method, key, file, signal } = request;
  const label = `${method} ${key}`;
  const { fileMs, fileBytesPerMs } = connections.timeouts;
  const read = file && (() => checkedPieces(file, file));
  const opened = await openExchange(connections, {
    method,
    label,
    ...(await signed(settings, request, clock)),
    body: read && bareFile({ ...file, filename: '', read }),
    use: 'keep-alive',
    signal,
    totalMs: fileMs + (file?.bytes ?? 0) / fileBytesPerMs,
  });
  if (!opened.ok) {
    return err(
      file && opened.error.code === FILE_CHANGED
        ? { problem: changedFile(file.path), isPassing: false }
        : unreached(opened.error, label, store),
    );
  }
  const answer = opened.value;
  const { status } = answer;
  if (isSuccess(status)) {
    known.isBucketThere = true;
    return receive(answer, label);
  }
  const { text } = await readBody(answer);
  if (method === 'HEAD' && saysTooLittle(status, known))
    return sendOnce(sending, { method: 'GET', key, signal }, receive);
  // A bucket that is not there, or a server that is no store, is another thing.
  const isAbsent = status === 404 && method !== 'PUT' && !/<Code>(?!NoSuchKey<)/.test(text) && !isPage(text);
  if (!isAbsent) return err(faultOf(answerOf(answer, text, clock), label, store));
  known.isBucketThere = true;
  return receive(answer, label);
}

/** The answer to a HEAD has no text: of old credentials, a wrong clock or no bucket, that to a GET of the same object tells. */
function saysTooLittle(status: number, { isBucketThere }: Sending['known']): boolean {
  return status === 400 || status === 403 || (status === 404 && !isBucketThere);
}

export function answerOf({ status, headers }: OpenAnswer, body: string, clock: Clock): S3Answer {
  return { status, headers, body, arrivedAt: clock.now() };
}

const NO_BODY = createHash('sha256').digest('hex');

/** The signature covers the content, so a store refuses what was damaged on the way. */
async function signed(settings: S3Settings, { method, key, file }: S3Request, clock: Clock) {
  const { accessKeyId, secretAccessKey, sessionToken, region } = settings;
  const url = urlOf(settings, key);
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: {
      ...(file && { 'content-type': file.contentType }),
      'x-amz-content-sha256': file?.sha256 ?? NO_BODY,
    },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region,
    datetime: new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const made = await signer.sign();
  return { url, headers: { ...Object.fromEntries(made.headers), 'accept-encoding': 'identity' } };
}

function urlOf({ endpoint, bucket, prefix, isPathStyle }: S3Settings, key: string): URL {
  const url = new URL(endpoint);
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const parts = [...(isPathStyle ? [bucket] : []), ...prefix.split('/'), ...key.split('/')].filter(Boolean);
  const base = endpoint.pathname.replace(/\/+$/, '');
  url.pathname = [base, ...parts.map(encoded)].join('/');
  return url;
}

/** As signatures want it: all but letters, digits and four signs. */
function encoded(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
