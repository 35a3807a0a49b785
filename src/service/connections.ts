import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../util/clock.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { type ConnectionUse, createOrigin, type Origin, type Place } from './origin.ts';
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
  /** The same for an upload, which has at least `totalMs`. */
  uploadMs: number;
  fileBytesPerMs: number;
}

/** Gateways give up after 60 s, and what they answer then tells more than silence. */
const ANSWER_MS = 75_000;
/** From the last moment at which an answer may begin to its end. */
const REST_MS = 15_000;

export const DEFAULT_TIMEOUTS: RequestTimeouts = {
  connectMs: 10_000,
  ...answerTimeouts(ANSWER_MS),
  fileMs: 60_000,
  uploadMs: 60_000,
  fileBytesPerMs: 100,
};

function answerTimeouts(ms: number): Pick<RequestTimeouts, 'idleMs' | 'totalMs'> {
  return { idleMs: ms, totalMs: ms + REST_MS };
}

/** Of a service that may take so long; where nothing is said, the default is left. */
export function timeoutsOf({
  answerMs,
  uploadMs,
}: {
  readonly answerMs?: number;
  readonly uploadMs?: number;
} = {}): Partial<RequestTimeouts> {
  return {
    ...(answerMs !== undefined && answerTimeouts(answerMs)),
    ...(uploadMs !== undefined && { uploadMs }),
  };
}

/** Files of a client certificate and of authorities, in PEM form. */
export interface TlsFiles {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The only ones that may have signed the certificate of the service. */
  readonly ca?: string | undefined;
}

/** When a request to this origin may leave. */
interface Pace {
  readonly origin: string;
  readonly turn: Turn;
}

/** Resolves then, or when a signal aborts. */
export type Turn = (signals: readonly AbortSignal[]) => Promise<void>;

export type ProxyFor = (url: URL) => URL | undefined;

export type Connections = ReturnType<typeof createConnections>;

export interface ConnectionsOptions {
  timeouts: RequestTimeouts;
  clock: Clock;
  /** Times whole requests. */
  deadlines: Clock;
  /** Connections to one origin at once, idle ones included. */
  concurrency: number;
  /** Not asked for URLs of this machine. */
  proxyFor?: ProxyFor | undefined;
  /** Takes secrets out of what a proxy says. */
  redact: (text: string) => string;
  /** For this origin only. */
  tls?: { readonly origin: string; readonly files: TlsFiles } | undefined;
  trace?: Trace | undefined;
  pace?: Pace | undefined;
}

/**
 * Opens nothing yet. A create gets a connection of its own: a kept one may be closed by the server at that moment, and
 * the outcome would be unknown for no reason, or what comes late for another request would be taken for its answer.
 * Certificates are checked whatever the environment variables of the process say.
 */
export function createConnections(options: ConnectionsOptions) {
  const { timeouts, clock, deadlines, proxyFor, redact, tls } = options;
  const { connectMs } = timeouts;
  let most = options.concurrency;
  const closing = new AbortController();
  const closed: AbortSignal = closing.signal;
  const origins = new Map<string, Origin>();

  /** Plain http goes to this machine only, and this machine is never reached through a proxy. */
  function agentFor(url: URL, keepAlive: boolean): http.Agent {
    if (url.protocol !== 'https:') return new http.Agent({ keepAlive });
    const proxy = isLoopbackHost(url.hostname) ? undefined : proxyFor?.(url);
    const files = tls?.origin === url.origin ? tls.files : {};
    const agent = { ...files, keepAlive, rejectUnauthorized: true };
    return proxy
      ? createTunnelAgent(proxy, { agent, connectMs, clock, closed, redact })
      : new https.Agent(agent);
  }

  function originOf(url: URL): Origin {
    const known = origins.get(url.origin);
    if (known) return known;
    const agents = { 'keep-alive': agentFor(url, true), fresh: agentFor(url, false) };
    const origin = createOrigin({ agents, most: () => most, clock: deadlines });
    origins.set(url.origin, origin);
    return origin;
  }

  const dropIdle = () => origins.forEach((origin) => origin.dropIdle());

  return {
    timeouts,
    deadlines,
    trace: options.trace,
    enter: (use: ConnectionUse, url: URL): Promise<Place> => originOf(url).enter(use),
    turn: turnOf(options.pace),
    /** For a run with another limit, while nothing is under way. */
    allow(concurrency: number) {
      most = concurrency;
      dropIdle();
    },
    /** After the computer slept, the other end is gone. */
    dropIdle,
    /** Aborts when `close` is called, which ends everything under way. */
    closed,
    close() {
      closing.abort();
      origins.forEach((origin) => origin.close());
    },
  };
}

/** Of other servers, which have files, nobody has said how fast they may be asked. */
function turnOf(pace: Pace | undefined) {
  return async (url: URL, signals: readonly AbortSignal[]): Promise<void> => {
    if (url.origin === pace?.origin) await pace.turn(signals);
  };
}
