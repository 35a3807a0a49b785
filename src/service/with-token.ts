import { err, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import { serviceError, type ServiceError } from './service-error.ts';
import type { HeldToken, TokenSource } from './token.ts';

/**
 * Sends with the current token, and after a 401 once more, at once, with a new one. A second 401 is final only if the
 * key is refused; else it counts as not sent. Waiting for a token ends when the request's own signal aborts, and others
 * who wait for the token are not disturbed.
 */
export async function withToken<T>(
  tokens: TokenSource,
  request: { label: string; signal?: AbortSignal | undefined },
  send: (token: string) => Promise<Result<T, ServiceError>>,
): Promise<Result<T, ServiceError>> {
  const token = await unlessAborted(tokens.current(), request);
  if (!token.ok) return token;
  const answer = await sendWith(tokens, token.value, send);
  if (answer.ok || !isRefusal(answer.error)) return answer;
  const renewed = await unlessAborted(tokens.renew(token.value), request);
  if (renewed === undefined) return err(tokens.settle(answer.error));
  if (!renewed.ok) return renewed;
  const second = await sendWith(tokens, renewed.value, send);
  return second.ok || !isRefusal(second.error) ? second : err(tokens.settle(second.error));
}

async function sendWith<T>(
  tokens: TokenSource,
  token: HeldToken,
  send: (token: string) => Promise<Result<T, ServiceError>>,
): Promise<Result<T, ServiceError>> {
  const answer = await send(token.value);
  if (answer.ok) tokens.accepted(token);
  else if (isRefusal(answer.error)) tokens.refused(token, answer.error);
  else if (answer.error.kind === 'refused') tokens.accepted(token);
  return answer;
}

function isRefusal(error: ServiceError): boolean {
  return error.kind === 'unauthorized';
}

async function unlessAborted<T>(
  waiting: Promise<T>,
  request: { label: string; signal?: AbortSignal | undefined },
): Promise<T | Result<never, ServiceError>> {
  const { label, signal } = request;
  if (!signal) return waiting;
  let release = () => {};
  const aborted = new Promise<Result<never, ServiceError>>((resolve) => {
    const stop = () =>
      resolve(err(serviceError({ kind: 'aborted', ambiguous: false, phase: 'token', request: label })));
    if (signal.aborted) stop();
    else release = onAbort(signal, stop);
  });
  try {
    return await Promise.race([aborted, waiting]);
  } finally {
    release();
  }
}
