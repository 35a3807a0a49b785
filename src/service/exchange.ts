import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { isClientRefused, isMisconfiguration } from '../util/code-words.ts';
import { err, ok, type Result } from '../util/result.ts';
import { onAbort } from './on-abort.ts';
import type { Connections } from './connections.ts';
import { decompressed, ENCODINGS } from './decompress.ts';
import { errorCode } from './error-code.ts';
import { formPieces, type FileForm } from './file-form.ts';
import type { ConnectionUse, Place } from './origin.ts';
import { serviceError, type ServiceError, type ServiceFailure } from './service-error.ts';
import { watchEnding, type Ending } from './stream-end.ts';
import { traceOf, type TracedBody } from './trace.ts';
import { TunnelError } from './tunnel.ts';

export interface ExchangeRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  /** Names the request in errors. */
  label: string;
  headers: Record<string, string>;
  token?: string | undefined;
  /** Text in memory, or a form whose file is streamed. */
  body?: string | FileForm | undefined;
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
  /** Decompressed. */
  stream: Readable;
  /** Bytes that have come over the connection since it was opened. */
  receivedBytes: () => number;
  ending: Ending;
  ended(body: TracedBody): void;
}

/**
 * Sends one request, once; never rejects because of the network.
 *
 * That Node calls bytes written proves nothing. Only `connect` (http) or `secureConnect` (https) of a new socket, or
 * the use of an open one, separates "not sent" from "may have been carried out". One thing is told later: a server
 * judges the certificate of its client after that, and reads no request of a client that it refuses.
 */
export async function openExchange(
  connections: Connections,
  request: ExchangeRequest,
): Promise<Result<OpenAnswer, ServiceError>> {
  const { label } = request;
  const signals = [connections.closed, ...(request.signal ? [request.signal] : [])];
  const place = await enter(connections, request, signals);
  if (!place) return err(serviceError({ came: 'aborted', request: label, code: ABORTED }));
  await connections.turn(request.url, signals);
  if (signals.some((signal) => signal.aborted)) {
    place.leave();
    return err(serviceError({ came: 'aborted', request: label, code: ABORTED }));
  }
  const made = makeRequest(place.agent, request);
  if (!made.ok) {
    place.leave();
    return err(serviceError({ came: 'not-sent', request: label, code: made.error }));
  }
  whenServed(made.value, place.served);
  // Node has then closed the socket, or is about to keep it.
  made.value.once('close', () => setImmediate(place.leave));
  return send(connections, request, { outgoing: made.value, signals });
}

async function send(
  connections: Connections,
  request: ExchangeRequest,
  { outgoing, signals }: { outgoing: ClientRequest; signals: readonly AbortSignal[] },
): Promise<Result<OpenAnswer, ServiceError>> {
  const { label, body, use } = request;
  const { timeouts, deadlines } = connections;
  const isAborted = () => signals.some((signal) => signal.aborted);
  const trace = connections.trace && traceOf(connections.trace, request, outgoing);
  const ending = watchEnding(outgoing, deadlines, timeouts.idleMs);
  ending.allow(request.totalMs);
  let sent = false;
  const releases = signals.map((signal) =>
    onAbort(signal, () => {
      if (signal === connections.closed || use !== 'fresh' || !sent) ending.cut();
    }),
  );
  whenConnected(outgoing, {
    connecting: () => ending.allow(timeouts.connectMs),
    connected() {
      sent = true;
      ending.allow(request.totalMs);
    },
  });
  const head = new Promise<Head>((resolve) =>
    outgoing.once('response', (answer) => {
      const stream = decompressed(answer);
      ending.follow(stream, answer);
      resolve({ answer, socket: answer.socket, stream });
    }),
  );
  if (typeof body === 'object')
    // Who takes a file may hand it on slowly.
    void sendForm(body, outgoing, ending).then(() => outgoing.setTimeout(request.totalMs));
  else outgoing.end(body);
  const over = ending.reached.then((end) => {
    releases.forEach((stop) => stop());
    return end;
  });
  const first = await Promise.race([head, over]);
  if ('whole' in first) {
    const code = isAborted() ? ABORTED : errorCode(first.error);
    trace?.({ failure: code });
    const came = sent && !isClientRefused(code) ? 'no-answer' : unsentBecause(code);
    return err(serviceError({ came, request: label, code, detail: whereOf(first.error, request.url) }));
  }
  const { answer, socket, stream } = first;
  return ok({
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    stream,
    receivedBytes: () => socket.bytesRead,
    ending,
    ended: (read) => trace?.({ answer: { head: answer, ...read } }),
  });
}

