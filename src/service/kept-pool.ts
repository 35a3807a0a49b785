import type { Agent, ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../util/clock.ts';

/** A connection that was idle for longer may be one that the server is just closing. */
const RECENT_MS = 1_000;

/** The kept connections of one agent, handed out in two ways. */
export interface KeptPool<A extends Agent> {
  /** Any idle connection, else a new one. */
  readonly any: A;
  /** One that was idle for less than a second, else a new one. */
  readonly recent: A;
  /** Closes what is idle. */
  dropIdle(): void;
  destroy(): void;
}

/**
 * Notes when each connection of a keep-alive agent became idle, and closes one on which anything comes while it is: what
 * nobody asked for, or a part of it, would be taken for the answer of the next request.
 */
export function createKeptPool<A extends Agent>(agent: A, clock: Clock): KeptPool<A> {
  const idleSince = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    idleSince.set(socket, clock.monotonic());
    socket.on('data', closeIdle);
    return keep(socket);
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    socket.off('data', closeIdle);
    reuse(socket, request);
  };

  function dropIdle(longerThanMs: number): void {
    const now = clock.monotonic();
    for (const socket of Object.values(agent.freeSockets).flat()) {
      if (socket && now - (idleSince.get(socket) ?? 0) >= longerThanMs) socket.destroy();
    }
  }

  // Node takes any object with `addRequest` for an agent; without a place in its types, as no caller needs it.
  const target = agent as unknown as Requestable;
  const recent = Object.create(agent) as A & Requestable;
  recent.addRequest = (request, options) => {
    // An agent hands out what became idle last: where that one is too old, all are, and a new one is opened.
    dropIdle(RECENT_MS);
    target.addRequest(request, options);
  };
  return { any: agent, recent, dropIdle: () => dropIdle(0), destroy: () => agent.destroy() };
}

function closeIdle(this: Duplex): void {
  this.destroy();
}

interface Requestable {
  addRequest(request: ClientRequest, options: object): void;
}
