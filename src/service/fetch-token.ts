import { err, ok, type Result } from '../util/result.ts';
import type { Json } from '../util/json.ts';
import { callService, type ServiceContext } from './call-service.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { readToken, type IssuedToken } from './read-token.ts';
import type { Secrets } from './secrets.ts';
import { beforeService, serviceError, type ServiceError, type ServiceFailure } from './service-error.ts';

const TOKEN_REQUEST = 'POST /get_auth_token';

/** Its failure is that of the request that waits for the token. */
export async function fetchToken(
  context: ServiceContext,
  dated: readonly Dated[] = [],
): Promise<Result<IssuedToken, ServiceError>> {
  const answer = await callService(context, {
    method: 'POST',
    path: '/get_auth_token',
    body: { api_key: context.apiKey },
    use: 'keep-alive',
    totalMs: context.connections.timeouts.totalMs,
    isInEnvelope: true,
    keepSecret: (text) => learnSecrets(text, context.secrets),
  });
  if (!answer.ok) {
    const { came: why, request, status, serviceMessage, retryAfterMs, code, detail, foreign } = answer.error;
    const facts = { request, status, serviceMessage, retryAfterMs, code, detail, foreign };
    const came = MEANING[why] ?? 'not-sent';
    // A page in the place of an answer says nothing about the key; one about a failure may be gone in a moment.
    const isForeign = foreign !== undefined && (came === 'unauthorized' || why === 'unusable');
    if (isForeign && status !== 404 && status !== 405) return err(beforeService({ came, ...facts }));
    const isDue = came === 'not-sent' && why !== 'not-sent';
    return err(serviceError({ came, noToken: true, ...(isDue && { isTokenDue: true }), ...facts }));
  }
  const { status, data, servedAt } = answer.value;
  const otherTime = whyOtherTime(dated, servedAt, context.clock.now());
  if (otherTime) return err(wrongTime(status, otherTime));
  const token = readToken(data, servedAt);
  if (token) return ok(token);
  const facts = { request: TOKEN_REQUEST, status, detail: 'no token in the answer' };
  return err(serviceError({ came: 'not-sent', noToken: true, ...facts }));
}

/** What the clock of this machine decides, so that it must agree with that of the service. */
export type Dated = 'month' | 'period';

/** Between two clocks that are right: around midnight on the first, they may differ without harm. */
const SKEW_MS = 60_000;

/** A service may write its own time of day and call it GMT. */
const DAY_MS = 86_400_000;

const OTHER_TIMES: Readonly<
  Record<
    Dated,
    { readonly isOther: (theirs: number, ours: number) => boolean; summary: string; because: string }
  >
> = {
  month: {
    isOther: (theirs, ours) => monthOf(theirs) !== monthOf(ours) && Math.abs(theirs - ours) > SKEW_MS,
    summary: 'This machine and the service are in different months',
    because: 'The budget counts what is spent in a month',
  },
  period: {
    isOther: (theirs, ours) => Math.abs(theirs - ours) > DAY_MS,
    summary: 'The clock of this machine is wrong by more than a day',
    because:
      'Posts with `every` would be requested for another period (`--at` says which day counts as today)',
  },
};

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm'.length);
}

function whyOtherTime(dated: readonly Dated[], servedAt: number, now: number) {
  const found = dated.map((each) => OTHER_TIMES[each]).find(({ isOther }) => isOther(servedAt, now));
  if (!found) return undefined;
  const [theirs, ours] = [servedAt, now].map((time) => new Date(time).toISOString()) as [string, string];
  const why = `the service dates its answer ${theirs}, and the clock of this machine says ${ours}`;
  return { ...found, why };
}

function wrongTime(
  status: number,
  { summary, because, why }: { readonly summary: string; readonly because: string; readonly why: string },
): ServiceError {
  const facts = {
    came: 'misconfigured',
    noToken: true,
    request: TOKEN_REQUEST,
    status,
    detail: why,
  } as const;
  const detail = `${why}. ${because}, so nothing was sent. Set the clock right, then run again.`;
  return { ...serviceError(facts), problem: { summary, detail } };
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
