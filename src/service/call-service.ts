import type { Clock } from '../util/clock.ts';
import type { Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { classifyStatus } from './classify-status.ts';
import type { Connections, ConnectionUse } from './connections.ts';
import { openExchange, type ExchangeRequest, type NoAnswer, type OpenAnswer } from './exchange.ts';
import { readBody } from './read-body.ts';
import { readEnvelope } from './read-envelope.ts';
import { readHttpDate, readRetryAfter } from './retry-after.ts';
import { ServiceError } from './service-error.ts';
import { readServiceMessage } from './service-message.ts';

/** What every call needs. */
export interface ServiceContext {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  connections: Connections;
  clock: Clock;
  /** Statuses that prove that nothing was done, besides the usual ones. */
  nothingDone: readonly number[];
}

/** One request to an endpoint. */
export interface Call {
  method: ExchangeRequest['method'];
  /** Below the base URL, e.g. `/products/`. */
  path: string;
  body?: object | undefined;
  form?: FormData | undefined;
  use: ConnectionUse;
  totalMs: number;
  signal?: AbortSignal | undefined;
}

/** A 2xx answer, read. */
export interface Answer {
  status: number;
  data: Json | undefined;
  /** The answer with its envelope. */
  whole: Json | undefined;
  /** Epoch milliseconds by the service's clock, ours where it does not say. */
  servedAt: number;
}

/** Sends one request, once, with the token where one is given; everything that can go wrong is a value. */
export async function callService(
  context: ServiceContext,
  call: Call,
  token?: string,
): Promise<Result<Answer, ServiceError>> {
  const label = `${call.method} ${call.path}`;
  const opened = await openExchange(context.connections, {
    method: call.method,
    url: new URL(context.baseUrl + call.path),
    headers: {
      accept: 'application/json',
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body)),
    use: call.use,
    totalMs: call.totalMs,
    signal: call.signal,
  });
  if (!opened.ok) return err(noAnswerError(label, opened.error));
  const answer = opened.value;
  if (!isSuccess(answer.status)) {
    return err(await readRefusal(context, answer, { label, token }));
  }
  return readAnswer(context, answer, label);
}

/** True for any 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The error for a request to which no status came back. */
export function noAnswerError(request: string, failure: NoAnswer): ServiceError {
  const { sent, aborted, code } = failure;
  if (sent) return new ServiceError({ kind: 'no-answer', ambiguous: true, phase: 'answer', request, code });
  const kind = aborted ? 'aborted' : 'not-sent';
  return new ServiceError({ kind, ambiguous: false, phase: 'connect', request, code });
}

/** The error for an answer other than 2xx; its body may be cut or anything, the status says enough. */
export async function readRefusal(
  context: ServiceContext,
  answer: OpenAnswer,
  request: { label: string; token: string | undefined },
): Promise<ServiceError> {
  const body = await readBody(answer.stream);
  const secrets = [context.apiKey, ...(request.token === undefined ? [] : [request.token])];
  return new ServiceError({
    ...classifyStatus(answer.status, context.nothingDone),
    phase: 'body',
    request: request.label,
    status: answer.status,
    serviceMessage: readServiceMessage(body.text, secrets),
    retryAfterMs: readRetryAfter(answer.headers, context.clock.now()),
  });
}

/** The error for a 2xx answer that cannot be used: done perhaps, and its id is lost. */
export function badAnswerError(
  request: string,
  facts: { status: number; detail: string; code?: string | undefined },
): ServiceError {
  return new ServiceError({ kind: 'bad-answer', ambiguous: true, phase: 'body', request, ...facts });
}

async function readAnswer(
  context: ServiceContext,
  answer: OpenAnswer,
  label: string,
): Promise<Result<Answer, ServiceError>> {
  const { status } = answer;
  const { text, fault } = await readBody(answer.stream);
  if (fault) return err(badAnswerError(label, { status, ...fault }));
  const reading = readEnvelope(text);
  if (!reading.ok) return err(badAnswerError(label, { status, detail: reading.problem }));
  const servedAt = readHttpDate(answer.headers.date) ?? context.clock.now();
  return ok({ status, data: reading.data, whole: reading.whole, servedAt });
}
