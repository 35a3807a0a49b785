import type { Clock } from '../util/clock.ts';
import type { JsonObject } from '../util/json.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { err, ok } from '../util/result.ts';
import { callService, type Observation, type ServiceContext } from './call-service.ts';
import { provenStatuses } from './classify-status.ts';
import {
  createConnections,
  DEFAULT_TIMEOUTS,
  type ProxyFor,
  type RequestTimeouts,
  type TlsFiles,
  type Turn,
} from './connections.ts';
import { downloadFile, type DownloadOptions } from './download.ts';
import {
  type CallOptions,
  createEndpoints,
  type Endpoints,
  type Reply,
  type SendAndRead,
} from './endpoints.ts';
import { type Dated, fetchToken } from './fetch-token.ts';
import { harEntry } from './har-entry.ts';
import type { IssuedToken } from './read-token.ts';
import type { DownloadedFile } from './save-body.ts';
import { createSecrets } from './secrets.ts';
import { serviceWords } from './said.ts';
import { serviceError } from './service-error.ts';
import { TokenSource, withToken } from './token.ts';
import { uploadFile, type UploadFile } from './upload-file.ts';

const MAX_FILE_BYTES = 2_000_000_000;

export interface ClientOptions {
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  /** Times requests; `clock` by default. Tests that hurry `clock` leave this one: the network is not faster. */
  deadlines?: Clock | undefined;
  requestTimeouts?: Partial<RequestTimeouts> | undefined;
  /** Connections to the service at once, idle ones included. */
  concurrency?: number | undefined;
  /** For the service only, not for other hosts of files. */
  tls?: TlsFiles | undefined;
  /** `service.upload_url`. */
  uploadUrl?: string | undefined;
  /** `service.nothing_done`. */
  nothingDone?: readonly (number | string)[] | undefined;
  /** What the clock of this machine decides: a token that is dated in another month, or by another day, is no use then. */
  dated?: readonly Dated[] | undefined;
  /** Called with every answer but those of downloads. */
  observe?: ((observation: Observation) => void) | undefined;
  proxyFor?: ProxyFor | undefined;
  /** Texts besides the API key that must be in no error and no trace. */
  secrets?: readonly string[] | undefined;
  /** Resolves when the next request to the service may leave. */
  turn?: Turn | undefined;
  /** Gets the entries of a HAR file, without secrets. */
  trace?: ((entry: JsonObject) => void) | undefined;
}

/** Nothing rejects because of the network or the service, or is sent twice, except once after a 401, with a new token. */
export interface Client extends Endpoints {
  getAuthToken(): Reply<IssuedToken>;
  uploadMedia(file: UploadFile, options?: CallOptions): Reply<string>;
  /** Into `path`. */
  download(file: { url: string; path: string }, options?: DownloadOptions): Reply<DownloadedFile>;
  /** Removes the key, every token and the credentials of the proxy from a text. */
  readonly redact: (text: string) => string;
  /** To be called after the computer slept or the process was suspended: connections and token may be out of date. */
  woke(): void;
  /** For the next run, which may have another limit: so many connections at once. Nothing is under way meanwhile. */
  allow(concurrency: number): void;
  /** Requests that were sent end as no-answer. */
  close(): void;
}

/** Opens no connection before the first request. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, clock, trace } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.requestTimeouts };
  const secrets = createSecrets([apiKey, ...(options.secrets ?? [])]);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const connections = createConnections({
    timeouts,
    clock,
    deadlines: options.deadlines ?? clock,
    concurrency: options.concurrency ?? 8,
    proxyFor: options.proxyFor,
    redact: secrets.redact,
    tls: options.tls && { origin: new URL(options.baseUrl).origin, files: options.tls },
    trace: trace && ((exchange) => trace(harEntry(exchange, secrets))),
    pace: options.turn && { origin: new URL(baseUrl).origin, turn: options.turn },
  });
  const context: ServiceContext = {
    baseUrl,
    apiKey,
    secrets,
    connections,
    clock,
    nothingDone: provenStatuses(options.nothingDone),
    observe: options.observe,
  };
  const getAuthToken = () => fetchToken(context, options.dated);
  const tokens = new TokenSource({ fetchToken: getAuthToken, clock });
  const ask = createAsk(context, tokens);
  const endpoints = createEndpoints(ask);
  return {
    ...endpoints,
    getAuthToken,
    async getMedia(objectId, id, call) {
      const found = await endpoints.getMedia(objectId, id, call);
      if (!found.ok) return found;
      // The form that people read and the state keeps.
      const status = serviceWords(found.value.status, secrets);
      const message = serviceWords(found.value.error_message, secrets);
      return ok({ ...found.value, status, error_message: message });
    },
    uploadMedia: (file, { signal } = {}) =>
      uploadFile(ask, file, { timeouts, uploadUrl: options.uploadUrl, signal }),
    download(file, options) {
      const allowLoopbackHttp = isLoopbackHost(new URL(baseUrl).hostname);
      return downloadFile(context, tokens, {
        ...file,
        maxBytes: MAX_FILE_BYTES,
        allowLoopbackHttp,
        ...options,
      });
    },
    redact: secrets.redact,
    woke() {
      connections.dropIdle();
      tokens.expire();
    },
    allow: (concurrency) => connections.allow(concurrency),
    close: () => connections.close(),
  };
}

function createAsk(context: ServiceContext, tokens: TokenSource): SendAndRead {
  return async (request, read) => {
    const call = { use: 'keep-alive', totalMs: context.connections.timeouts.totalMs, ...request } as const;
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
}
