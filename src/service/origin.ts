/**
 * The connections to one origin: never more than are allowed, those of requests and idle ones together. A gateway may serve
 * only a few (`maxconn 4`): whatever is idle holds one of its places, and a new connection waits in its queue until then.
 */
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../util/clock.ts';
import { deferred } from '../util/deferred.ts';

/** `fresh`: a new connection that nothing else uses. */
export type ConnectionUse = 'keep-alive' | 'fresh';

/** For one request. */
export interface Place {
  readonly agent: http.Agent;
  /** Its connection has been taken up by the other end. */
  readonly served: () => void;
  /** Its connection is idle or closed. */
  readonly leave: () => void;
}

interface OriginOptions {
  readonly agents: Readonly<Record<ConnectionUse, http.Agent>>;
  /** Connections at once. */
  readonly most: () => number;
  readonly clock: Clock;
}

/** A new connection that was not taken up for so long waits in a queue, and perhaps for one of ours. */
const STALLED_MS = 2_000;

export type Origin = ReturnType<typeof createOrigin>;

export function createOrigin({ agents, most, clock }: OriginOptions) {
  const room = createRoom(most);
  let stalled = 0;
  const closing = createClosing();
  const kept = agents['keep-alive'];
  keepIf(kept, (socket) => {
    if (stalled > 0) closing.add(socket);
    return stalled === 0;
  });

  function dropIdle(): void {
    for (const socket of Object.values(kept.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (closing.has(socket)) continue;
      closing.add(socket);
      socket.destroy();
    }
  }

  function watchStall(): () => void {
    let end = () => {};
    const cancel = clock.after(STALLED_MS, () => {
      stalled += 1;
      end = () => void (stalled -= 1);
      dropIdle();
    });
    return () => {
      cancel();
      end();
      end = () => {};
    };
  }

  return {
    dropIdle,
    /** Waits for a place. A create gets a connection of its own, and what is idle is closed before. */
    async enter(use: ConnectionUse): Promise<Place> {
      await room.enter();
      if (use === 'fresh') dropIdle();
      await closing.over();
      const served = watchStall();
      return {
        agent: agents[use],
        served,
        leave() {
          served();
          room.leave();
        },
      };
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** For so many at once; the others wait in order. */
function createRoom(most: () => number) {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      while (busy >= most()) {
        const { promise, resolve } = deferred<void>();
        waiting.push(resolve);
        await promise;
      }
      busy += 1;
    },
    leave(): void {
      busy -= 1;
      waiting.shift()?.();
    },
  };
}

/** Connections count until they are closed. */
function createClosing() {
  const sockets = new Set<Duplex>();
  return {
    has: (socket: Duplex) => sockets.has(socket),
    add(socket: Duplex): void {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    async over(): Promise<void> {
      for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve));
    },
  };
}

/** Closes a kept connection also if data comes on it while it is idle: that would be the answer to the next request. */
function keepIf(agent: http.Agent, isWanted: (socket: Duplex) => boolean): void {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    if (!isWanted(socket)) return false;
    socket.on('data', close);
    return keep(socket);
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
}

function close(this: Duplex): void {
  this.destroy();
}