const ABORTED = 'ERR_ABORTED';

interface Head {
  readonly answer: IncomingMessage;
  /** Node takes it from the answer once all of that came. */
  readonly socket: Socket;
  readonly stream: Readable;
}

/** Undefined where the request is not wanted any more. */
async function enter(
  connections: Connections,
  { use, url }: ExchangeRequest,
  signals: readonly AbortSignal[],
): Promise<Place | undefined> {
  if (signals.some((signal) => signal.aborted)) return undefined;
  const entering = connections.enter(use, url);
  let releases: (() => void)[] = [];
  const aborted = new Promise<undefined>((resolve) => {
    releases = signals.map((signal) => onAbort(signal, () => resolve(undefined)));
  });
  const place = await Promise.race([entering, aborted]);
  releases.forEach((release) => release());
  if (place && !signals.some((signal) => signal.aborted)) return place;
  void entering.then(({ leave }) => leave());
  return undefined;
}

/** The error: the code of what is wrong with it, such as a token that no header can hold. */
function makeRequest(
  agent: http.Agent,
  { method, url, token, headers, body }: ExchangeRequest,
): Result<ClientRequest, string | undefined> {
  const isText = typeof body === 'string';
  const all = {
    'user-agent': 'campaign',
    'accept-encoding': ENCODINGS,
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(isText ? { 'content-length': Buffer.byteLength(body) } : body?.headers),
  };
  try {
    return ok((url.protocol === 'https:' ? https : http).request(url, { method, headers: all, agent }));
  } catch (error) {
    return err(errorCode(error));
  }
}

/** Each piece has left before the next one is asked for, because that may take its memory. */
async function sendForm(form: FileForm, outgoing: ClientRequest, ending: Ending): Promise<void> {
  const over = ending.reached.then(() => 'over' as const);
  try {
    for await (const piece of formPieces(form)) {
      const left = new Promise((resolve) => outgoing.write(piece, resolve));
      if ((await Promise.race([left, over])) === 'over') return;
    }
    outgoing.end();
  } catch (error) {
    ending.cut(error);
  }
}

function unsentBecause(code: string | undefined): ServiceFailure {
  if (code === ABORTED) return 'aborted';
  return isMisconfiguration(code) ? 'misconfigured' : 'not-sent';
}

function whenConnected(
  outgoing: ClientRequest,
  { connecting, connected }: { connecting: () => void; connected: () => void },
): void {
  outgoing.once('socket', (socket) => {
    // An undocumented flag of Node; without it a socket counts as open, which is the safe assumption.
    const isHandshaking =
      socket instanceof TLSSocket && 'secureConnecting' in socket && socket.secureConnecting === true;
    // A socket that the agent took over from another request is open, although it is not marked as reused.
    if (outgoing.reusedSocket || (!socket.connecting && !isHandshaking)) return connected();
    connecting();
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', connected);
  });
}

/** A handshake or an answer shows that the other end has taken up the connection; what is reused, was taken up before. */
function whenServed(outgoing: ClientRequest, served: () => void): void {
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) served();
    else socket.once('secureConnect', served);
  });
  outgoing.once('response', served);
}

/** What is not found or does not lead there, by name. */
function whereOf(error: unknown, url: URL): string | undefined {
  if (error instanceof TunnelError) return error.message;
  return /^(?:ENOTFOUND|EAI_AGAIN)$/.test(errorCode(error) ?? '') ? url.hostname : undefined;
}
