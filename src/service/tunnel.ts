import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../util/clock.ts';
import { proxyAuthorization } from './proxy-authorization.ts';

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
  { target, clock, connectMs, closed }: TunnelOptions & { target: string },
  done: (error: TunnelError | null, socket?: Socket) => void,
): void {
  const isSecure = proxy.protocol === 'https:';
  const authorization = proxyAuthorization(proxy);
  const request = (isSecure ? https : http).request({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(authorization ? { 'proxy-authorization': authorization } : {}) },
    agent: false,
    signal: closed,
    ...(isSecure ? { rejectUnauthorized: true } : {}),
  });
  const cancel = clock.after(connectMs, () => request.destroy(new TunnelError('ETIMEDOUT', via(proxy))));
  request.once('connect', ({ statusCode = 0 }, socket: Socket) => {
    cancel();
    if (statusCode === 200) return done(null, socket);
    socket.destroy();
    done(refusal(proxy, statusCode));
  });
  // Some proxies answer a CONNECT that they refuse like any other request.
  request.once('response', ({ statusCode = 0 }) => {
    cancel();
    request.destroy();
    done(refusal(proxy, statusCode));
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    cancel();
    done(error instanceof TunnelError ? error : new TunnelError(error.code ?? 'ERR_PROXY', via(proxy)));
  });
  request.end();
}

function refusal(proxy: URL, status: number): TunnelError {
  const code = status === 407 ? 'ERR_PROXY_AUTHENTICATION' : 'ERR_PROXY';
  return new TunnelError(code, `the proxy ${proxy.host} answered ${status}`);
}

function via(proxy: URL): string {
  return `through the proxy ${proxy.host}`;
}
