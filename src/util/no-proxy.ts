/** Networks in NO_PROXY (`10.0.0.0/8`, `fd00::/8`), as curl, Go and Python read them: for hosts that are written as addresses. */
import { BlockList, isIP } from 'node:net';

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether one of the networks has this host. */
export function isInNoProxy(host: string, env: Variables): boolean {
  const address = bare(host);
  const family = familyOf(address);
  if (!family) return false;
  const networks = new BlockList();
  for (const entry of entriesOf(env)) {
    const network = networkOf(entry);
    if (network) networks.addSubnet(network.address, network.bits, network.family);
  }
  return networks.check(address, family);
}

/** Entries that look like networks or addresses of pages, and are neither a host nor a network. */
export function unreadNoProxy(env: Variables): string[] {
  return entriesOf(env).filter((entry) => entry.includes('/') && !networkOf(entry));
}

function entriesOf(env: Variables): string[] {
  return (env['no_proxy'] || env['NO_PROXY'] || '').split(/[,\s]+/).filter(Boolean);
}

function networkOf(entry: string) {
  const [, written = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const address = bare(written);
  const family = familyOf(address);
  if (!family) return undefined;
  const most = family === 'ipv4' ? 32 : 128;
  const bits = Number(length ?? most);
  return bits > most ? undefined : { address, bits, family };
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)];
}
