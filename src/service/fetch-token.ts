import { err, ok, type Result } from '../util/result.ts';
import { callService, type ServiceContext } from './call-service.ts';
import { readToken, type IssuedToken } from './read-token.ts';
import { ServiceError, type ServiceErrorKind } from './service-error.ts';

/** Refusals that say nothing about the key. */
const PASSING = new Set([408, 425]);

/**
 * POST /get_auth_token, once. Its failures are those of the request that waits for the token: a passing one means
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
  });
  if (!answer.ok) return err(asTokenError(answer.error));
  const token = readToken(answer.value.data, answer.value.servedAt);
  if (token) return ok(token);
  const request = `POST ${path}`;
  return err(
    new ServiceError({
      kind: 'not-sent',
      ambiguous: false,
      phase: 'token',
      request,
      detail: 'no token in the answer',
    }),
  );
}

function asTokenError(error: ServiceError): ServiceError {
  const { request, status, serviceMessage, retryAfterMs, code } = error;
  const facts = { request, status, serviceMessage, retryAfterMs, code };
  return new ServiceError({ ...facts, kind: kindOf(error), ambiguous: false, phase: 'token' });
}

function kindOf({ kind, status = 0 }: ServiceError): ServiceErrorKind {
  if (kind === 'throttled' || kind === 'aborted') return kind;
  return (kind === 'refused' || kind === 'unauthorized') && !PASSING.has(status)
    ? 'unauthorized'
    : 'not-sent';
}
