import http from 'node:http';
import https from 'node:https';
import type { Got } from 'got';
import type { Clock } from '../util/clock.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { closingSurplus, dropIdle } from './kept-connections.ts';
import type { Trace } from './trace.ts';
import { createTunnelAgent } from './tunnel.ts';

/** Limits of time of one request, in milliseconds. */
export interface RequestTimeouts {
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** In all, for everything but uploads and downloads. */
  totalMs: number;
  /** In all, for a file: this much besides its size at `fileBytesPerMs`. */
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

/** `fresh`: a connection of its own, which nothing else goes over. */
export type ConnectionUse = 'keep-alive' | 'fresh';

/** The HTTP proxy for a URL; undefined: none. */
export type ProxyFor = (url: URL) => URL | undefined;

/** The HTTP library, set up, and its sockets. */
export interface Connections {
  readonly timeouts: RequestTimeouts;
  got(): Promise<Got>;
  /** Times what a request may take in all. */
  readonly deadlines: Clock;
  /** Told of every request once it is over. */
  readonly trace: Trace | undefined;
  agents(use: ConnectionUse, url: URL): { http: http.Agent; https: https.Agent };
  /** Closes what is idle: after a sleep of the machine the other end is gone. */
  dropIdle(): void;
  /** Aborts when `close` is called: everything under way ends. */
  readonly closed: AbortSignal;
  close(): void;
}

export interface ConnectionOptions {
  timeouts: RequestTimeouts;
  clock: Clock;
  deadlines: Clock;
  /** So many idle connections are kept. */
  concurrency: number;
  /** Asked for every URL but those of this machine. */
  proxyFor?: ProxyFor | undefined;
  trace?: Trace | undefined;
}

/**
 * Opens nothing yet. A create gets a connection of its own: a kept one that the server is just closing would make its
 * outcome unknown for nothing, and on one that others used before, what comes late for them would be taken for its
 * answer. Certificates are checked whatever the process's environment says.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const { timeouts, clock, proxyFor } = options;
  const { connectMs } = timeouts;
  const ways: Record<ConnectionUse, http.AgentOptions> = {
    'keep-alive': { keepAlive: true, maxFreeSockets: options.concurrency },
    fresh: { keepAlive: false },
  };
  const closing = new AbortController();
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
      proxy
        ? createTunnelAgent(proxy, { agent, connectMs, clock, closed: closing.signal })
        : new https.Agent(agent),
    );
  }

  let instance: Promise<Got> | undefined;
  return {
    timeouts,
    deadlines: options.deadlines,
    trace: options.trace,
    got: () => (instance ??= loadGot(timeouts)),
    agents: (use, url) => ({
      http: agentFor(`${use} http`, () => new http.Agent(ways[use])),
      https: secureAgent(use, url),
    }),
    dropIdle() {
      for (const agent of agents.values()) dropIdle(agent);
    },
    closed: closing.signal,
    close() {
      closing.abort();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Imported at the first request: commands that send nothing must not pay for it. */
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
