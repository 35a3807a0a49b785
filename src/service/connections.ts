import http from 'node:http';
import https from 'node:https';
import type { Got } from 'got';

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

/** `fresh`: a connection of its own, closed afterwards. */
export type ConnectionUse = 'keep-alive' | 'fresh';

/** The HTTP library, set up, and its sockets. */
export interface Connections {
  readonly timeouts: RequestTimeouts;
  got(): Promise<Got>;
  agents(use: ConnectionUse): { http: http.Agent; https: https.Agent };
  /** Aborts when `close` is called: everything under way ends. */
  readonly closed: AbortSignal;
  close(): void;
}

/**
 * Opens nothing yet. Creates need a fresh connection: a kept one that the server is just closing would make a
 * create's outcome unknown for nothing.
 */
export function createConnections(options: { timeouts: RequestTimeouts; concurrency: number }): Connections {
  const { timeouts } = options;
  const kept = { keepAlive: true, maxFreeSockets: options.concurrency };
  const pools = {
    'keep-alive': { http: new http.Agent(kept), https: new https.Agent(kept) },
    fresh: { http: new http.Agent(), https: new https.Agent() },
  };
  const closing = new AbortController();
  let instance: Promise<Got> | undefined;
  return {
    timeouts,
    got: () => (instance ??= loadGot(timeouts)),
    agents: (use) => pools[use],
    closed: closing.signal,
    close() {
      closing.abort();
      for (const pool of Object.values(pools)) {
        pool.http.destroy();
        pool.https.destroy();
      }
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
