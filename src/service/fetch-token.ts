import { err, ok, type Result } from '../util/result.ts';
import type { Json } from '../util/json.ts';
import { isPassing } from './classify-status.ts';
import { callService, type ServiceContext } from './call-service.ts';
import { parseBounded } from '../util/bounded-json.ts';
import { readToken, type IssuedToken } from './read-token.ts';
import type { Secrets } from './secrets.ts';
import { serviceError, type ServiceError, type ServiceErrorKind } from './service-error.ts';

/**
 * POST /get_auth_token, once. Its failure is that of the request that waits for the token. A temporary failure means
 * that the request was not sent, a lasting one that the key is refused; neither is ever ambiguous.
 */
export async function fetchToken(context: ServiceContext): Promise<Result<IssuedToken, ServiceError>> {
  const path = '/get_auth_token';
  const answer = await callService(context, {
    method: 'POST',
    path,
    body: { api_key: context.apiKey },
    use: 'keep-alive',
    totalMs: context.connections.timeouts.totalMs,
    keepSecret: (text) => learnSecrets(text, context.secrets),
  });
  if (!answer.ok) return err(asTokenError(answer.error));
  const token = readToken(answer.value.data, answer.value.servedAt);
  if (token) return ok(token);
  const request = `POST ${path}`;
  return err(
    serviceError({
      kind: 'not-sent',
      ambiguous: false,
      phase: 'token',
      request,
      status: answer.value.status,
      detail: 'no token in the answer',
    }),
  );
}

function asTokenError(error: ServiceError): ServiceError {
  const { request, status, serviceMessage, retryAfterMs, code, detail } = error;
  const facts = { request, status, serviceMessage, retryAfterMs, code, detail };
  return serviceError({ ...facts, kind: errorKindOf(error), ambiguous: false, phase: 'token' });
}

function errorKindOf({ kind, status = 0 }: ServiceError): ServiceErrorKind {
  if (kind === 'throttled' || kind === 'aborted' || kind === 'misconfigured') return kind;
  return (kind === 'refused' || kind === 'unauthorized') && !isPassing(status) ? 'unauthorized' : 'not-sent';
}

/** Names of secrets, and names like them. A URL is no secret, not even the service's own. */
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
