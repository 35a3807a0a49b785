/**
 * True for a host name that never leaves this machine: localhost, 127.0.0.0/8, [::1]. Names below `localhost` are not,
 * because a resolver may answer for them with any address.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || isLoopbackNumber(hostname);
}

function isLoopbackNumber(hostname: string): boolean {
  const parts = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(hostname)?.slice(1);
  return parts?.every((part) => Number(part) < 256) ?? false;
}
