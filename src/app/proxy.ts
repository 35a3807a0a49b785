import type { ProxyFor } from '../service/connections.ts';
import { proxyAuthorization } from '../service/tunnel.ts';
import type { ProcessVariables } from './runtime.ts';

/** HTTP_PROXY is for plain http, which goes to this machine only and never through a proxy. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** The proxy variables that are set; their values may hold passwords. */
export function proxySettings(env: ProcessVariables): { name: string; value: string }[] {
  return VARIABLES.flatMap((name) => {
    const value = env[name];
    return value ? [{ name, value }] : [];
  });
}

export function isProxyUrl(value: string): boolean {
  try {
    const url = proxyUrl(value);
    proxyAuthorization(url);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
  } catch {
    return false;
  }
}

/** How a client uses the environment's proxies: which one for a URL, and what must stay out of errors and traces. */
export async function readProxies(
  env: ProcessVariables,
): Promise<{ proxyFor: ProxyFor; secrets: string[] } | undefined> {
  const values = proxySettings(env).map(({ value }) => value);
  if (values.length === 0) return undefined;
  const { getProxyForUrl } = await import('proxy-from-env');
  return {
    proxyFor(url) {
      const found = getProxyForUrl(url.href);
      // The library adds the scheme of the URL to a value without one; here it has to be the scheme of the proxy.
      const written = values.find((value) => value === found || `${url.protocol}//${value}` === found);
      return written === undefined ? undefined : proxyUrl(written);
    },
    secrets: values.flatMap((value) => {
      const url = proxyUrl(value);
      const basic = proxyAuthorization(url)?.replace(/^Basic /, '');
      return [decodeURIComponent(url.password), ...(basic === undefined ? [] : [basic])];
    }),
  };
}

function proxyUrl(value: string): URL {
  return new URL(value.includes('://') ? value : `http://${value}`);
}
