import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../fault-rules/fault-rule.ts';

/** Nothing answers there. */
const DISCARD_PORT = 9;

/** Answers with a redirect to the same path elsewhere. */
export function redirect(
  request: FastifyRequest,
  reply: FastifyReply,
  { to, status = 307 }: Extract<Fault, { fault: 'redirect' }>,
): void {
  const host = `127.0.0.1:${request.socket.localPort ?? 0}`;
  const origins = {
    same: `http://${host}`,
    'other-host': 'http://other-host.invalid',
    'other-port': `http://127.0.0.1:${DISCARD_PORT}`,
    'other-scheme': `https://${host}`,
  };
  reply
    .code(status)
    .header('location', origins[to] + request.url)
    .send('');
}
