import type { FastifyReply } from 'fastify';

/** Ends the connection without an answer: with FIN, or with RST. */
export function cutConnection({ raw }: FastifyReply, reset: boolean | undefined): void {
  if (reset) raw.socket?.resetAndDestroy();
  else raw.socket?.destroy();
}
