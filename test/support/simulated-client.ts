/** A client of the simulated service: real endpoints, readings, token and classes; the network is virtual time. */
import type { Client } from '../../src/service/client.ts';
import { classifyStatus, provenStatuses } from '../../src/service/classify-status.ts';
import { createEndpoints, type Reply } from '../../src/service/endpoints.ts';
import { type IssuedToken, readToken } from '../../src/service/read-token.ts';
import { readUploadUrl } from '../../src/service/read-upload-url.ts';
import { createSecrets } from '../../src/service/secrets.ts';
import {
  isRefused,
  serviceError,
  type ServiceError,
  type ServiceErrorFacts,
} from '../../src/service/service-error.ts';
import { readServiceMessage, serviceWords } from '../../src/service/said.ts';
import { TokenSource, withToken } from '../../src/service/token.ts';
import type { Clock } from '../../src/util/clock.ts';
import type { Json } from '../../src/util/json.ts';
import { err, ok, type Result } from '../../src/util/result.ts';
import type { SimulatedLimit } from './simulated-limit.ts';
import {
  refusalOf,
  SECRETS,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedService,
} from './simulated-service.ts';

/**
 * What goes wrong on the way. refused, unreachable: never connected · cut: no answer · silent: no answer until the
 * client gives up · …-done: the service has carried it out · garbage: done, and answered with HTML.
 */
export type SimulatedFault =
  | 'refused'
  | 'unreachable'
  | 'cut'
  | 'cut-done'
  | 'silent'
  | 'silent-done'
  | 'garbage'
  | { readonly status: number; readonly retryAfter?: number };

/** One request as the network saw it. */
export interface SimulatedCall {
  /** From 1. */
  readonly n: number;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** `POST /products/`, ids written `{id}`. */
  readonly route: string;
  /** How it ended, `open` until then. */
  end: 'open' | 'ok' | 'throttled' | 'failed';
  endedAt?: number;
}

export interface SimulatedClientOptions {
  readonly service: SimulatedService;
  readonly clock: Clock;
  /** Milliseconds from request to answer. */
  readonly latency: () => number;
  readonly fault?: (call: SimulatedCall) => SimulatedFault | undefined;
  /** Told when a request leaves, and when an answer says for certain what became of it. */
  readonly watch?: (call: SimulatedCall, what: 'left' | 'answered') => void;
  readonly limit?: SimulatedLimit;
  /** Whether a 429 says when to come again. */
  readonly retryAfter?: 'told' | 'silent';
  readonly nothingDone?: readonly number[];
  /** How long an answer may keep silent; default 30 s. */
  readonly idleMs?: number;
}

/** Every request so far, and the client that sent them. */
export interface SimulatedClient {
  readonly client: Client;
  readonly calls: readonly SimulatedCall[];
}

const CONNECT_MS = 10_000;
const CREATE = /^POST \/(?:products|concepts|media-config)\//;

/** Answers that do not say whether the request was carried out. */
const UNCLEAR: ReadonlySet<ServiceErrorFacts['came']> = new Set(['server-error', 'unproven', 'passing']);

/** Whether a request makes something that costs. */
export function isCreateCall({ route }: SimulatedCall): boolean {
  return CREATE.test(route);
}

type Sent = Result<SimulatedReply, ServiceError>;
type Failure = Omit<ServiceErrorFacts, 'request'>;

