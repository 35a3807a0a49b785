import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import { err, ok, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import type { Connections, ConnectionUse } from './connections.ts';
import { traceOf, type TracedBody } from './trace.ts';
import { TunnelError } from './tunnel.ts';

/** Code of an upload that ended because its file is no longer the one that was opened. */
export const FILE_CHANGED = 'ERR_FILE_CHANGED';

/** One HTTP request, as it goes out. */
export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  /** Text from memory, or a form whose file is streamed. */
  body?: string | FormData | undefined;
  use: ConnectionUse;
  /** For everything, the body of the answer included. */
  totalMs?: number | undefined;
  /** From the request's end to the answer's head. */
  headMs?: number | undefined;
  /** Ends the request; over a `fresh` connection only until it has left: what creates something is awaited. */
  signal?: AbortSignal | undefined;
}

/** The answer's head; whoever gets it reads or destroys the stream, and says what came of it. */
export interface OpenAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  stream: Request;
  ended(body: TracedBody): void;
}

/** Why no status came back. */
export interface NoAnswer {
  /** False only where no usable connection existed: then the service saw nothing. */
  sent: boolean;
  /** Our own signal did it. */
  aborted: boolean;
  code: string | undefined;
  /** Our own words, where the code does not say enough. */
  detail?: string | undefined;
}

/**
 * Sends one request, once, and resolves with the answer's head or with the reason why there is none; it never
 * rejects for what the network does.
 *
 * Bytes that Node calls written prove nothing: only `connect` (http) or `secureConnect` (https) of a fresh socket,
 * or the use of an open one, separates "not sent" from "may have been acted on".
 */
export async function openExchange(
  connections: Connections,
  request: ExchangeRequest,
): Promise<Result<OpenAnswer, NoAnswer>> {
  const signals = [connections.closed, ...(request.signal ? [request.signal] : [])];
  const isAborted = () => signals.some((signal) => signal.aborted);
  const got = await connections.got();
  if (isAborted()) return err({ sent: false, aborted: true, code: 'ERR_ABORTED' });
  const { method, url, headers, body, use, totalMs, headMs } = request;
  const stream = got.stream(url, {
    method,
    headers,
    agent: connections.agents(use, url),
    ...(body === undefined ? {} : { body }),
    timeout: {
      ...(totalMs === undefined ? {} : { request: totalMs }),
      ...(headMs === undefined ? {} : { response: headMs }),
    },
  });
  const trace = connections.trace && traceOf(connections.trace, request, stream);
  // Errors after the head are met by whoever reads the body; without this one they would end the process.
  stream.on('error', () => {});
  let sent = false;
  const releases = signals.map((signal) =>
    onAbort(signal, () => {
      if (signal === connections.closed || use !== 'fresh' || !sent) stream.destroy();
    }),
  );
  const release = () => releases.forEach((stop) => stop());
  stream.once('close', release);
  stream.once('end', release);
  if (body === undefined && method !== 'GET') stream.end();
  return await new Promise((resolve) => {
    stream.once('request', (outgoing: ClientRequest) => whenConnected(outgoing, () => (sent = true)));
    let hasEnded = false;
    stream.once('response', (response: IncomingMessage) => {
      hasEnded = true;
      const { statusCode: status = 0, headers } = response;
      resolve(ok({ status, headers, stream, ended: (body) => trace?.answered(response, body) }));
    });
    const fail = (error?: unknown) => {
      if (hasEnded) return;
      hasEnded = true;
      const aborted = isAborted();
      const code = aborted ? 'ERR_ABORTED' : errorCode(error);
      trace?.failed(code);
      resolve(err({ sent, aborted, code, detail: tunnelDetail(error) }));
    };
    stream.once('error', fail);
    stream.once('close', () => fail());
  });
}

function whenConnected(outgoing: ClientRequest, connected: () => void): void {
  outgoing.once('socket', (socket) => {
    // A socket that the agent handed over from another request is open, though not marked as reused.
    const isOpen = outgoing.reusedSocket || (!socket.connecting && !isHandshaking(socket));
    if (isOpen) connected();
    else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', connected);
  });
}

/** Node keeps this flag on TLS sockets without documenting it; without it the socket counts as open, the safe side. */
function isHandshaking(socket: Socket): boolean {
  return socket instanceof TLSSocket && 'secureConnecting' in socket && socket.secureConnecting === true;
}

function tunnelDetail(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error.cause instanceof TunnelError ? error.cause.detail : undefined;
}

/** The code of a system or library error, nothing else of it. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.cause instanceof DOMException && error.cause.name === 'NotReadableError') return FILE_CHANGED;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}
