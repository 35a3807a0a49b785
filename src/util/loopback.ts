import { isIPv4 } from 'node:net';

/** Names below `localhost` may leave this machine: a resolver may answer for them with any address. */
export function isLoopbackHost(hostname: string): boolean {
  const isNumber = hostname.startsWith('127.') && isIPv4(hostname);
  return hostname === 'localhost' || hostname === '[::1]' || isNumber;
}