export function createSimulatedClient(options: SimulatedClientOptions): SimulatedClient {
  const { service, clock, latency, limit, nothingDone = [], idleMs = 30_000 } = options;
  const calls: SimulatedCall[] = [];
  const secrets = createSecrets([SECRETS.key]);

  async function send(request: SimulatedRequest, signal?: AbortSignal): Promise<Sent> {
    const label = `${request.method} ${request.path}`;
    const route = label.replaceAll(/[0-9a-f-]{36}/g, '{id}');
    const call: SimulatedCall = { n: calls.length + 1, at: clock.monotonic(), route, end: 'open' };
    calls.push(call);
    const sent = await travel(request, call, signal);
    call.end = sent.ok ? 'ok' : sent.error.came === 'throttled' ? 'throttled' : 'failed';
    call.endedAt = clock.monotonic();
    return sent;
  }

  async function travel(request: SimulatedRequest, call: SimulatedCall, signal?: AbortSignal): Promise<Sent> {
    const fail = (facts: Failure): Sent =>
      err(serviceError({ request: `${request.method} ${request.path}`, ...facts }));
    const gone = { came: 'no-answer' } as const;
    if (signal?.aborted) return fail({ came: 'aborted' });
    const fault = options.fault?.(call);
    const ms = latency();
    if (fault === 'refused' || fault === 'unreachable') {
      const aborted = await pass(fault === 'refused' ? ms / 2 : CONNECT_MS, signal);
      const came = aborted ? 'aborted' : 'not-sent';
      const code = fault === 'refused' ? 'ECONNREFUSED' : 'ETIMEDOUT';
      return fail({ came, code });
    }
    options.watch?.(call, 'left');
    // A create that has left is awaited.
    const heeded = isCreateCall(call) ? undefined : signal;
    if (await pass(ms / 2, heeded)) return fail(gone);
    if (fault === 'silent') {
      await pass(idleMs, heeded);
      return fail({ ...gone, code: 'ETIMEDOUT' });
    }
    if (fault === 'cut') return fail({ ...gone, code: 'ECONNRESET' });
    const told = typeof fault === 'object' ? fault : undefined;
    const refused = told ? undefined : limit?.refuses();
    const reply = told
      ? refusal(told, request)
      : refused
        ? refusal({ status: 429, ...refused }, request)
        : service.answer(request);
    if (fault === 'cut-done') return fail({ ...gone, code: 'ECONNRESET' });
    const aborted = await pass(fault === 'silent-done' ? idleMs : ms / 2, heeded);
    if (!told && !refused) limit?.ended();
    if (aborted) return fail(gone);
    if (fault === 'silent-done') return fail({ ...gone, code: 'ETIMEDOUT' });
    if (fault === 'garbage') return fail({ came: 'unusable', status: 200 });
    const failure = reply.status < 300 ? undefined : facts(reply);
    if (!failure || !UNCLEAR.has(failure.came)) options.watch?.(call, 'answered');
    return failure ? fail(failure) : ok(reply);
  }

  /** True when the signal came first. */
  function pass(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(true);
      const onAbort = () => {
        cancel();
        resolve(true);
      };
      const cancel = clock.after(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(false);
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  function facts({ status, headers, message = '' }: SimulatedReply): Failure {
    const seconds = headers?.['retry-after'];
    const retryAfterMs = seconds === undefined ? undefined : Number(seconds) * 1000;
    const serviceMessage = readServiceMessage(JSON.stringify({ message }), secrets);
    return {
      came: classifyStatus(status, provenStatuses(nothingDone)),
      status,
      serviceMessage,
      retryAfterMs,
    };
  }

  function refusal(
    { status, retryAfter }: { status: number; retryAfter?: number },
    request: SimulatedRequest,
  ): SimulatedReply {
    const tells = retryAfter !== undefined && options.retryAfter !== 'silent';
    return {
      ...refusalOf(status, request),
      ...(tells ? { headers: { 'retry-after': String(retryAfter) } } : {}),
    };
  }

  const getAuthToken = async (): Reply<IssuedToken> => {
    const answer = await send({ method: 'POST', path: '/get_auth_token', body: { api_key: SECRETS.key } });
    const token = answer.ok ? readToken(answer.value.data, clock.now()) : undefined;
    if (token) {
      secrets.add(token.value);
      return ok(token);
    }
    const { status, retryAfterMs, came } = answer.ok ? ({} as Partial<ServiceError>) : answer.error;
    const isLasting = came === 'unauthorized' || (!answer.ok && isRefused(answer.error));
    const lasting = isLasting ? 'unauthorized' : 'not-sent';
    return err(
      serviceError({
        came: came === 'throttled' ? came : lasting,
        noToken: true,
        request: 'POST /get_auth_token',
        status,
        retryAfterMs,
      }),
    );
  };
  const tokens = new TokenSource({ fetchToken: getAuthToken, clock });

  function ask(request: SimulatedRequest, signal?: AbortSignal): Promise<Sent> {
    const label = `${request.method} ${request.path}`;
    return withToken(tokens, { label, signal }, (token) => send({ ...request, token }, signal));
  }

  const endpoints = createEndpoints(async ({ method, path, body, signal }, read) => {
    const answer = await ask({ method, path, body: body as Json | undefined }, signal);
    if (!answer.ok) return answer;
    const { status, data } = answer.value;
    const came = { data, whole: data };
    const value = read({
      status,
      askedAt: 'https://visuals.example.com/api/',
      ...came,
      raw: came,
      servedAt: clock.now(),
      quote: () => '',
    });
    const bad = { came: 'unusable', status } as const;
    return value.ok
      ? value
      : err(serviceError({ ...bad, request: `${method} ${path}`, detail: value.error }));
  });
  const client: Client = {
    ...endpoints,
    getAuthToken,
    async getMedia(objectId, id, call) {
      const found = await endpoints.getMedia(objectId, id, call);
      if (!found.ok) return found;
      return ok({ ...found.value, error_message: serviceWords(found.value.error_message, secrets) });
    },
    async uploadMedia({ path }, { signal } = {}) {
      const answer = await ask({ method: 'POST', path: '/upload-media/', body: { file: path } }, signal);
      return answer.ok ? ok(readUploadUrl({ data: answer.value.data ?? null }, undefined) ?? '') : answer;
    },
    async download({ url }, { signal, received } = {}) {
      const answer = await send({ method: 'GET', path: new URL(url).pathname }, signal);
      if (!answer.ok) return answer;
      received?.();
      return ok({ bytes: 1, sha256: url, contentType: 'image/png', isEndTold: true });
    },
    redact: (text) => text,
    woke: () => tokens.expire(),
    allow: () => {},
    close: () => {},
  };
  return { client, calls };
}
