import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { deferred } from '../util/deferred.ts';
import { inertText } from '../util/inert-text.ts';
import type { Clock } from '../util/clock.ts';
import { proxyAuthorization } from './proxy-authorization.ts';
import { pageTitle } from './said.ts';

/** Nothing reached the service. The message names the proxy, never its credentials. */
export class TunnelError extends Error {
  override readonly name = 'TunnelError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface TunnelOptions {
  readonly agent: https.AgentOptions;
  /** For the answer of the proxy, in milliseconds. */
  readonly connectMs: number;
  readonly clock: Clock;
  /** Ends tunnels that are being opened. */
  readonly closed: AbortSignal;
  /** Takes the credentials out of what the proxy says. */
  readonly redact: (text: string) => string;
}

/**
 * An agent whose connections go through an HTTP proxy: CONNECT, then TLS with the service inside the tunnel, checked
 * against the service's name. An answer of the proxy other than 200 is an error of the connection: if it were handed on
 * as the service's answer, a create that was never sent would be unknown.
 */
export function createTunnelAgent(proxy: URL, options: TunnelOptions): https.Agent {
  const agent = new https.Agent(options.agent);
  // Node takes the socket to encrypt as a further option, which its types lack.
  const encrypt = agent.createConnection.bind(agent) as (target: object) => Socket;
  const open = (
    target: { host: string; port: number },
    done: (error: Error | null, socket?: Socket) => void,
  ) => {
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    openTunnel(proxy, { ...options, target: `${host}:${target.port}` }, (error, socket) => {
      if (!socket) return done(error);
      const secure = encrypt({ ...target, socket });
      // The library does not time a handshake over a socket that is open already.
      const late = () => void secure.destroy(new TunnelError('ETIMEDOUT', via(proxy)));
      const cancel = options.clock.after(options.connectMs, late);
      for (const event of ['secureConnect', 'close']) secure.once(event, cancel);
      done(null, secure);
    });
  };
  return Object.assign(agent, { createConnection: open });
}

function openTunnel(
  proxy: URL,
  { target, clock, connectMs, closed, redact }: TunnelOptions & { target: string },
  done: (error: TunnelError | null, socket?: Socket) => void,
): void {
  const isSecure = proxy.protocol === 'https:';
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const authorization = proxyAuthorization(proxy);
  const request = (isSecure ? https : http).request({
    host,
    port: proxy.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
    agent: false,
    signal: closed,
    // Node would take the name from the Host header, and that is the service's.
    ...(isSecure ? { rejectUnauthorized: true, servername: isIP(host) ? '' : host } : {}),
  });
  let isOver = false;
  const end = (error: TunnelError | null, socket?: Socket): void => {
    if (isOver) return;
    isOver = true;
    cancel();
    done(error, socket);
  };
  const cancel = clock.after(connectMs, () => request.destroy(new TunnelError('ETIMEDOUT', via(proxy))));
  const refused = async (answer: IncomingMessage, rest: Readable, head?: Buffer) => {
    rest.on('error', () => {});
    const text = await firstBytes(rest, { head, clock });
    request.destroy();
    rest.destroy();
    end(refusal(proxy, answer, redact(pageTitle(text))));
  };
  request.once('connect', (answer, socket: Socket, head: Buffer) => {
    if (answer.statusCode === 200) end(null, socket);
    else void refused(answer, socket, head);
  });
  // Some proxies answer a CONNECT that they refuse like any other request.
  request.once('response', (answer) => void refused(answer, answer));
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (error instanceof TunnelError) return end(error);
    const { code = 'ERR_PROXY' } = error;
    end(new TunnelError(code.startsWith('HPE_') ? 'ERR_PROXY_NO_HTTP' : code, via(proxy)));
  });
  request.end();
}

/** For the text of a refusal, which mostly comes with its head. */
const TEXT_MS = 500;
const ENOUGH_BYTES = 4_000;

/** How the text of a refusal begins; empty where none comes. */
async function firstBytes(
  rest: Readable,
  { head = Buffer.alloc(0), clock }: { head?: Buffer | undefined; clock: Clock },
): Promise<string> {
  let text = head.toString('latin1');
  if (text.length > 0) return text;
  const { promise, resolve } = deferred<void>();
  const cancel = clock.after(TEXT_MS, resolve);
  rest.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
    if (text.length >= ENOUGH_BYTES || text.includes('</title>')) resolve();
  });
  for (const event of ['end', 'close', 'error']) rest.once(event, () => resolve());
  await promise;
  cancel();
  return text;
}

/** Of the statuses that a proxy says no with, these may be over in a moment; so may a 5xx. */
const PASSING = [408, 425, 429];

/** With what the proxy says: its reason, and the title of its page. */
function refusal(proxy: URL, answer: IncomingMessage, title: string): TunnelError {
  const { statusCode: status = 0, statusMessage = '', headers } = answer;
  const isFinal = status < 500 && !PASSING.includes(status);
  const final = status === 407 ? 'ERR_PROXY_AUTHENTICATION' : 'ERR_PROXY_REFUSED';
  // Squid says more in this header than in the title of its pages.
  const said = /^\w+/.exec(String(headers['x-squid-error'] ?? ''))?.[0] ?? title;
  const words = [status, statusMessage, said && `(${said})`].filter(Boolean).join(' ');
  const message = `the proxy ${proxy.host} answered ${inertText(words, LONGEST_WORDS)}`;
  return new TunnelError(isFinal ? final : 'ERR_PROXY', message);
}

const LONGEST_WORDS = 200;

function via(proxy: URL): string {
  return `through the proxy ${proxy.host}`;
}
