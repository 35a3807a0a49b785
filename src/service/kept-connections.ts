import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Makes an agent close a kept connection on which data comes while it is idle, because it would be taken for the answer
 * to the next request.
 */
export function closingSurplus<A extends Agent>(agent: A): A {
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

export function dropIdle(agent: Agent): void {
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

function close(this: Duplex): void {
  this.destroy();
}
