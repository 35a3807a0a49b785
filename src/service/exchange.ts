import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import { isMisconfiguration } from '../util/code-words.ts';
import { err, ok, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import type { Connections, ConnectionUse } from './connections.ts';
import { errorCode } from './error-code.ts';
import { serviceError, type ServiceError, type ServiceFailure } from './service-error.ts';
import { watchEnding, type Ending } from './stream-end.ts';
import { traceOf, type TracedBody } from './trace.ts';
import { TunnelError } from './tunnel.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  /** Names the request in errors. */
  label: string;
  headers: Record<string, string>;
  token?: string | undefined;
  /** Text in memory, or a form whose file is streamed. */
  body?: string | FormData | undefined;
  use: ConnectionUse;
  /** From the first byte of the request to the last byte of its answer; the receiver of the head may extend it. */
  totalMs: number;
  /** Ends the request; over a `fresh` connection only before it has been sent, as creates are awaited. */
  signal?: AbortSignal | undefined;
}

/** The head of an answer. Its receiver reads the stream or ends it, and says what came of it. */
export interface OpenAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  stream: Request;
  ending: Ending;
  ended(body: TracedBody): void;
}

/**
 * Sends one request, once; never rejects because of the network.
 *
 * That Node calls bytes written proves nothing. Only `connect` (http) or `secureConnect` (https) of a new socket, or
 * the use of an open one, separates "not sent" from "may have been carried out".
 */
export async function openExchange(
  connections: Connections,
  request: ExchangeRequest,
): Promise<Result<OpenAnswer, ServiceError>> {
  const { method, url, label, token, body, use } = request;
  const signals = [connections.closed, ...(request.signal ? [request.signal] : [])];
  const isAborted = () => signals.some((signal) => signal.aborted);
  const got = await connections.got();
  if (isAborted()) return err(serviceError({ came: 'aborted', request: label, code: ABORTED }));
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const stream = got.stream(url, {
    method,
    headers: { ...request.headers, ...authorization },
    agent: connections.agents(use, url),
    ...(body === undefined ? {} : { body }),
  });
  const trace = connections.trace && traceOf(connections.trace, request, stream);
  const ending = watchEnding(stream, connections.deadlines, connections.timeouts.idleMs);
  ending.allow(request.totalMs);
  let sent = false;
  const releases = signals.map((signal) =>
    onAbort(signal, () => {
      if (signal === connections.closed || use !== 'fresh' || !sent) ending.cut();
    }),
  );
  stream.once('request', (outgoing: ClientRequest) => whenConnected(outgoing, () => (sent = true)));
  if (body === undefined && method !== 'GET') stream.end();
  const head = new Promise<IncomingMessage>((resolve) => stream.once('response', resolve));
  const over = ending.reached.then((end) => {
    releases.forEach((stop) => stop());
    return end;
  });
  const first = await Promise.race([head, over]);
  if ('whole' in first) {
    const code = isAborted() ? ABORTED : errorCode(first.error);
    trace?.({ failure: code });
    const came = sent ? 'no-answer' : unsentBecause(code);
    return err(serviceError({ came, request: label, code, detail: tunnelDetail(first.error) }));
  }
  const { statusCode: status = 0, headers } = first;
  return ok({
    status,
    headers,
    stream,
    ending,
    ended: (read) => trace?.({ answer: { head: first, ...read } }),
  });
}

const ABORTED = 'ERR_ABORTED';

function unsentBecause(code: string | undefined): ServiceFailure {
  if (code === ABORTED) return 'aborted';
  return isMisconfiguration(code) ? 'misconfigured' : 'not-sent';
}

function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    // An undocumented flag of Node; without it a socket counts as open, which is the safe assumption.
    const isHandshaking =
      socket instanceof TLSSocket && 'secureConnecting' in socket && socket.secureConnecting === true;
    // A socket that the agent took over from another request is open, although it is not marked as reused.
    if (outgoing.reusedSocket || (!socket.connecting && !isHandshaking)) connected();
    else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', connected);
  });
}

function tunnelDetail(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof TunnelError ? error.cause.message : undefined;
}
