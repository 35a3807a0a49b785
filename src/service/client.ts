import type { Clock } from '../util/clock.ts';
import type { JsonObject } from '../util/json.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { err, ok } from '../util/result.ts';
import { callService, type Observation, type ServiceContext } from './call-service.ts';
import { provenStatuses } from './classify-status.ts';
import { createConnections, DEFAULT_TIMEOUTS, type ProxyFor, type RequestTimeouts } from './connections.ts';
import { downloadFile } from './download.ts';
import {
  type CallOptions,
  createEndpoints,
  type Endpoints,
  type Reply,
  type SendAndRead,
} from './endpoints.ts';
import { fetchToken } from './fetch-token.ts';
import { harEntry } from './har-entry.ts';
import type { IssuedToken } from './read-token.ts';
import type { DownloadedFile } from './save-body.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { serviceWords } from './said.ts';
import { serviceError } from './service-error.ts';
import { TokenSource, withToken } from './token.ts';
import { uploadFile, type UploadFile } from './upload-file.ts';
import type { MediaAnswer } from './read-records.ts';

const MAX_FILE_BYTES = 2_000_000_000;

export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  /** Times requests; `clock` by default. Tests that hurry `clock` leave this one: the network is not faster. */
  deadlines?: Clock | undefined;
  requestTimeouts?: Partial<RequestTimeouts> | undefined;
  /** The number of requests expected at once: so many idle connections are kept. */
  concurrency?: number | undefined;
  /** JSON Pointer to the URL in the answer of an upload (`service.upload_url`). */
  uploadUrl?: string | undefined;
  /** Changes the statuses that prove that nothing was done: `service.nothing_done`. */
  nothingDone?: readonly (number | string)[] | undefined;
  /** Called with every answer but those of downloads. */
  observe?: ((observation: Observation) => void) | undefined;
  proxyFor?: ProxyFor | undefined;
  /** Texts besides the API key that must be in no error and no trace. */
  secrets?: readonly string[] | undefined;
  /** Called with every request and its answer as an entry of a HAR file, without secrets. */
  trace?: ((entry: JsonObject) => void) | undefined;
}

/**
 * The 14 endpoints. Each sends one request and resolves to a value or a ServiceError, whatever the network or the
 * service does. Nothing is sent twice, except once after a 401, with a new token.
 */
export interface Client extends Endpoints {
  getAuthToken(): Reply<IssuedToken>;
  /** The URL of the uploaded file. */
  uploadMedia(file: UploadFile, options?: CallOptions): Reply<string>;
  /** Downloads a file of a generated post into `path`; the token is sent only to the base URL's own origin. */
  download(file: { url: string; path: string }, options?: CallOptions): Reply<DownloadedFile>;
  /** Removes the key, every token and the credentials of the proxy from a text. */
  readonly redact: (text: string) => string;
  /**
   * To be called after the computer slept or the process was suspended: idle connections are dropped, and the next
   * request gets a new token.
   */
  woke(): void;
  /** Drops all connections; requests that were sent end as no-answer. */
  close(): void;
}

/** A client of one service with one key; it opens no connection before the first request. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, clock, uploadUrl, proxyFor, trace } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.requestTimeouts };
  const secrets = createSecrets([apiKey, ...(options.secrets ?? [])]);
  const connections = createConnections({
    timeouts,
    clock,
    deadlines: options.deadlines ?? clock,
    concurrency: options.concurrency ?? 8,
    proxyFor,
    trace: trace && ((exchange) => trace(harEntry(exchange, secrets))),
  });
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const context: ServiceContext = {
    baseUrl,
    apiKey,
    secrets,
    connections,
    clock,
    nothingDone: provenStatuses(options.nothingDone),
    observe: options.observe,
  };
  const getAuthToken = () => fetchToken(context);
  const tokens = new TokenSource({ fetchToken: getAuthToken, clock });
  const ask: SendAndRead = async (request, read) => {
    const call = { use: 'keep-alive', totalMs: timeouts.totalMs, ...request } as const;
    const label = `${call.method} ${call.path}`;
    const send = (token: string) => callService(context, { ...call, token });
    const answer = await withToken(tokens, { label, signal: call.signal }, send);
    if (!answer.ok) return answer;
    const value = read(answer.value);
    if (value.ok) return value;
    const { status, quote } = answer.value;
    const facts = { request: label, status, detail: value.error, answer: quote() };
    return err(serviceError({ came: 'unusable', ...facts }));
  };
  const endpoints = createEndpoints(ask);
  return {
    ...endpoints,
    getAuthToken,
    async getMedia(objectId, id, call) {
      const found = await endpoints.getMedia(objectId, id, call);
      return found.ok ? ok(inertMedia(found.value, secrets)) : found;
    },
    uploadMedia: (file, { signal } = {}) => uploadFile(ask, file, { timeouts, uploadUrl, signal }),
    download(file, { signal } = {}) {
      const allowLoopbackHttp = isLoopbackHost(new URL(baseUrl).hostname);
      return downloadFile(context, tokens, { ...file, maxBytes: MAX_FILE_BYTES, allowLoopbackHttp, signal });
    },
    redact: secrets.redact,
    woke() {
      connections.dropIdle();
      tokens.expire();
    },
    close: () => connections.close(),
  };
}

/** The form that people read and the state keeps. */
function inertMedia(media: MediaAnswer, secrets: Secrets): MediaAnswer {
  const status = serviceWords(media.status, secrets);
  return { ...media, status, error_message: serviceWords(media.error_message, secrets) };
}
