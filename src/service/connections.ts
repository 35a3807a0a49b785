import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '../util/clock.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import type { Trace } from './trace.ts';
import { createTunnelAgent } from './tunnel.ts';

export interface RequestTimeouts {
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** For everything but uploads and downloads. */
  totalMs: number;
  /** For a file, plus its size at `fileBytesPerMs`. */
  fileMs: number;
  fileBytesPerMs: number;
}

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

export type Connections = ReturnType<typeof createConnections>;

/**
 * Opens nothing yet. A create gets a connection of its own: a kept one may be closed by the server at that moment, and
 * the outcome would be unknown for no reason, or what comes late for another request would be taken for its answer.
 * Certificates are checked whatever the environment variables of the process say.
 */
export function createConnections(options: {
  timeouts: RequestTimeouts;
  clock: Clock;
  /** Times whole requests. */
  deadlines: Clock;
  concurrency: number;
  /** Not asked for URLs of this machine. */
  proxyFor?: ProxyFor | undefined;
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

  return {
    timeouts,
    deadlines: options.deadlines,
    trace: options.trace,
    agent: (use: ConnectionUse, url: URL) =>
      url.protocol === 'https:'
        ? secureAgent(use, url)
        : agentFor(`${use} http`, () => new http.Agent(ways[use])),
    /** After the computer slept, the other end is gone. */
    dropIdle() {
      const idle = [...agents.values()].flatMap((agent) => Object.values(agent.freeSockets).flat());
      for (const socket of idle) socket?.destroy();
    },
    /** Aborts when `close` is called, which ends everything under way. */
    closed,
    close() {
      closing.abort();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Closes a kept connection on which data comes while it is idle: it would be the answer to the next request. */
function closingSurplus<A extends http.Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    socket.on('data', close);
    return keep(socket);
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
  return agent;
}

function close(this: Duplex): void {
  this.destroy();
}
