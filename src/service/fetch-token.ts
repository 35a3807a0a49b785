import { err, ok, type Result } from '../util/result.ts';
import type { Json } from '../util/json.ts';
import { callService, type ServiceContext } from './call-service.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { readToken, type IssuedToken } from './read-token.ts';
import type { Secrets } from './secrets.ts';
import { serviceError, type ServiceError, type ServiceFailure } from './service-error.ts';

const TOKEN_REQUEST = 'POST /get_auth_token';

/** Its failure is that of the request that waits for the token. */
export async function fetchToken(
  context: ServiceContext,
  dated?: 'this-month',
): Promise<Result<IssuedToken, ServiceError>> {
  const answer = await callService(context, {
    method: 'POST',
    path: '/get_auth_token',
    body: { api_key: context.apiKey },
    use: 'keep-alive',
    totalMs: context.connections.timeouts.totalMs,
    keepSecret: (text) => learnSecrets(text, context.secrets),
  });
  if (!answer.ok) {
    const { request, status, serviceMessage, retryAfterMs, code, detail } = answer.error;
    const came = MEANING[answer.error.came] ?? 'not-sent';
    const facts = { request, status, serviceMessage, retryAfterMs, code, detail };
    return err(serviceError({ came, noToken: true, ...facts }));
  }
  const { status, data, servedAt } = answer.value;
  const otherMonth = dated && whyOtherMonth(servedAt, context.clock.now());
  if (otherMonth !== undefined) return err(wrongMonth(status, otherMonth));
  const token = readToken(data, servedAt);
  if (token) return ok(token);
  const facts = { request: TOKEN_REQUEST, status, detail: 'no token in the answer' };
  return err(serviceError({ came: 'not-sent', noToken: true, ...facts }));
}

/** Between two clocks that are right: around midnight on the first, they may differ without harm. */
const SKEW_MS = 60_000;

function whyOtherMonth(servedAt: number, now: number): string | undefined {
  const [theirs, ours] = [servedAt, now].map((time) => new Date(time).toISOString()) as [string, string];
  if (theirs.slice(0, 7) === ours.slice(0, 7) || Math.abs(servedAt - now) <= SKEW_MS) return undefined;
  return `the service dates its answer ${theirs}, and the clock of this machine says ${ours}`;
}

function wrongMonth(status: number, why: string): ServiceError {
  const facts = {
    came: 'misconfigured',
    noToken: true,
    request: TOKEN_REQUEST,
    status,
    detail: why,
  } as const;
  const problem = {
    summary: 'This machine and the service are in different months',
    detail: `${why}. The budget counts what is spent in a month, so nothing was sent. Set the clock right, then run again.`,
  };
  return { ...serviceError(facts), problem };
}

/** What a failure of this request means for the one that waits; any other may be over at the next attempt. */
const MEANING: Readonly<Partial<Record<ServiceFailure, ServiceFailure>>> = {
  aborted: 'aborted',
  throttled: 'throttled',
  misconfigured: 'misconfigured',
  unauthorized: 'unauthorized',
  refused: 'unauthorized',
  unproven: 'unauthorized',
};

/** A URL is no secret, not even the service's own. */
const SECRET_NAME = /token(?!_type)|secret|jwt|key/i;
const SECRET_TEXT = /^(?!https?:\/\/)\S{20,}$/i;

/** The token may have a name that is not known here; in an answer that is no JSON it cannot be found at all. */
function learnSecrets(text: string, secrets: Secrets): 'clean' | 'doubtful' {
  const parsed = parseBounded(text);
  if (parsed.ok) addTexts('', parsed.value, secrets);
  return parsed.ok || text.trim() === '' ? 'clean' : 'doubtful';
}

function addTexts(name: string, value: Json, secrets: Secrets): void {
  if (typeof value === 'string' && (SECRET_NAME.test(name) || SECRET_TEXT.test(value))) secrets.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [inner, part] of Object.entries(value)) addTexts(inner, part as Json, secrets);
}
