import { isIPv4 } from 'node:net';

/** Names below `localhost` may leave this machine: a resolver may answer for them with any address. */
export function isLoopbackHost(hostname: string): boolean {
  const isNumber = hostname.startsWith('127.') && isIPv4(hostname);
  return hostname === 'localhost' || hostname === '[::1]' || isNumber;
}

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a `Host` header names this machine and this port; port 80 may be left out. */
export function isNameOfThisMachine(host: string | undefined, port: number): boolean {
  const ends = port === 80 ? ['', ':80'] : [`:${port}`];
  return NAMES.some((name) => ends.some((end) => host?.toLowerCase() === `${name}${end}`));
}
