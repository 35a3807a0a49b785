import http from 'node:http';
import https from 'node:https';
import type { Got } from 'got';
import type { Clock } from '../util/clock.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { closingSurplus, dropIdle } from './kept-connections.ts';
import type { Trace } from './trace.ts';
import { createTunnelAgent } from './tunnel.ts';

export interface RequestTimeouts {
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** For everything but uploads and downloads. */
  totalMs: number;
  /** For a file: this much, plus its size at `fileBytesPerMs`. */
  fileMs: number;
  fileBytesPerMs: number;
}

/** Connect 10 s, idle 30 s, 60 s in all, files 60 s and their size at 100 kB/s. */
export const DEFAULT_TIMEOUTS: RequestTimeouts = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 60_000,
  fileMs: 60_000,
  fileBytesPerMs: 100,
};

/** `fresh`: a new connection that nothing else uses. */
export type ConnectionUse = 'keep-alive' | 'fresh';

export type ProxyFor = (url: URL) => URL | undefined;

/** The HTTP library and its sockets. */
export type Connections = ReturnType<typeof createConnections>;

/**
 * Opens nothing yet. A create gets a connection of its own. A kept connection may be closed by the server at that
 * moment, and the outcome of the create would be unknown for no reason; on a shared one, what comes late for another
 * request would be taken for the answer to the create. Certificates are checked whatever the environment variables of
 * the process say.
 */
export function createConnections(options: {
  timeouts: RequestTimeouts;
  clock: Clock;
  /** Times whole requests. */
  deadlines: Clock;
  /** So many idle connections are kept. */
  concurrency: number;
  /** Called for every URL but those of this machine. */
  proxyFor?: ProxyFor | undefined;
  /** Called for every request once it is over. */
  trace?: Trace | undefined;
}) {
  const { timeouts, clock, proxyFor } = options;
  const { connectMs } = timeouts;
  const ways: Record<ConnectionUse, http.AgentOptions> = {
    'keep-alive': { keepAlive: true, maxFreeSockets: options.concurrency },
    fresh: { keepAlive: false },
  };
  const closing = new AbortController();
  const closed: AbortSignal = closing.signal;
  const agents = new Map<string, http.Agent>();

  function agentFor<A extends http.Agent>(name: string, create: () => A): A {
    const agent = agents.get(name) ?? closingSurplus(create());
    agents.set(name, agent);
    return agent as A;
  }

  /** Plain http goes to this machine only, and this machine is never reached through a proxy. */
  function secureAgent(use: ConnectionUse, url: URL): https.Agent {
    const proxy = isLoopbackHost(url.hostname) ? undefined : proxyFor?.(url);
    const agent = { ...ways[use], rejectUnauthorized: true };
    return agentFor(`${use} ${proxy?.href ?? 'https'}`, () =>
      proxy ? createTunnelAgent(proxy, { agent, connectMs, clock, closed }) : new https.Agent(agent),
    );
  }

  let instance: Promise<Got> | undefined;
  return {
    timeouts,
    deadlines: options.deadlines,
    trace: options.trace,
    got: () => (instance ??= loadGot(timeouts)),
    agents: (use: ConnectionUse, url: URL) => ({
      http: agentFor(`${use} http`, () => new http.Agent(ways[use])),
      https: secureAgent(use, url),
    }),
    /** After the computer slept, the other end is gone. */
    dropIdle() {
      for (const agent of agents.values()) dropIdle(agent);
    },
    /** Aborts when `close` is called, which ends everything under way. */
    closed,
    close() {
      closing.abort();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Imported at the first request, so that commands that send nothing start faster. */
async function loadGot(timeouts: RequestTimeouts): Promise<Got> {
  const { got } = await import('got');
  return got.extend({
    retry: { limit: 0, enforceRetryRules: true },
    followRedirect: false,
    throwHttpErrors: false,
    strictContentLength: true,
    decompress: true,
    headers: { 'user-agent': 'campaign' },
    timeout: {
      lookup: timeouts.connectMs,
      connect: timeouts.connectMs,
      secureConnect: timeouts.connectMs,
    },
  });
}
