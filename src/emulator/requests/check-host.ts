import type { FastifyRequest } from 'fastify';
import { isNameOfThisMachine } from '../../util/loopback.ts';

/**
 * Whether a request was meant for this machine. A page in a browser may make its own name point here (DNS rebinding),
 * but then the request carries that name.
 */
export function isForThisMachine({ raw: { url = '' }, socket, headers }: FastifyRequest): boolean {
  // A URL in the place of the path takes precedence over the header.
  const host = url.startsWith('/') || !URL.canParse(url) ? headers.host : new URL(url).host;
  return isNameOfThisMachine(host, socket.localPort ?? 0);
}
