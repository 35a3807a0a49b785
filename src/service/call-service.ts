import type { Clock } from '../util/clock.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { isJsonObject, type Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import { cleanJson } from './clean-json.ts';
import { classifyStatus } from './classify-status.ts';
import { contentTypeOf, readHttpDate, readRetryAfter } from './read-headers.ts';
import type { Connections } from './connections.ts';
import type { FileForm } from './file-form.ts';
import { openExchange, type ExchangeRequest, type OpenAnswer } from './exchange.ts';
import { readBody, type BodyReading } from './read-body.ts';
import { type Envelope, readEnvelope } from './read-envelope.ts';
import { linkWords, pageTitle, quoteAnswer, readServiceMessage, serviceWords } from './said.ts';
import type { Secrets } from './secrets.ts';
import { serviceError, type ServiceError } from './service-error.ts';
import type { TracedBody } from './trace.ts';

export interface ServiceContext {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  secrets: Secrets;
  connections: Connections;
  clock: Clock;
  /** Statuses that prove that nothing was done. */
  nothingDone: ReadonlySet<number>;
  /** Called with every answer that has a status. */
  observe?: ((observation: Observation) => void) | undefined;
}

/** What an answer shows besides its result; `campaign doctor` uses it to describe how the service behaves. */
export interface Observation {
  /** Method and path, e.g. `POST /get_auth_token`. */
  request: string;
  status: number;
  /** The media type, if the answer has one. */
  contentType: string | undefined;
  /** Epoch milliseconds: the Date header by the service's clock, and the arrival of the answer by this machine's. */
  date: number | undefined;
  arrivedAt: number;
  /** `data` of a 2xx answer that could be read. */
  data: Json | undefined;
}

export interface Call extends Pick<ExchangeRequest, 'method' | 'use' | 'totalMs' | 'token' | 'signal'> {
  /** Below the base URL, e.g. `/products/`. */
  path: string;
  body?: object | undefined;
  form?: FileForm | undefined;
  /** Gets the text of a 2xx answer first, and says whether others may see it. */
  keepSecret?: ((text: string) => 'clean' | 'doubtful') | undefined;
  /** Whether the service says no in an envelope; JSON without one is then from something before it. */
  isInEnvelope?: true;
}

/** A 2xx answer without the secrets that it may echo, except for a new token in the answer that gives it. */
export interface Answer extends Pick<Envelope, 'data'> {
  status: number;
  /** The URL of the request: paths in the answer are meant from there. */
  askedAt: string;
  /** As it came. Only links are taken from it, which are followed and never stored or shown in this form. */
  raw: Envelope;
  /** Epoch milliseconds by the service's clock, or by this machine's where the answer does not say. */
  servedAt: number;
  /** How the answer begins, in a form that may be shown. */
  quote: () => string;
}

/** Sends one request, once; everything that can go wrong is a value. */
export async function callService(
  context: ServiceContext,
  { path, body, form, keepSecret, isInEnvelope, ...call }: Call,
): Promise<Result<Answer, ServiceError>> {
  const label = `${call.method} ${path}`;
  const url = new URL(context.baseUrl + path);
  const opened = await openExchange(context.connections, {
    ...call,
    label,
    url,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  if (!opened.ok) return opened;
  const answer = opened.value;
  const result = isSuccess(answer.status)
    ? await readAnswer(context, answer, { label, askedAt: url.href, keepSecret })
    : err(await readRefusal(context, answer, label, isInEnvelope));
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

/** The error for an answer other than 2xx. Its body may be cut or make no sense; the status is enough. */
export async function readRefusal(
  { secrets, nothingDone, clock }: ServiceContext,
  answer: OpenAnswer,
  request: string,
  isInEnvelope?: boolean,
): Promise<ServiceError> {
  const body = await readBody(answer);
  answer.ended(tracedBody(body));
  const { status, headers } = answer;
  // A redirect is not followed; mostly it means that the base URL is wrong.
  const target = status >= 300 && status < 400 ? headers.location : undefined;
  const foreign = foreignName(answer, body.text, isInEnvelope);
  return serviceError({
    came: classifyStatus(status, nothingDone),
    request,
    status,
    detail: target === undefined ? undefined : `it redirects to ${linkWords(target, secrets)}`,
    serviceMessage:
      readServiceMessage(body.text, secrets) ??
      (foreign === undefined ? undefined : serviceWords(pageTitle(body.text), secrets) || undefined),
    foreign,
    retryAfterMs: readRetryAfter(headers, clock.now()),
  });
}

async function readAnswer(
  { secrets, clock }: ServiceContext,
  answer: OpenAnswer,
  { label: request, askedAt, keepSecret }: { label: string; askedAt: string } & Pick<Call, 'keepSecret'>,
): Promise<Result<Answer, ServiceError>> {
  const { status, headers } = answer;
  const body = await readBody(answer);
  const { text, fault } = body;
  const isDoubtful = keepSecret?.(text) === 'doubtful';
  answer.ended(isDoubtful ? { bytes: body.bytes, note: 'left out: it may hold a token' } : tracedBody(body));
  if (fault) return err(serviceError({ came: 'unusable', request, status, ...fault }));
  const quote = () => quoteAnswer(text, secrets);
  const reading = readEnvelope(text);
  if (!reading.ok) {
    const excess = answer.ending.isExceeded ? ', and more came than its head announces' : '';
    const facts = { request, status, detail: reading.error + excess };
    const told = { foreign: foreignName(answer, text), answer: keepSecret ? undefined : quote() };
    return err(serviceError({ came: 'unusable', ...facts, ...told }));
  }
  const servedAt = readHttpDate(headers.date) ?? clock.now();
  const raw = reading.value;
  const data = keepSecret ? raw.data : cleanJson(raw.data, { text, redact: secrets.redact });
  return ok({ status, askedAt, data, raw, servedAt, quote });
}

/**
 * The name of what answers in the place of the service, if it says one. The service answers with nothing or with JSON objects,
 * also with damaged ones. In an envelope they have a `status` in words; in the JSON of gateways it is missing or a number.
 */
function foreignName({ headers }: OpenAnswer, text: string, isInEnvelope = false): string | undefined {
  if (text.trim() === '') return undefined;
  const parsed = parseBounded(text);
  const whole = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
  const isJson = whole !== undefined || /\bjson\b/i.test(headers['content-type'] ?? '');
  const isOwn = isInEnvelope && parsed.ok ? typeof whole?.['status'] === 'string' : isJson;
  return isOwn ? undefined : (/^[\w.-]{1,40}/.exec(String(headers['server'] ?? ''))?.[0] ?? '');
}

function tracedBody({ text, bytes, fault }: BodyReading): TracedBody {
  return fault ? { bytes, note: fault.detail } : { bytes, text };
}
