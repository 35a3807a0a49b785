import { err, type Result } from '../util/result.ts';
import { type Answer, badAnswerError, type Call, callService, type ServiceContext } from './call-service.ts';
import type { ServiceError } from './service-error.ts';
import type { TokenSource } from './token.ts';
import { withToken } from './with-token.ts';

export type Reply<T> = Promise<Result<T, ServiceError>>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Sends one request and reads its answer; the error of `read` says in our words what is wrong with it. */
export type SendAndRead = <T>(
  call: Pick<Call, 'method' | 'path'> & Partial<Call>,
  read: (answer: Answer) => Result<T, string>,
) => Reply<T>;

export function createAsk(context: ServiceContext, tokens: TokenSource): SendAndRead {
  return async (request, read) => {
    const { totalMs } = context.connections.timeouts;
    const call: Call = { use: 'keep-alive', totalMs, ...request };
    const label = `${call.method} ${call.path}`;
    const send = (token: string) => callService(context, call, token);
    const answer = await withToken(tokens, { label, signal: call.signal }, send);
    if (!answer.ok) return answer;
    const value = read(answer.value);
    if (value.ok) return value;
    const { status, quote } = answer.value;
    return err(badAnswerError(label, { status, detail: value.error, answer: quote() }));
  };
}
