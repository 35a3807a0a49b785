import http from 'node:http';
import https from 'node:https';
import type { Got } from 'got';
import type { Clock } from '../util/clock.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { createKeptPool, type KeptPool } from './kept-pool.ts';
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

/** `fresh`: a new connection or one that was idle for less than a second. */
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
 * Opens nothing yet. Creates need a fresh connection: a kept one that the server is just closing would make a
 * create's outcome unknown for nothing. Certificates are checked whatever the process's environment says.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const { timeouts, clock, proxyFor } = options;
  const { connectMs } = timeouts;
  const kept = { keepAlive: true, maxFreeSockets: options.concurrency };
  const secure = { ...kept, rejectUnauthorized: true };
  const closing = new AbortController();
  const plain = createKeptPool(new http.Agent(kept), clock);
  const direct = createKeptPool(new https.Agent(secure), clock);
  const tunnels = new Map<string, KeptPool<https.Agent>>();

  function tunnelTo(proxy: URL): KeptPool<https.Agent> {
    const known = tunnels.get(proxy.href);
    if (known) return known;
    const agent = createTunnelAgent(proxy, { agent: secure, connectMs, clock, closed: closing.signal });
    const pool = createKeptPool(agent, clock);
    tunnels.set(proxy.href, pool);
    return pool;
  }

  /** Plain http goes to this machine only, and this machine is never reached through a proxy. */
  function poolFor(url: URL): KeptPool<https.Agent> {
    const proxy = isLoopbackHost(url.hostname) ? undefined : proxyFor?.(url);
    return proxy ? tunnelTo(proxy) : direct;
  }

  const pools = () => [plain, direct, ...tunnels.values()];
  let instance: Promise<Got> | undefined;
  return {
    timeouts,
    deadlines: options.deadlines,
    trace: options.trace,
    got: () => (instance ??= loadGot(timeouts)),
    agents(use, url) {
      const way = use === 'fresh' ? 'recent' : 'any';
      return { http: plain[way], https: poolFor(url)[way] };
    },
    dropIdle() {
      for (const pool of pools()) pool.dropIdle();
    },
    closed: closing.signal,
    close() {
      closing.abort();
      for (const pool of pools()) pool.destroy();
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
      socket: timeouts.idleMs,
    },
  });
}
