import type { FastifyRequest } from 'fastify';

const HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a request was meant for this machine. A page in a browser may make its own name point here (DNS rebinding),
 * but then the request carries that name.
 */
export function isForThisMachine({ raw: { url = '' }, socket, headers }: FastifyRequest): boolean {
  // A URL in the place of the path takes precedence over the header.
  const host = url.startsWith('/') || !URL.canParse(url) ? headers.host : new URL(url).host;
  const port = socket.localPort === 80 ? '(:80)?' : `:${socket.localPort ?? 0}`;
  return HOSTS.some((name) =>
    new RegExp(`^${name.replace(/[.[\]]/g, '\\$&')}${port}$`, 'i').test(host ?? ''),
  );
}
