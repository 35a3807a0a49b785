import type { Clock } from '../util/clock.ts';
import type { Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { cleanJson } from './clean-json.ts';
import { classifyStatus } from './classify-status.ts';
import { isMisconfiguration } from '../util/code-words.ts';
import { contentTypeOf, readHttpDate, readRetryAfter } from './read-headers.ts';
import type { Connections, ConnectionUse } from './connections.ts';
import { openExchange, type ExchangeRequest, type NoAnswer, type OpenAnswer } from './exchange.ts';
import type { Observation } from './observation.ts';
import { readBody, type BodyReading } from './read-body.ts';
import { readEnvelope } from './read-envelope.ts';
import { linkWords, quoteAnswer, readServiceMessage } from './said.ts';
import type { Secrets } from './secrets.ts';
import { serviceError, type ServiceError, type ServiceErrorFacts } from './service-error.ts';
import type { TracedBody } from './trace.ts';

export interface ServiceContext {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** Removed from everything that is said about requests. */
  secrets: Secrets;
  connections: Connections;
  clock: Clock;
  /** Statuses that prove that nothing was done. */
  nothingDone: ReadonlySet<number>;
  /** Called with every answer that has a status. */
  observe?: ((observation: Observation) => void) | undefined;
}

export interface Call {
  method: ExchangeRequest['method'];
  /** Below the base URL, e.g. `/products/`. */
  path: string;
  body?: object | undefined;
  form?: FormData | undefined;
  use: ConnectionUse;
  totalMs: number;
  signal?: AbortSignal | undefined;
  /** Gets the text of a 2xx answer first, and says whether others may see it. */
  keepSecret?: ((text: string) => 'clean' | 'doubtful') | undefined;
}

/** A 2xx answer without the secrets that it may echo, except for a new token in the answer that gives it. */
export interface Answer extends AnswerBody {
  status: number;
  /** As it came. Only links are taken from it, which are followed and never stored or shown in this form. */
  raw: AnswerBody;
  /** Epoch milliseconds by the service's clock, or by this machine's where the answer does not say. */
  servedAt: number;
  /** How the answer begins, in a form that may be shown. */
  quote: () => string;
}

interface AnswerBody {
  data: Json | undefined;
  whole: Json | undefined;
}

/** Sends one request, once, with the token if one is given; everything that can go wrong is a value. */
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
  const result = isSuccess(answer.status)
    ? await readAnswer(context, answer, { label, keepSecret: call.keepSecret })
    : err(await readRefusal(context, answer, label));
  context.observe?.({
    request: label,
    status: answer.status,
    contentType: contentTypeOf(answer.headers, context.secrets),
    date: readHttpDate(answer.headers.date),
    arrivedAt: context.clock.now(),
    data: result.ok ? result.value.data : undefined,
  });
  return result;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function noAnswerError(request: string, failure: NoAnswer): ServiceError {
  const { sent, aborted, code, detail } = failure;
  const facts = { request, code, detail };
  if (sent) return serviceError({ kind: 'no-answer', ambiguous: true, phase: 'answer', ...facts });
  const kind = isMisconfiguration(code) ? 'misconfigured' : 'not-sent';
  return serviceError({
    kind: aborted ? 'aborted' : kind,
    ambiguous: false,
    phase: 'connect',
    ...facts,
  });
}

/** The error for an answer other than 2xx. Its body may be cut or make no sense; the status is enough. */
export async function readRefusal(
  context: ServiceContext,
  answer: OpenAnswer,
  request: string,
): Promise<ServiceError> {
  const { secrets } = context;
  const body = await readBody(answer);
  answer.ended(tracedBody(body));
  return serviceError({
    ...classifyStatus(answer.status, context.nothingDone),
    phase: 'body',
    request,
    status: answer.status,
    detail: redirectOf(answer, secrets),
    serviceMessage: readServiceMessage(body.text, secrets),
    retryAfterMs: readRetryAfter(answer.headers, context.clock.now()),
  });
}

/** The error for a 2xx answer that cannot be used: it may have been carried out, but its id is lost. */
export function badAnswerError(
  request: string,
  facts: { status: number; detail: string } & Pick<ServiceErrorFacts, 'code' | 'answer'>,
): ServiceError {
  return serviceError({ kind: 'bad-answer', ambiguous: true, phase: 'body', request, ...facts });
}

async function readAnswer(
  context: ServiceContext,
  answer: OpenAnswer,
  { label, keepSecret }: { label: string } & Pick<Call, 'keepSecret'>,
): Promise<Result<Answer, ServiceError>> {
  const { status } = answer;
  const body = await readBody(answer);
  const { text, fault } = body;
  const isDoubtful = keepSecret?.(text) === 'doubtful';
  answer.ended(isDoubtful ? { bytes: body.bytes, note: 'left out: it may hold a token' } : tracedBody(body));
  if (fault) return err(badAnswerError(label, { status, ...fault }));
  const quote = () => quoteAnswer(text, context.secrets);
  const reading = readEnvelope(text);
  if (!reading.ok) {
    const excess = answer.ending.isExceeded ? ', and more came than its head announces' : '';
    const answered = keepSecret ? undefined : quote();
    return err(badAnswerError(label, { status, detail: reading.error + excess, answer: answered }));
  }
  const servedAt = readHttpDate(answer.headers.date) ?? context.clock.now();
  const raw = reading.value;
  const reader = { text, redact: context.secrets.redact };
  const read = keepSecret ? raw : { data: cleanJson(raw.data, reader), whole: cleanJson(raw.whole, reader) };
  return ok({ status, ...read, raw, servedAt, quote });
}

function tracedBody({ text, bytes, fault }: BodyReading): TracedBody {
  return fault ? { bytes, note: fault.detail } : { bytes, text };
}

/** The target of a redirect, without the query. It is not followed; mostly it means that the base URL is wrong. */
function redirectOf({ status, headers }: OpenAnswer, secrets: Secrets): string | undefined {
  if (status < 300 || status > 399 || headers.location === undefined) return undefined;
  return `it redirects to ${linkWords(headers.location, secrets)}`;
}
