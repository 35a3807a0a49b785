import { err, ok, type Result } from '../util/result.ts';
import type { Json } from '../util/json.ts';
import { callService, type ServiceContext } from './call-service.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { readToken, type IssuedToken } from './read-token.ts';
import type { Secrets } from './secrets.ts';
import { serviceError, type ServiceError, type ServiceFailure } from './service-error.ts';

/** Its failure is that of the request that waits for the token. */
export async function fetchToken(context: ServiceContext): Promise<Result<IssuedToken, ServiceError>> {
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
  const token = readToken(data, servedAt);
  if (token) return ok(token);
  const facts = { request: 'POST /get_auth_token', status, detail: 'no token in the answer' };
  return err(serviceError({ came: 'not-sent', noToken: true, ...facts }));
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
