import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import { err, ok, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import type { Connections, ConnectionUse } from './connections.ts';
import { errorCode } from './error-code.ts';
import { watchEnding, type Ending } from './stream-end.ts';
import { traceOf, type TracedBody } from './trace.ts';
import { TunnelError } from './tunnel.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
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

export interface NoAnswer {
  /** False only where there was no usable connection: then the service saw nothing. */
  sent: boolean;
  /** The request's own signal ended it. */
  aborted: boolean;
  code: string | undefined;
  /** A text where the code does not say enough. */
  detail?: string | undefined;
}

/**
 * Sends one request, once, and resolves with the head of the answer or with the reason why there is none; it never
 * rejects because of the network.
 *
 * That Node calls bytes written proves nothing. Only `connect` (http) or `secureConnect` (https) of a new socket, or
 * the use of an open one, separates "not sent" from "may have been carried out".
 */
export async function openExchange(
  connections: Connections,
  request: ExchangeRequest,
): Promise<Result<OpenAnswer, NoAnswer>> {
  const signals = [connections.closed, ...(request.signal ? [request.signal] : [])];
  const isAborted = () => signals.some((signal) => signal.aborted);
  const got = await connections.got();
  if (isAborted()) return err({ sent: false, aborted: true, code: 'ERR_ABORTED' });
  const { method, url, headers, body, use, totalMs } = request;
  const stream = got.stream(url, {
    method,
    headers,
    agent: connections.agents(use, url),
    ...(body === undefined ? {} : { body }),
  });
  const trace = connections.trace && traceOf(connections.trace, request, stream);
  const ending = watchEnding(stream, connections.deadlines, connections.timeouts.idleMs);
  ending.allow(totalMs);
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
    const aborted = isAborted();
    const code = aborted ? 'ERR_ABORTED' : errorCode(first.error);
    trace?.failed(code);
    return err({ sent, aborted, code, detail: tunnelDetail(first.error) });
  }
  const { statusCode: status = 0, headers: answered } = first;
  return ok({ status, headers: answered, stream, ending, ended: (read) => trace?.answered(first, read) });
}

function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    // A socket that the agent took over from another request is open, although it is not marked as reused.
    const isOpen = outgoing.reusedSocket || (!socket.connecting && !isHandshaking(socket));
    if (isOpen) connected();
    else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', connected);
  });
}

/** An undocumented flag of Node; without it a socket counts as open, which is the safe assumption. */
function isHandshaking(socket: Socket): boolean {
  return socket instanceof TLSSocket && 'secureConnecting' in socket && socket.secureConnecting === true;
}

function tunnelDetail(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof TunnelError ? error.cause.detail : undefined;
}
